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
  func begin(_ plugins: [HostMessage.PluginStatus]) {
    guard let (checkpoint, entries) = beginning else { return }
    beginning = nil
    let loaded = plugins.compactMap { plugin in plugin.id.map { ($0, plugin.version ?? "") } }
    write(
      Recording.Header(
        plugins: Dictionary(loaded, uniquingKeysWith: { $1 }),
        checkpoint: checkpoint.records.isEmpty ? nil : checkpoint))
    for entry in entries { write(entry) }
  }

  /// Notes an event, without the text for a secure field.
  func note(_ event: Event, on label: String, isSecure: Bool) {
    note(Recording.Entry(event, on: label, isSecure: isSecure))
  }

  func note(_ change: Checkpoint.Change) { note(Recording.Entry(change: change)) }

  func noteRestart() { note(Recording.Entry(restart: true)) }

  private func note(_ entry: Recording.Entry) {
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
