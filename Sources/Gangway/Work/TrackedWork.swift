import GangwayProtocol

/// Work that an event or a screen started: what makes a session busy, and whom to blame.
@MainActor final class TrackedWork {
  @TaskLocal static var current: TrackedWork?

  let event: EventID?
  let plugin: String?
  /// Counts what the person did; 0 for work of code's own. What has the higher one is what they want now.
  let serial: Int
  fileprivate(set) var isFinished = false
  /// Whether what it was about is gone, so that nobody waits to hear how it failed.
  private(set) var isAbandoned = false
  /// How many of its suspensions wait for something of Gangway's: a result, a test's clock.
  private var waits = 0
  /// Whether it was seen to do nothing for a while: it observes, or waits for what a test holds.
  private(set) var isObserving = false
  private weak var log: WorkLog?
  private var task: Task<Void, Never>?

  fileprivate init(event: EventID?, plugin: String?, serial: Int, log: WorkLog) {
    self.event = event
    self.plugin = plugin
    self.serial = serial
    self.log = log
  }

  var isBusy: Bool { !isFinished && waits == 0 && !isObserving }

  /// Whether it waits for something of Gangway's.
  var isWaiting: Bool { !isFinished && waits > 0 }

  /// Takes it for work that waits from now on.
  func observes() { isObserving = true }

  func cancel() { task?.cancel() }

  /// Cancels it because what it was about is gone.
  func abandon() {
    isAbandoned = true
    cancel()
  }

  fileprivate func follow(_ task: Task<Void, Never>) { self.task = task }

  /// Notes that the work waits for something of Gangway's, until ``endWait()``.
  func beginWait() {
    waits += 1
    log?.changed()
  }

  /// Ends a wait; called by whoever resumes the work, before it runs again.
  func endWait() { waits -= 1 }
}

/// The work of a session that has not ended.
@MainActor final class WorkLog {
  private(set) var items: [TrackedWork] = []
  /// How often the person did something.
  var serial = 0
  var didChange: () -> Void = {}
  /// Told what work threw.
  var didFail: (_ error: any Error, TrackedWork) -> Void = { _, _ in }

  /// Starts work at once, up to its first suspension.
  @discardableResult func start(
    event: EventID?, plugin: String?, _ operation: @escaping @MainActor () async throws -> Void
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
