/// The reason why a flow ended without a value.
public struct CancellationReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The reason's word, as in logs.
  public let rawValue: String
  /// Creates a reason from its word.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The reason's word.
  public var description: String { rawValue }

  /// The user went back or dismissed the modal.
  public static let back = CancellationReason(rawValue: "back")
  /// Code removed the entry, or an entry below it.
  public static let popped = CancellationReason(rawValue: "popped")
  /// A navigation from below the modal closed it.
  public static let superseded = CancellationReason(rawValue: "superseded")
  /// Another entry replaced the flow's entry.
  public static let replaced = CancellationReason(rawValue: "replaced")
  /// Another root replaced the root of the stack.
  public static let rootSwitched = CancellationReason(rawValue: "rootSwitched")
  /// The flow cancelled itself.
  public static let cancelled = CancellationReason(rawValue: "cancelled")
  /// The flow ended itself with an error.
  public static let failed = CancellationReason(rawValue: "failed")
  /// The session ended.
  public static let sessionEnded = CancellationReason(rawValue: "sessionEnded")
  /// The flow's tab was removed.
  public static let tabRemoved = CancellationReason(rawValue: "tabRemoved")
  /// Undo reverted the commit that showed the flow.
  public static let undone = CancellationReason(rawValue: "undone")
  /// A guard refused the flow when a file restored its session.
  public static let refused = CancellationReason(rawValue: "refused")

  /// Whether the user ended the flow: by going back or elsewhere, with a cancel button of the flow, or by undo.
  var isChosenByPerson: Bool { [.back, .cancelled, .superseded, .undone].contains(self) }
}

/// The outcome of a flow.
public enum FlowOutcome<Value: Sendable>: Sendable {
  /// The flow ended with a value.
  case finished(Value)
  /// The flow ended without a value.
  case cancelled(CancellationReason)

  /// The value of a finished flow; nil for a cancelled one.
  public var value: Value? {
    if case .finished(let value) = self { value } else { nil }
  }
}

extension FlowOutcome: Equatable where Value: Equatable {}
