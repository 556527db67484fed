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

  /// A step with those before it: plans that begin alike share what they begin with, so that a plan of many steps is made
  /// one step at a time at the price of one step each.
  private final class Link: Sendable {
    let step: Step
    // Written once, and by the last who lets go.
    nonisolated(unsafe) private(set) var previous: Link?
    let count: Int

    init(_ step: Step, after previous: Link?) {
      self.step = step
      self.previous = previous
      count = (previous?.count ?? 0) + 1
    }

    /// Lets go of those before it one after the other: of many at once each would need a bit of the stack.
    deinit {
      var rest = previous
      previous = nil
      while isKnownUniquelyReferenced(&rest) {
        let next = rest?.previous
        rest?.previous = nil
        rest = next
      }
    }
  }

  private var last: Link?
  /// How many steps there are.
  var stepCount: Int { last?.count ?? 0 }

  /// The steps in their order.
  var steps: [Step] {
    var steps: [Step] = []
    steps.reserveCapacity(last?.count ?? 0)
    for link in sequence(
      state: last,
      next: { link in
        defer { link = link?.previous }
        return link
      })
    { steps.append(link.step) }
    return steps.reversed()
  }

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
  public init(tab id: ContributionID) { last = Link(.tab(id), after: nil) }

  /// Adds a route: of the flow that the step before leads to or, where that takes no such route, of the one it is in.
  /// For a tab coordinator of one's own, it is the tab.
  public func show(_ route: some NavigationRoute) -> LinkPlan { adding(.route(route)) }

  /// Adds a place of another feature.
  public func show(_ place: Place) -> LinkPlan { adding(.place(place)) }

  func adding(_ step: Step) -> LinkPlan {
    var plan = self
    plan.last = Link(step, after: last)
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
    guard startsHere == other.startsHere, last?.count == other.last?.count else { return false }
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
