/// Why a flow ended without a value.
public struct CancellationReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The word for it, as in logs.
  public let rawValue: String
  /// Makes a reason.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The word for it.
  public var description: String { rawValue }

  /// The person went back, or dismissed the modal.
  public static let back = CancellationReason(rawValue: "back")
  /// Code removed the entry, or one below it.
  public static let popped = CancellationReason(rawValue: "popped")
  /// A modal gave way to a navigation from below it.
  public static let superseded = CancellationReason(rawValue: "superseded")
  /// Another entry took its place.
  public static let replaced = CancellationReason(rawValue: "replaced")
  /// The stack's root was switched.
  public static let rootSwitched = CancellationReason(rawValue: "rootSwitched")
  /// The flow cancelled itself.
  public static let cancelled = CancellationReason(rawValue: "cancelled")
  /// The flow itself gave up with an error.
  public static let failed = CancellationReason(rawValue: "failed")
  /// The session ended.
  public static let sessionEnded = CancellationReason(rawValue: "sessionEnded")
  /// Its tab was taken away.
  public static let tabRemoved = CancellationReason(rawValue: "tabRemoved")
  /// The commit that showed it was stepped back.
  public static let undone = CancellationReason(rawValue: "undone")
  /// A guard refused it when its session was restored from a file.
  public static let refused = CancellationReason(rawValue: "refused")

  /// Whether it is the user's own step: back, elsewhere, a button of the flow that cancels it, or undo.
  var isChosenByPerson: Bool { [.back, .cancelled, .superseded, .undone].contains(self) }
}

/// How a flow ended.
public enum FlowOutcome<Value: Sendable>: Sendable {
  /// With a value.
  case finished(Value)
  /// Without one.
  case cancelled(CancellationReason)

  /// The value, if there is one.
  public var value: Value? {
    if case .finished(let value) = self { value } else { nil }
  }
}

extension FlowOutcome: Equatable where Value: Equatable {}
