import FoundationEssentials
import GangwayClient
import GangwayProtocol
import Glibc

/// A recorded session: what it began with, then the person's events and the changes of the tree, in their order.
///
/// The file has a JSON object a line: `{"kind":"gangway.recording",…}` first, then `{"event":…}`, `{"change":…}` and
/// `{"restart":true}`. What was typed into a secure field is not in it.
public struct Recording: Sendable {
  /// The first line.
  public struct Header: Codable, Sendable {
    var kind = "gangway.recording"
    var format = 1
    /// The plugins that were loaded, by id, with their versions.
    public var plugins: [String: String]
    /// What the session began with; nil for a fresh one.
    public var checkpoint: Checkpoint?
  }

  /// One of the lines that follow.
  public struct Entry: Codable, Sendable {
    var event: Event?
    /// Whether the event's text is left out.
    var redacted: Bool?
    /// What the event was done on, for people.
    var on: String?
    var change: Checkpoint.Change?
    var restart: Bool?
  }

  /// What the session began with.
  public let header: Header
  /// What happened.
  public let entries: [Entry]

  /// Reads a recording.
  ///
  /// - Throws: ``SupervisorFailure`` naming the line that is none.
  public init(file: String) throws {
    guard let data = try? Data(contentsOf: URL(filePath: file)) else {
      throw SupervisorFailure("The recording '\(file)' cannot be read.")
    }
    var header: Header?
    var entries: [Entry] = []
    for (index, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
      do {
        if header == nil {
          let first = try Line.decode(Header.self, from: Array(line))
          guard first.kind == "gangway.recording", first.format == 1 else {
            throw SupervisorFailure("it is of kind '\(first.kind)', format \(first.format)")
          }
          header = first
        } else {
          entries.append(try Line.decode(Entry.self, from: Array(line)))
        }
      } catch {
        throw SupervisorFailure("Line \(index + 1) of '\(file)' is none of a recording: \(error)")
      }
    }
    guard let header else { throw SupervisorFailure("The recording '\(file)' is empty.") }
    self.header = header
    self.entries = entries
  }
}

/// Writes a recording while a session runs.
@MainActor final class Recorder {
  private let file: String
  private let descriptor: Int32
  /// What the session began with, and what came before the host had said which plugins there are; nil when the header is
  /// written.
  private var beginning: (checkpoint: Checkpoint, entries: [Recording.Entry])? = (Checkpoint(), [])
  /// Why nothing is written any more.
  private(set) var failure: String?

  /// Begins a file that only its owner can read.
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  init(file: String) throws {
    self.file = file
    descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SupervisorFailure("The recording '\(file)' cannot be written: \(String(cString: strerror(errno))).")
    }
    // One that was there may have been open to others.
    fchmod(descriptor, 0o600)
  }

  isolated deinit { close(descriptor) }

  /// Notes what the session begins with.
  func begin(from checkpoint: Checkpoint) { beginning?.checkpoint = checkpoint }

  /// Writes the header, and what came before it.
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

  /// Notes an event; a text for a secure field is left out.
  func note(_ event: Event, on label: String, isSecure: Bool) {
    var entry = Recording.Entry(event: event, on: label)
    if isSecure, case .edit(let target, _) = event.action {
      entry.event?.action = .edit(target, text: "")
      entry.redacted = true
    }
    note(entry)
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
      failure = "The recording '\(file)' stops here: \(error)."
    }
  }
}

/// Carries out a recording again, and compares the trees.
@MainActor public final class Replay {
  private let recording: Recording
  private let supervisor: Supervisor
  private var expected: Checkpoint
  private var arrivals: [CheckedContinuation<Void, Never>] = []
  /// How long a tree may take to become what was recorded.
  public var patience: Duration = .seconds(10)

  /// What became of a replay.
  public enum Outcome: Equatable, Sendable {
    /// Every tree was as recorded.
    case same(events: Int)
    /// The first one that was not.
    case different(String)
  }

  /// Prepares a replay with a host of its own.
  ///
  /// - Parameter options: the host and folders; plugins and state are those of the recording.
  /// - Throws: ``SupervisorFailure`` if its log cannot be written.
  public init(_ recording: Recording, _ options: SupervisorOptions) throws {
    self.recording = recording
    var options = options
    options.plugins = recording.header.plugins.keys.sorted()
    options.stateFile = nil
    options.checkpoint = recording.header.checkpoint
    expected = recording.header.checkpoint ?? Checkpoint()
    supervisor = try Supervisor(options)
  }

  /// Replays to the end, or to the first difference.
  ///
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  public func run() async throws -> Outcome {
    supervisor.onUpdate = { [weak self] _ in self?.wake() }
    _ = try await supervisor.start()
    defer { Task { await supervisor.stop() } }
    var events = 0
    var last = "the start"
    for entry in recording.entries {
      if let change = entry.change { expected.fold(change) }
      guard entry.event != nil || entry.restart == true else { continue }
      if let difference = await difference() { return .different("After \(last): \(difference)") }
      if entry.restart == true {
        last = "a restart"
        try await supervisor.restart()
      } else if let event = entry.event {
        events += 1
        last = "event \(events), \(entry.on ?? event.name)" + (entry.redacted == true ? " (its text was left out)" : "")
        _ = try await supervisor.send(event.action)
      }
    }
    if let difference = await difference() { return .different("After \(last): \(difference)") }
    return .same(events: events)
  }

  /// Waits until the tree is what was recorded; what differs when it does not become that.
  private func difference() async -> String? {
    let deadline = ContinuousClock.now + patience
    while supervisor.checkpoint.records != expected.records {
      guard ContinuousClock.now < deadline else { return Self.firstDifference(expected, supervisor.checkpoint) }
      let alarm = Task { [weak self] in
        try await Task.sleep(until: deadline, clock: .continuous)
        self?.wake()
      }
      await withCheckedContinuation { arrivals.append($0) }
      alarm.cancel()
    }
    return nil
  }

  private func wake() {
    let waiting = arrivals
    arrivals = []
    for continuation in waiting { continuation.resume() }
  }

  static func firstDifference(_ recorded: Checkpoint, _ found: Checkpoint) -> String {
    func text(_ record: Checkpoint.Record?) -> String {
      guard let record, let line = try? Line.encode(record) else { return "nothing" }
      let text = String(decoding: line, as: UTF8.self)
      return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
    for id in Set(recorded.records.keys).union(found.records.keys).sorted()
    where recorded.records[id] != found.records[id] {
      return "node \(id) was recorded as \(text(recorded.records[id])), and is \(text(found.records[id]))."
    }
    return "nothing differs."
  }
}
