/// Where a link leads, step by step, across plugins: a tab, then routes and places shown one after the other.
///
/// All steps are one transaction. What is there already stays: the entries with which the stack begins that are those
/// of the plan are kept, with what is in them; what else there is goes.
public struct LinkPlan: Sendable, CustomStringConvertible {
  enum Step: Sendable {
    case tab(ContributionID)
    case route(any NavigationRoute)
    case place(Place)
  }

  var steps: [Step] = []
  /// Whether it begins where the person is, and not at the root.
  var startsHere = false

  /// Begins at the root of the application, for a root coordinator of one's own.
  public static let root = LinkPlan()

  /// Begins on top of what the person sees.
  public static let here: LinkPlan = {
    var plan = LinkPlan()
    plan.startsHere = true
    return plan
  }()

  init() {}

  /// Begins with a registered tab.
  ///
  /// - Parameter id: the tab's id, `plugin.name`.
  public init(tab id: ContributionID) { steps = [.tab(id)] }

  /// Adds a route: of the flow that the step before leads to or, where that takes no such route, of the one it is in.
  /// For a tab coordinator of one's own, it is the tab.
  public func show(_ route: some NavigationRoute) -> LinkPlan { adding(.route(route)) }

  /// Adds a place of another feature.
  public func show(_ place: Place) -> LinkPlan { adding(.place(place)) }

  func adding(_ step: Step) -> LinkPlan {
    var plan = self
    plan.steps.append(step)
    return plan
  }

  /// The steps in a line.
  public var description: String {
    let words = steps.map { step in
      switch step {
      case .tab(let id): "tab \(id)"
      case .route(let route): "\(route)"
      case .place(let place): "\(place.id)(\(place.payload))"
      }
    }
    return ((startsHere ? ["here"] : []) + words).joined(separator: " → ")
  }

  /// Whether both lead to the same.
  func matches(_ other: LinkPlan) -> Bool {
    guard startsHere == other.startsHere, steps.count == other.steps.count else { return false }
    return zip(steps, other.steps).allSatisfy { first, second in
      switch (first, second) {
      case (.tab(let first), .tab(let second)): first == second
      case (.route(let first), .route(let second)): first.isEqual(toAny: .route(second))
      case (.place(let first), .place(let second)): first.id == second.id && first.payload == second.payload
      default: false
      }
    }
  }
}
