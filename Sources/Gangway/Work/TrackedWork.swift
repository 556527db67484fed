@_spi(FrontEnd) import GangwayProtocol

/// Work that an event or a screen started: it keeps the session busy, and names the plugin to blame for an error.
@MainActor final class TrackedWork {
  @TaskLocal static var current: TrackedWork?

  let event: EventID?
  let plugin: PluginID?
  /// The number of the user action that started the work; 0 for work that code started.
  ///
  /// The highest number is the latest wish of the user.
  let serial: Int
  fileprivate(set) var isFinished = false
  /// Whether the target of the work is gone, so that no one needs its errors.
  private(set) var isAbandoned = false
  /// The number of its suspensions that wait for Gangway: for a result, or for a test's clock.
  private var waits = 0
  /// Whether the work did nothing for a while: it observes something, or waits for something that a test holds.
  private(set) var isObserving = false
  private weak var log: WorkLog?
  private var task: Task<Void, Never>?

  fileprivate init(event: EventID?, plugin: PluginID?, serial: Int, log: WorkLog) {
    self.event = event
    self.plugin = plugin
    self.serial = serial
    self.log = log
  }

  var isBusy: Bool { !isFinished && waits == 0 && !isObserving }

  /// Whether the work waits for Gangway.
  var isWaiting: Bool { !isFinished && waits > 0 }

  /// Marks the work as waiting from now on.
  func observes() { isObserving = true }

  func cancel() { task?.cancel() }

  /// Cancels the work because its target is gone.
  func abandon() {
    isAbandoned = true
    cancel()
  }

  fileprivate func follow(_ task: Task<Void, Never>) { self.task = task }

  /// Notes that the work waits for Gangway, until ``endWait()``.
  func beginWait() {
    waits += 1
    log?.changed()
  }

  /// Ends a wait.
  ///
  /// Call it when resuming the work, before the work runs again.
  func endWait() { waits -= 1 }
}

/// The unfinished work of a session.
@MainActor final class WorkLog {
  private(set) var items: [TrackedWork] = []
  /// The number of user actions so far.
  var serial = 0
  var didChange: () -> Void = {}
  /// Called with an error that work threw.
  var didFail: (_ error: any Error, TrackedWork) -> Void = { _, _ in }

  /// Starts work at once, up to its first suspension.
  @discardableResult func start(
    event: EventID?, plugin: PluginID?, _ operation: @escaping @MainActor () async throws -> Void
  ) -> TrackedWork {
    let serial = event == nil ? 0 : TrackedWork.current?.serial ?? serial
    let work = TrackedWork(event: event, plugin: plugin, serial: serial, log: self)
    items.append(work)
    let task = TrackedWork.$current.withValue(work) {
      Task.immediate { @MainActor in
        do {
          try await operation()
        } catch is CancellationError {
        } catch {
          self.didFail(error, work)
        }
        self.end(work)
      }
    }
    work.follow(task)
    return work
  }

  private func end(_ work: TrackedWork) {
    work.isFinished = true
    items.removeAll { $0 === work }
    changed()
  }

  fileprivate func changed() { didChange() }

  func cancelAll() {
    for work in items { work.cancel() }
  }
}
