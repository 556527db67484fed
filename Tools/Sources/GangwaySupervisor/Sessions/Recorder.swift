import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

extension Recording {
  /// Reads a recording, or the recording at the end of a crash report.
  ///
  /// - Throws: ``SupervisorFailure`` that names the invalid line.
  @_spi(FrontEnd) public init(file: String) throws {
    guard let bytes = FileManager.default.contents(atPath: file) else {
      throw SupervisorFailure(Words.Recorded.unreadable(file))
    }
    do {
      try self.init(bytes)
    } catch {
      throw SupervisorFailure(Words.Recorded.invalid(file, reason: "\(error)"))
    }
  }
}

/// Writes a recording of a running session.
@MainActor final class Recorder {
  private let file: String
  private let descriptor: Int32
  /// The initial checkpoint, and the entries that precede the host's list of plugins; nil once the header is written.
  private var beginning: (checkpoint: Checkpoint, entries: [Recording.Entry])? = (Checkpoint(), [])
  /// The reason why the recording has stopped.
  private(set) var failure: String?

  /// Creates a file that only its owner can read.
  ///
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  init(file: String) throws {
    self.file = file
    if let kind = RegularFile.other(file) {
      throw SupervisorFailure(Words.Recorded.notAFile(file, kind: kind))
    }
    // Opening must not block if a pipe has replaced the file since the check.
    descriptor = open(file, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SupervisorFailure(Words.Recorded.unwritable(file, reason: String(cString: strerror(errno))))
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, ftruncate(descriptor, 0) == 0 else {
      close(descriptor)
      throw SupervisorFailure(Words.Recorded.notEmptied(file))
    }
    // An existing file may have been open to other users.
    fchmod(descriptor, 0o600)
  }

  isolated deinit { close(descriptor) }

  /// Notes the initial state of the session.
  func begin(from checkpoint: Checkpoint) { beginning?.checkpoint = checkpoint }

  /// Writes the header and the entries that precede it.
  ///
  /// - Parameters:
  ///   - plugins: the states of all plugins.
  ///   - configuration: the path of the app's configuration.
  func begin(_ plugins: [HostMessage.PluginStatus], configuration: String?) {
    guard let (checkpoint, entries) = beginning else { return }
    beginning = nil
    var header = Recording.Header(plugins: [:], checkpoint: checkpoint.records.isEmpty ? nil : checkpoint)
    header.note(plugins, configuration: configuration)
    write(header)
    for entry in entries { write(entry) }
  }

  func note(_ change: Checkpoint.Change) { note(Recording.Entry(change: change)) }

  func noteRestart() { note(Recording.Entry(restart: true)) }

  func note(_ entry: Recording.Entry) {
    if beginning?.entries.append(entry) == nil { write(entry) }
  }

  private func write(_ value: some Encodable) {
    guard failure == nil else { return }
    do {
      var line = try Line.encode(value)
      if line.last != UInt8(ascii: "\n") { line.append(UInt8(ascii: "\n")) }
      guard ProcessIO.writeAll(line, to: descriptor) else {
        throw SupervisorFailure(String(cString: strerror(errno)))
      }
    } catch {
      failure = Words.Recorded.stopped(file, reason: "\(error)")
    }
  }
}

extension Recording.Header {
  /// Notes the plugins that contribute to the app, with their files, so that a replay has the same tree.
  mutating func note(_ statuses: some Sequence<HostMessage.PluginStatus>, configuration: String?) {
    let present: Set<HostMessage.PluginStatus.State> = [.registered, .loading, .active, .quarantined, .failed]
    for status in statuses where present.contains(status.state) {
      guard let id = status.id else { continue }
      plugins[id] = status.version ?? ""
      files = (files ?? [:]).merging([id: status.file]) { $1 }
    }
    self.configuration = configuration
  }
}
