/// An object that owns one flow: it turns routes into screens and child coordinators.
///
/// Adopt ``StackCoordinator``, ``TabCoordinator`` or ``WrapperCoordinator``, not this protocol itself. A coordinator
/// is made per session, lives while its entry is in the navigation tree, and runs on the main actor.
@MainActor public protocol Coordinator: AnyObject {
  /// What of the coordinator comes back after a restart. It is `Codable`.
  associatedtype State = NoState
  /// What the flow ends with.
  associatedtype Output: Sendable = Void

  /// Stored in checkpoints when it changed. Make the class `@Observable`: without it, the state is encoded again
  /// after every event while the coordinator is visible.
  var state: State { get set }

  /// The version of ``State``'s encoding, from 1. Raise it when a stored state no longer decodes, and give
  /// ``migrateState(_:from:)``.
  static var stateSchema: Int { get }

  /// Makes a state of one that was stored in another version. By default there is no way.
  ///
  /// - Parameters:
  ///   - stored: what was stored.
  ///   - schema: the version it was stored in.
  /// - Throws: why there is none; the flow is then parked, its reason shown in its place, and what was stored is kept.
  static func migrateState(_ stored: StoredForm, from schema: Int) throws -> State

  /// Asked before the whole flow goes, with what would be shown then; nil stands for nobody to ask. The flow's own
  /// `finish` and `cancel` do not ask.
  var leaveGuard: NavigationGuard? { get }

  /// Takes an action that a screen or a child flow sent; `.unhandled` passes it on to the parent. By default nothing
  /// is handled.
  func handle(_ action: any CoordinatorAction) async throws -> ActionHandling

  /// Wraps every screen of the flow, those of child flows too: with a banner, a gate, an observer. By default
  /// nothing is added.
  @ContentBuilder func customize(_ screen: ContentGroup) -> ContentGroup

  /// How ``state`` is stored: there is a way where its type is `Codable`. A class that does not conform for the lack of
  /// this has a `state` of another type, which would be lost in a crash.
  static var _stateCoding: _StateCoding<State> { get }

  /// Which of the kinds this coordinator is; each kind's protocol implements it.
  var _kind: _CoordinatorKind { get }

  /// Whether ``state`` is read under observation tracking; `@Observable` implies it.
  static var _tracksState: Bool { get }
}

/// The state of a coordinator that has none to keep.
public struct NoState: Codable, Hashable, Sendable {
  /// Makes the empty state.
  public init() {}
}

/// How the state of a coordinator is stored.
@MainActor public struct _StateCoding<State> {
  let encode: (State) throws -> String
  let decode: (String) throws -> State
}

extension Coordinator where State: Codable {
  /// The state is stored as JSON.
  public static var _stateCoding: _StateCoding<State> {
    _StateCoding(encode: { try StoredValue.encode($0) }, decode: { try StoredValue.decode(State.self, from: $0) })
  }
}

extension Coordinator where State == NoState {
  /// Nothing is kept.
  public var state: NoState {
    get { NoState() }
    set {}
  }
}

extension Coordinator {
  /// The first version.
  public static var stateSchema: Int { 1 }
  /// There is no migration.
  public static func migrateState(_ stored: StoredForm, from schema: Int) throws -> State {
    throw NoMigration(type: "\(State.self)", from: schema, to: stateSchema)
  }
  /// Nobody is asked.
  public var leaveGuard: NavigationGuard? { nil }
  /// Passes every action on.
  public func handle(_ action: any CoordinatorAction) async throws -> ActionHandling { .unhandled }
  /// Adds nothing.
  public func customize(_ screen: ContentGroup) -> ContentGroup { screen }
  /// Its state is compared after each step.
  public static var _tracksState: Bool { false }
}

/// A coordinator by its kind.
public enum _CoordinatorKind {
  case stack(any StackCoordinator)
  case tabs(any TabCoordinator)
  case wrapper(any WrapperCoordinator)
}

/// Something a screen or flow reports to the coordinators above it.
public protocol CoordinatorAction: Sendable {}

/// What became of an action at one coordinator.
public enum ActionHandling: Hashable, Sendable {
  /// It goes no further.
  case handled
  /// It goes on to the parent.
  case unhandled
}
