/// The plugins that observe a session's commits.
///
/// Each gets one commit after the other.
@MainActor final class CommitObservers {
  /// One observer, with the commits that it has not received yet.
  private final class Observer {
    let registration: ObserverRegistration
    var waiting: [NavigationCommit]
    var isTelling = false

    init(_ registration: ObserverRegistration, _ waiting: [NavigationCommit]) {
      self.registration = registration
      self.waiting = waiting
    }
  }

  private let registry: Registry
  private let services: SessionServices
  private var observers: [Observer] = []
  /// The commits for observers whose plugin is not loaded yet.
  private var early: [NavigationCommit] = []
  private var isLoading = false
  /// Called with the error of an observer.
  var didFail: (any Error) -> Void = { _ in }

  init(registry: Registry, services: SessionServices) {
    self.registry = registry
    self.services = services
  }

  /// Whether there are observers, or will be.
  private(set) var areThere = false

  /// Begins with the present state; returns whether there are observers.
  func begin(_ start: @autoclosure () -> NavigationCommit) -> Bool {
    let unloaded = registry.unloadedObservers
    areThere = !registry.observers.isEmpty || !unloaded.isEmpty
    guard areThere else { return false }
    early = [start()]
    adopt()
    guard !unloaded.isEmpty else { return true }
    isLoading = true
    Task { [weak self, registry] in
      for plugin in unloaded { _ = await registry.load(plugin) }
      self?.isLoading = false
      self?.adopt()
      self?.early = []
    }
    return true
  }

  /// Sends commits to the observers.
  func tell(_ commits: [NavigationCommit]) {
    guard !commits.isEmpty, areThere else { return }
    adopt()
    if isLoading { early = Self.bounded(early + commits) }
    for observer in observers {
      observer.waiting = Self.bounded(observer.waiting + commits)
      run(observer)
    }
  }

  private static func bounded(_ commits: [NavigationCommit]) -> [NavigationCommit] {
    commits.count <= CommitFeed.limit ? commits : Array(commits.suffix(CommitFeed.limit))
  }

  /// Adopts observers whose plugins were loaded since.
  private func adopt() {
    guard observers.count < registry.observers.count else { return }
    for registration in registry.observers.dropFirst(observers.count) {
      let observer = Observer(registration, early)
      observers.append(observer)
      run(observer)
    }
  }

  private func run(_ observer: Observer) {
    guard !observer.isTelling, !observer.waiting.isEmpty else { return }
    observer.isTelling = true
    let context = services.context(for: observer.registration.plugin)
    Task { [weak self] in
      // The user's update goes first.
      await Task.yield()
      while self != nil, !observer.waiting.isEmpty {
        let commit = observer.waiting.removeFirst()
        do {
          try await observer.registration.tell(commit, context)
        } catch {
          context.log("the observer '\(observer.registration.name)' failed with commit \(commit.number): \(error)")
          self?.didFail(error)
        }
      }
      observer.isTelling = false
    }
  }

  /// Whether an observer has not received all commits yet.
  var areTelling: Bool { isLoading || observers.contains(where: \.isTelling) }

  /// Stops sending commits.
  func end() {
    areThere = false
    for observer in observers { observer.waiting = [] }
  }
}
