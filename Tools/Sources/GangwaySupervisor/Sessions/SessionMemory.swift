@_spi(FrontEnd) import GangwayProtocol

/// The kept data of a session: the checkpoint, its file, the recording, and the last steps for a crash report.
@MainActor final class SessionMemory {
  /// The checkpoint from which the session would be restored now.
  private(set) var checkpoint: Checkpoint
  /// The checkpoint with which the current host began.
  private(set) var restored = Checkpoint()
  /// Whether the checkpoint is from an earlier run and no host has had it yet.
  private(set) var isFromFile: Bool
  /// The store of the session; nil if it is not stored between runs.
  var store: (any StoredSession)?
  /// The recording; nil if the session is not recorded.
  var recorder: Recorder?
  /// The steps since the current host received the session.
  private var ring: StepRing
  private var hasToldRecorderFailure = false
  /// The time of the last event.
  private var lastEvent: ContinuousClock.Instant?

  init(_ checkpoint: Checkpoint, isFromFile: Bool, steps: Int) {
    (self.checkpoint, self.isFromFile) = (checkpoint, isFromFile)
    ring = StepRing(maximum: steps)
  }

  /// Notes that a host receives the session.
  func open() {
    restored = checkpoint
    ring.begin(from: checkpoint, asksGuards: isFromFile)
  }

  /// Notes that a host shows the session. From now on, the records mark the entries that no guard has checked.
  func show() { isFromFile = false }

  /// Notes that another host has taken over the session as it is.
  func takeOver() { ring.begin(from: checkpoint) }

  /// Starts with an empty checkpoint, because no host opens the stored one.
  ///
  /// - Returns: where the stored one is now, in words for developers; nil if it is not stored.
  func beginAnew(_ reason: String) -> String? {
    checkpoint = Checkpoint()
    return store?.setAside(reason)
  }

  /// Applies a change of the tree.
  func note(_ change: Checkpoint.Change) {
    checkpoint.fold(change)
    recorder?.note(change)
    ring.note(Recording.Entry(change: change))
    store?.note(change, of: checkpoint)
  }

  /// Keeps a copy of the session if a change removes everything that is open.
  ///
  /// - Returns: whether there is a copy; nil if the change keeps something.
  func keepCopy(before change: Checkpoint.Change) -> Bool? {
    guard checkpoint.isEmptied(by: change) else { return nil }
    return store?.keepCopy(of: checkpoint) ?? false
  }

  /// Notes an event.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - words: its target, in words.
  ///   - element: its element on the screen.
  ///   - now: the time.
  /// - Returns: the reason why the recording has stopped, the first time.
  func note(_ event: Event, on words: String, _ element: Element?, at now: ContinuousClock.Instant) -> String? {
    let entry = Recording.Entry(event, on: words, element, pause: pause(until: now))
    lastEvent = now
    ring.note(entry)
    guard let recorder else { return nil }
    recorder.note(entry)
    guard let failure = recorder.failure, !hasToldRecorderFailure else { return nil }
    hasToldRecorderFailure = true
    return failure
  }

  /// Stores the session and lets go of its store.
  ///
  /// - Returns: the store, if it could not store everything.
  func close() async -> (any StoredSession)? {
    guard let store else { return nil }
    self.store = nil
    return await store.finish(checkpoint) ? nil : store
  }

  /// Stores the session, whose last host has ended.
  func finish() async { await store?.finish(checkpoint) }

  /// Returns a recording of the steps since the current host received the session, or of the last of them.
  ///
  /// - Parameters:
  ///   - plugins: the states of all plugins.
  ///   - configuration: the path of the app's configuration.
  ///   - failure: a description of the end.
  ///   - now: the time of the end.
  func recording(
    of plugins: some Sequence<HostMessage.PluginStatus>, configuration: String?, endingWith failure: String,
    at now: ContinuousClock.Instant
  ) -> Recording {
    var header = Recording.Header(
      plugins: [:], checkpoint: ring.base.records.isEmpty ? nil : ring.base, asksGuards: ring.asksGuards)
    header.note(plugins, configuration: configuration)
    var end = Recording.Entry(failure: failure)
    end.pause = pause(until: now)
    return Recording(header: header, entries: ring.steps + [end])
  }

  /// Returns the time since the last event, in seconds, to the millisecond.
  private func pause(until now: ContinuousClock.Instant) -> Double? {
    lastEvent.map { ((now - $0) / .milliseconds(1)).rounded() / 1000 }
  }
}
