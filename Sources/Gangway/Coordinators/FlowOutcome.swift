/// The reason why a flow ended without a value.
public enum CancellationReason: String, Hashable, Sendable, CustomStringConvertible {
  /// The reason's word.
  public var description: String { rawValue }

  /// The user went back or dismissed the modal.
  case back
  /// Code removed the entry, or an entry below it.
  case popped
  /// A navigation from below the modal closed it.
  case superseded
  /// Another entry replaced the flow's entry.
  case replaced
  /// Another root replaced the root of the stack.
  case rootSwitched
  /// The flow cancelled itself.
  case cancelled
  /// The flow ended itself with an error.
  case failed
  /// The session ended.
  case sessionEnded
  /// The flow's tab was removed.
  case tabRemoved
  /// Undo reverted the commit that showed the flow.
  case undone
  /// A guard refused the flow when a file restored its session.
  case refused

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
