@_spi(FrontEnd) import GangwayProtocol

/// The events of a session that its hosts have received.
struct SentEvents {
  /// An event that a host has received and not answered.
  struct InFlight {
    /// The event's number, which is unique in the pool.
    let id: EventID
    let name: String
    /// The label of the input whose text the event changes.
    ///
    /// The front end may have the text, and send it again.
    var input: String?
    let plugin: PluginID?
    /// The entry that the event removes.
    let entry: NodeID?
    /// The continuation that waits for the answer; nil once the user has been asked whether to keep waiting.
    var reply: CheckedContinuation<Update, any Error>?
  }
  typealias Work = (name: String, plugin: PluginID?)

  private(set) var inFlight: InFlight?
  /// The number of the last event.
  private(set) var last: EventID = 0
  /// The event that was in flight when the host ended, until the session is shown again.
  private var lost: InFlight?
  /// The answered events with unfinished work, in which a host may die.
  private var working: [EventID: Work] = [:]
  /// The number of hosts that stopped while an entry was being removed, by entry.
  private var failedRemovals: [NodeID: Int] = [:]

  /// Notes that a host receives an event.
  mutating func send(_ event: InFlight) {
    inFlight = event
    last = event.id
  }

  /// Notes an update of the host, and the events whose work goes on.
  ///
  /// - Returns: the event that the update answers.
  mutating func take(_ update: Update) -> InFlight? {
    let answered = inFlight?.id == update.event ? inFlight : nil
    if let answered {
      working[answered.id] = (answered.name, answered.plugin)
      inFlight = nil
    }
    keepWorking(update.pending)
    return answered
  }

  /// Takes the continuation of the event in flight, whose sender gets another answer.
  mutating func takeReply() -> CheckedContinuation<Update, any Error>? {
    defer { inFlight?.reply = nil }
    return inFlight?.reply
  }

  private mutating func keepWorking(_ pending: [Update.Pending]) {
    guard !working.isEmpty else { return }
    let unfinished = Set(pending.compactMap(\.event))
    working = working.filter { unfinished.contains($0.key) }
  }

  /// Notes that no work goes on, because the host has ended or was replaced.
  mutating func endWork() { working = [:] }

  /// Notes that the event in flight is lost; it is not repeated.
  mutating func lose() { (lost, inFlight) = (inFlight, nil) }

  /// Takes the lost event, to report it.
  mutating func takeLost() -> InFlight? {
    defer { lost = nil }
    return lost
  }

  /// Resumes the senders of unanswered events with a failure.
  mutating func fail(_ failure: any Error) {
    for event in [inFlight, lost] { event?.reply?.resume(throwing: failure) }
    (inFlight, lost) = (nil, nil)
  }

  /// Returns an answered event with unfinished work, and the plugin of the work.
  func unfinished(of pending: [Update.Pending]) -> Work? {
    for item in pending {
      if let name = item.event.flatMap({ working[$0]?.name }) { return (name, item.plugin) }
    }
    return nil
  }

  /// Returns whether an event went to a plugin.
  ///
  /// - Parameter event: the event; nil stands for the event in flight and all unfinished ones.
  func went(to plugin: PluginID, _ event: EventID?) -> Bool {
    if let event { return inFlight?.id == event ? inFlight?.plugin == plugin : working[event]?.plugin == plugin }
    return inFlight?.plugin == plugin || working.values.contains { $0.plugin == plugin }
  }

  /// Counts a host that stopped while it removed an entry.
  ///
  /// - Returns: whether the removal has stopped two hosts; the count then begins again.
  mutating func noteFailedRemoval(of entry: NodeID) -> Bool {
    failedRemovals[entry, default: 0] += 1
    guard failedRemovals[entry, default: 0] >= 2 else { return false }
    failedRemovals[entry] = nil
    return true
  }
}
