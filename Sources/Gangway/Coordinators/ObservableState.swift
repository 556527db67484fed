import Observation

extension Coordinator where Self: Observable {
  /// True, because the session can observe changes of the state.
  public static var _tracksState: Bool { true }
}
