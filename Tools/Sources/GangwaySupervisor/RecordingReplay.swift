@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// Replays a recording and compares the trees.
@_spi(FrontEnd) @MainActor public final class RecordingReplay {
  private let recording: Recording
  private let supervisor: Supervisor
  private var expected: Checkpoint
  private var arrivals: [CheckedContinuation<Void, Never>] = []
  /// The time limit for a tree to become the recorded one.
  public var patience: Duration = .seconds(10)

  /// The outcome of a replay.
  public enum Outcome: Equatable, Sendable {
    /// Every tree was as recorded.
    case same(events: Int)
    /// Every tree was as recorded, and the host stopped again as in the recording.
    case failed(events: Int, String)
    /// A tree differed from the recorded one; the text describes the first difference.
    case different(String)
  }

  /// Prepares a replay with its own host.
  ///
  /// - Parameter options: the host and folders; plugins and state come from the recording.
  /// - Throws: ``SupervisorFailure`` if the log cannot be written.
  public init(_ recording: Recording, _ options: SupervisorOptions) throws {
    self.recording = recording
    var options = options
    // The recorded files, as long as they are there; otherwise the installed plugins of the same ids.
    options.launch.plugins = recording.header.plugins.keys.sorted().map { id in
      recording.header.files?[id].flatMap { access($0, R_OK) == 0 ? $0 : nil } ?? id.rawValue
    }
    let configuration = recording.header.configuration
    if options.launch.configuration == nil, let configuration, access(configuration, R_OK) == 0 {
      options.launch.configuration = configuration
    }
    options.stateFile = nil
    options.checkpoint = recording.header.checkpoint
    options.asksGuards = recording.header.asksGuards ?? true
    expected = recording.header.checkpoint ?? Checkpoint()
    supervisor = try Supervisor(options)
  }

  /// Replays to the end, or to the first difference.
  ///
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  public func run() async throws -> Outcome {
    supervisor.onUpdate = { [weak self] _ in self?.wake() }
    do {
      _ = try await supervisor.start()
      let outcome = try await replay()
      // The report of the crash exists then.
      await supervisor.stop()
      guard case .failed(_, let end) = outcome, let difference = differenceOfCrash(end) else { return outcome }
      return .different(difference)
    } catch {
      await supervisor.stop()
      throw error
    }
  }

  private func replay() async throws -> Outcome {
    var events = 0
    var last = Words.Recorded.start
    for entry in recording.entries {
      if let change = entry.change { expected.fold(change) }
      guard entry.event != nil || entry.restart == true else { continue }
      if let difference = await difference() { return .different(Words.Recorded.differs(after: last, difference)) }
      if entry.restart == true {
        last = Words.Recorded.restart
        try await supervisor.restart()
      } else if let event = entry.event {
        events += 1
        last = Words.Recorded.event(events, entry.step ?? event.name)
        let problem = await mismatch(entry, event)
        if let end = supervisor.keeper.notices.lastEnd { return .different(Words.Recorded.ended(before: last, end)) }
        if let problem { return .different(Words.Recorded.doesNotFit(last, problem)) }
        _ = try await supervisor.send(event.action)
      }
    }
    if let failure = recording.failure { return await outcome(after: events, last, failure) }
    if let difference = await difference() { return .different(Words.Recorded.differs(after: last, difference)) }
    return .same(events: events)
  }

  /// Waits for the recorded end.
  private func outcome(after events: Int, _ last: String, _ failure: String) async -> Outcome {
    let deadline = ContinuousClock.now + patience
    while supervisor.keeper.notices.lastEnd == nil {
      guard ContinuousClock.now < deadline else {
        return .different(Words.Recorded.didNotFail(after: last, recorded: failure))
      }
      try? await Task.sleep(for: .milliseconds(5))
    }
    let end = supervisor.keeper.notices.lastEnd ?? ""
    // The recorded end begins with the culprit and the step; the rest names a report.
    let begin = failure.split(separator: ".", maxSplits: 1).first ?? ""
    guard end.hasPrefix(begin) else { return .different(Words.Recorded.failedOtherwise(end, recorded: failure)) }
    return .failed(events: events, end)
  }

  /// Returns how the crash's message or line differs from the recorded one; nil if both are the same.
  ///
  /// - Parameter end: the end of the replay in words, which names its report.
  private func differenceOfCrash(_ end: String) -> String? {
    guard let recorded = recording.entries.last, recorded.message != nil || recorded.call != nil else { return nil }
    let report = end.firstRange(of: Words.CrashFacts.report("/")).map { "/" + end[$0.upperBound...] }
    guard let report, let found = (try? Recording(file: report))?.entries.last else {
      return Words.Recorded.noReport(end)
    }
    if let message = recorded.message, Self.withoutAddresses(message) != found.message.map(Self.withoutAddresses) {
      return Words.Recorded.otherMessage(message, found: found.message)
    }
    if let call = recorded.call, call != found.call { return Words.Recorded.otherCall(call, found: found.call) }
    return nil
  }

  /// Returns a message without the addresses in it, which differ in each process.
  private static func withoutAddresses(_ message: String) -> String {
    message.replacing(#/0x[0-9a-f]+/#, with: "0x")
  }

  /// Waits until the tree is the recorded one.
  ///
  /// - Returns: the first difference, if the time limit passes; nil otherwise.
  private func difference() async -> String? {
    let deadline = ContinuousClock.now + patience
    while Self.differingNode(expected, supervisor.checkpoint) != nil {
      guard ContinuousClock.now < deadline else { return Self.firstDifference(expected, supervisor.checkpoint) }
      await arrival(before: deadline)
    }
    return nil
  }

  /// Waits until an event's element is on the screen, as the tree is there before its content has loaded.
  ///
  /// - Returns: the reason why the event does not fit the screen; nil if it fits.
  private func mismatch(_ entry: Recording.Entry, _ event: Event) async -> String? {
    guard let id = event.element, let node = event.node else { return nil }
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline, supervisor.keeper.notices.lastEnd == nil {
      let columns = supervisor.presentation.layers.flatMap(\.columns).filter { $0.node == node }
      if let element = columns.lazy.compactMap({ $0.elements.flattened.first { $0.id == id } }).first {
        return Recording.mismatch(of: entry, with: element)
      }
      await arrival(before: deadline)
    }
    return Words.Recorded.elementMissing(entry.label ?? "#\(id)", on: supervisor.presentation.plainText)
  }

  /// Waits for an update.
  private func arrival(before deadline: ContinuousClock.Instant) async {
    let alarm = Task { [weak self] in
      try await Task.sleep(until: deadline, clock: .continuous)
      self?.wake()
    }
    await withCheckedContinuation { arrivals.append($0) }
    alarm.cancel()
  }

  private func wake() {
    let waiting = arrivals
    arrivals = []
    for continuation in waiting { continuation.resume() }
  }

  private static func text(_ record: Checkpoint.Record) -> String? {
    guard let line = try? Line.encode(record) else { return nil }
    let text = String(decoding: line, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Returns whether a record is the recorded one.
  ///
  /// Titles and badges come from the features' data and are not compared. A UUID stands for any other UUID, because a
  /// feature makes new ones in each run, such as the key of a new entry.
  private static func isSame(_ recorded: Checkpoint.Record?, _ found: Checkpoint.Record?) -> Bool {
    if recorded == found { return true }
    guard var recorded, var found else { return false }
    recorded.forgetLabels()
    found.forgetLabels()
    return recorded == found || text(recorded).map(withoutUUIDs) == text(found).map(withoutUUIDs)
  }

  private static func withoutUUIDs(_ text: String) -> String {
    text.replacing(#/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/#, with: "UUID")
  }

  /// Returns the first node that differs; nil if the trees are the same.
  private static func differingNode(_ recorded: Checkpoint, _ found: Checkpoint) -> NodeID? {
    Set(recorded.records.keys).union(found.records.keys).sorted().first {
      !isSame(recorded.records[$0], found.records[$0])
    }
  }

  static func firstDifference(_ recorded: Checkpoint, _ found: Checkpoint) -> String {
    guard let id = differingNode(recorded, found) else { return Words.Recorded.noDifference }
    return Words.Recorded.difference(
      at: id, recorded: recorded.records[id].flatMap(text), found: found.records[id].flatMap(text))
  }
}
