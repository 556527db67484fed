import Synchronization

/// A watch on the observable values that guards read.
///
/// When such a value changes, the session asks the guards again about the entries that they allowed. The watch follows
/// the values that a guard reads before its first suspension. It follows them once for each guard and target, until one
/// of them changes.
@MainActor final class GuardWatch {
  /// Receives the names of the guards whose values have changed.
  var didChange: (Set<String>) -> Void = { _ in }

  private final class Names: Sendable {
    let followed = Mutex<Set<String>>([])
    let changed = Mutex<Set<String>>([])
  }
  private let names = Names()
  /// The values that are followed, by guard and target.
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

  /// Returns whether the watch follows the values that a guard read about a target.
  func isFollowing(_ name: String, _ target: String) -> Bool {
    names.followed.withLock { $0.contains("\(name) \(target)") }
  }

  /// Makes the watch follow a guard's values again from the guard's next run for a target.
  ///
  /// The guard suspended before it had read all its values.
  func forget(_ name: String, _ target: String) {
    names.followed.withLock { _ = $0.remove("\(name) \(target)") }
  }

  /// Asks a guard, and follows the values that it reads unless they are followed already.
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
