@_spi(FrontEnd) import GangwayProtocol

/// The facts that only some nodes have, apart from the node, so that most nodes are small.
extension Node {
  /// The facts of a flow.
  @MainActor final class FlowFacts {
    var coordinatorName: String?
    var state: String?
    /// The version that stored the state.
    var stateSchema: Int?
    var isStateRestored = false
    lazy var readTabs = FollowedReading()
    lazy var stateSignal = ChangeFlag()
  }

  /// The values that a user left in a screen.
  @MainActor final class InputFacts {
    var awaited: Set<ElementID> = []
    var values: [ElementID: String] = [:]
    var states: ScreenState.Values = [:]
    var focus: ElementID?
    var scroll: Int?
    var isUnsaved = false
  }

  private var flow: FlowFacts {
    if let flowFacts { return flowFacts }
    let facts = FlowFacts()
    flowFacts = facts
    return facts
  }

  private var inputs: InputFacts {
    if let inputFacts { return inputFacts }
    let facts = InputFacts()
    inputFacts = facts
    return facts
  }

  var coordinatorName: String? {
    get { flowFacts?.coordinatorName }
    set { if flowFacts != nil || newValue != nil { flow.coordinatorName = newValue } }
  }

  var state: String? {
    get { flowFacts?.state }
    set { if flowFacts != nil || newValue != nil { flow.state = newValue } }
  }

  /// The version that stored the state.
  var stateSchema: Int? {
    get { flowFacts?.stateSchema }
    set { if flowFacts != nil || newValue != nil { flow.stateSchema = newValue } }
  }

  /// Whether the coordinator got its state from storage, as this version stores it.
  var isStateRestored: Bool {
    get { flowFacts?.isStateRestored ?? false }
    set { if flowFacts != nil || newValue { flow.isStateRestored = newValue } }
  }

  /// Stale if the tabs of the coordinator may have changed.
  var readTabs: FollowedReading { flow.readTabs }

  /// Raised when the state of the coordinator changed.
  var stateSignal: ChangeFlag { flow.stateSignal }

  /// The inputs whose stored values are not restored yet.
  ///
  /// Each waits for its element as long as the entry lives.
  var awaitedInputs: Set<ElementID> {
    get { inputFacts?.awaited ?? [] }
    set { if inputFacts != nil || !newValue.isEmpty { inputs.awaited = newValue } }
  }

  /// The values of inputs that differ from their first values.
  var values: [ElementID: String] {
    get { inputFacts?.values ?? [:] }
    set { if inputFacts != nil || !newValue.isEmpty { inputs.values = newValue } }
  }

  /// The values that the framework keeps for the screen; see ``ScreenState``.
  var elementStates: ScreenState.Values {
    get { inputFacts?.states ?? [:] }
    set { if inputFacts != nil || !newValue.isEmpty { inputs.states = newValue } }
  }

  /// Whether a form of the screen had unsaved changes at its last render.
  var isUnsaved: Bool {
    get { inputFacts?.isUnsaved ?? false }
    set { if inputFacts != nil || newValue { inputs.isUnsaved = newValue } }
  }

  var focus: ElementID? {
    get { inputFacts?.focus }
    set { if inputFacts != nil || newValue != nil { inputs.focus = newValue } }
  }

  var scroll: Int? {
    get { inputFacts?.scroll }
    set { if inputFacts != nil || newValue != nil { inputs.scroll = newValue } }
  }
}
