import Synchronization

/// What guards that were asked have read of values that can be observed: when that changes, they are asked again about what
/// they let in.
///
/// Followed is what a guard reads up to its first suspension, once for each guard and target until it changes.
@MainActor final class GuardWatch {
  /// Told the names of guards, after what they read has changed.
  var didChange: (Set<String>) -> Void = { _ in }

  private final class Names: Sendable {
    let followed = Mutex<Set<String>>([])
    let changed = Mutex<Set<String>>([])
  }
  private let names = Names()
  /// What is followed, by guard and target.
  private var readings: [String: FollowedReading] = [:]
  let signal = RefreshSignal()

  init() {
    signal.connect { [weak self] in
      guard let self else { return }
      let changed = names.changed.withLock { changed in
        defer { changed = [] }
        return changed
      }
      if !changed.isEmpty { didChange(changed) }
    }
  }

  /// Whether guards are about to be asked again.
  var isChanging: Bool { signal.isScheduled }

  /// Whether what a guard read about a target is followed.
  func isFollowing(_ name: String, _ target: String) -> Bool {
    names.followed.withLock { $0.contains("\(name) \(target)") }
  }

  /// Has what a guard reads about a target followed anew when it is asked the next time: it waited before it had read all.
  func forget(_ name: String, _ target: String) {
    names.followed.withLock { _ = $0.remove("\(name) \(target)") }
  }

  /// Asks a guard, and follows what it reads.
  func follow<Result>(_ name: String, _ target: String, _ ask: () -> Result) -> Result {
    let key = "\(name) \(target)"
    guard names.followed.withLock({ $0.insert(key).inserted }) else { return ask() }
    let reading = readings[key] ?? FollowedReading()
    readings[key] = reading
    return reading.read(ask) { [names, signal] in
      names.followed.withLock { _ = $0.remove(key) }
      names.changed.withLock { _ = $0.insert(name) }
      signal.raise()
    }
  }
}
