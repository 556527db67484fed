/// An object that owns one flow: it turns routes into screens and child coordinators.
///
/// Adopt ``StackCoordinator``, ``TabCoordinator`` or ``WrapperCoordinator``, not this protocol itself. Each session
/// creates its own coordinators. A coordinator lives while its entry is in the navigation tree, and runs on the main
/// actor.
@MainActor public protocol Coordinator: AnyObject {
  /// The type of ``state``, which a restart restores. It must be `Codable`.
  associatedtype State = NoState
  /// The type of the value that the flow ends with.
  associatedtype Output: Sendable = Void

  /// The state of the flow, which checkpoints store when it changes.
  ///
  /// Make the class `@Observable`. Otherwise the session encodes the state after every event while the coordinator is
  /// visible.
  var state: State { get set }

  /// The version of ``State``'s encoding, from 1.
  ///
  /// Raise it when a stored state no longer decodes, and implement ``migrateState(_:from:)``.
  static var stateSchema: Int { get }

  /// Migrates a state that another version stored.
  ///
  /// The default always throws.
  ///
  /// - Parameters:
  ///   - stored: the stored state.
  ///   - schema: the version of the stored state.
  /// - Throws: an error if there is no migration. The flow is then parked: its place shows the reason, and the stored
  ///   state is kept.
  static func migrateState(_ stored: StoredForm, from schema: Int) throws -> State

  /// The guard that runs before the whole flow goes away; nil for none.
  ///
  /// The request's target is the content that would be shown afterwards. The flow's own `finish` and `cancel` skip the
  /// guard.
  var leaveGuard: NavigationGuard? { get }

  /// Handles an action from a screen or a child flow.
  ///
  /// Return `.unhandled` to pass the action on to the parent, as the default implementation does.
  func handle(_ action: any CoordinatorAction) async throws -> ActionHandling

  /// Customizes every screen of the flow and of its child flows, such as with a banner, a gate or an observer.
  ///
  /// The default adds nothing.
  @ContentBuilder func customize(_ screen: ContentGroup) -> ContentGroup

  /// The coding that stores ``state``, which has a default if the state's type is `Codable`.
  static var _stateCoding: _StateCoding<State> { get }

  /// The kind of this coordinator, which each kind's protocol implements.
  var _kind: _CoordinatorKind { get }

  /// Whether the session reads ``state`` under observation tracking; `@Observable` implies it.
  static var _tracksState: Bool { get }
}

/// The state of a coordinator that keeps no state.
public struct NoState: Codable, Hashable, Sendable {
  /// Creates the empty state.
  public init() {}
}

/// The coding that stores a coordinator's state.
@MainActor public struct _StateCoding<State> {
  let encode: (State) throws -> String
  let decode: (String) throws -> State
}

extension Coordinator where State: Codable {
  /// The coding that stores the state as JSON.
  public static var _stateCoding: _StateCoding<State> {
    _StateCoding(encode: { try StoredValue.encode($0) }, decode: { try StoredValue.decode(State.self, from: $0) })
  }
}

extension Coordinator {
  /// Makes the compiler name the mistake in a class whose state is not `Codable`: a crash would lose such a state.
  @available(*, unavailable, message: "the type of 'state' must be Codable, because a restart restores the state")
  public static var _stateCoding: _StateCoding<State> {
    _StateCoding(encode: { _ in "" }, decode: { _ in throw NoMigration(type: "\(State.self)", from: 1, to: 1) })
  }
}

extension Coordinator where State == NoState {
  /// The empty state; setting it has no effect.
  public var state: NoState {
    get { NoState() }
    set {}
  }
}

extension Coordinator {
  /// The default: the first version.
  public static var stateSchema: Int { 1 }
  /// Throws an error, because there is no default migration.
  public static func migrateState(_ stored: StoredForm, from schema: Int) throws -> State {
    throw NoMigration(type: "\(State.self)", from: schema, to: stateSchema)
  }
  /// The default: no guard.
  public var leaveGuard: NavigationGuard? {
    MissingLeaveGuard.note(Self.self)
    return nil
  }
  /// Passes every action on to the parent.
  public func handle(_ action: any CoordinatorAction) async throws -> ActionHandling { .unhandled }
  /// Returns the screen unchanged.
  public func customize(_ screen: ContentGroup) -> ContentGroup { screen }
  /// The default: the session encodes and compares the state after every event.
  public static var _tracksState: Bool { false }
}

/// The kind of a coordinator, with the coordinator itself.
public enum _CoordinatorKind {
  case stack(any StackCoordinator)
  case tabs(any TabCoordinator)
  case wrapper(any WrapperCoordinator)

  var coordinator: any Coordinator {
    switch self {
    case .stack(let coordinator): coordinator
    case .tabs(let coordinator): coordinator
    case .wrapper(let coordinator): coordinator
    }
  }
}

/// An action that a screen or flow sends to the coordinators above it.
public protocol CoordinatorAction: Sendable {}

/// The answer of one coordinator to an action.
public enum ActionHandling: Hashable, Sendable {
  /// The coordinator handled the action, which goes no further.
  case handled
  /// The action goes on to the parent.
  case unhandled
}
