import Observation

extension Coordinator where Self: Observable {
  /// Changes of its state are observed.
  public static var _tracksState: Bool { true }
}
