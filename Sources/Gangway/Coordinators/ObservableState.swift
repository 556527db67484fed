import Observation

extension Coordinator where Self: Observable {
  public static var _tracksState: Bool { true }
}
