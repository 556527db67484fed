/// The steps that a link takes across plugins: a tab, then routes and places, one after the other.
///
/// All steps are one transaction. If the stack begins with entries of the plan, the transaction keeps these entries and
/// their content. It removes all other entries.
public struct LinkPlan: Sendable, CustomStringConvertible {
  /// A step of the plan.
  public enum Step: Sendable {
    /// A registered tab.
    case tab(ContributionID)
    /// The tab that the user is in, out of several; the first tab if the user is in none of them.
    case anyTab(of: [ContributionID])
    /// A route of the flow that the previous step opens.
    case route(any NavigationRoute)
    /// A place of another feature.
    case place(Place)

    fileprivate var isPlace: Bool { if case .place = self { true } else { false } }
  }

  /// A step with a link to the steps before it.
  ///
  /// Plans that begin alike share their common steps. Adding a step therefore costs the same for a plan of any length.
  private final class Link: Sendable {
    let step: Step
    // `init` writes `previous` once; only the `deinit` that holds the last reference writes it again.
    nonisolated(unsafe) private(set) var previous: Link?
    /// The first step; nil if that is this one.
    let first: Link?
    let count: Int
    /// The number of places after the first step.
    let laterPlaces: Int

    init(_ step: Step, after previous: Link?) {
      self.step = step
      self.previous = previous
      first = previous.map { $0.first ?? $0 }
      count = (previous?.count ?? 0) + 1
      laterPlaces = (previous?.laterPlaces ?? 0) + (previous != nil && step.isPlace ? 1 : 0)
    }

    /// Releases the previous steps one by one, because a recursive release would use stack space for each step.
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
  /// The number of steps.
  var stepCount: Int { last?.count ?? 0 }

  /// The first step.
  private var firstStep: Step? { (last?.first ?? last)?.step }
  /// The number of places after the first step.
  var laterPlaces: Int { last?.laterPlaces ?? 0 }
  /// The tab and the route of a plan that has only these two steps.
  var tabAndRoute: (tab: ContributionID, route: any NavigationRoute)? {
    guard stepCount == 2, case .tab(let tab)? = last?.previous?.step, case .route(let route)? = last?.step else {
      return nil
    }
    return (tab, route)
  }

  /// The steps in their order.
  public var steps: [Step] {
    var steps: [Step] = []
    steps.reserveCapacity(last?.count ?? 0)
    for link in sequence(
      state: last,
      next: { link in
        defer { link = link?.previous }
        return link
      })
    { steps.append(link.step) }
    // In place, because a reversed copy would copy each step.
    steps.reverse()
    return steps
  }

  /// Whether the plan begins at the user's current screen, and not at the root.
  public private(set) var startsHere = false

  /// A plan that begins at the root of the application, for an application with its own root coordinator.
  public static let root = LinkPlan()

  /// A plan that begins on top of the user's current screen.
  public static let here: LinkPlan = {
    var plan = LinkPlan()
    plan.startsHere = true
    return plan
  }()

  init() {}

  /// Creates a plan that begins with a registered tab.
  ///
  /// - Parameter id: the tab's id, `plugin.name`.
  public init(tab id: ContributionID) { last = Link(.tab(id), after: nil) }

  /// Creates a plan that begins with the tab that the user is in, out of several.
  ///
  /// Content that two features show alike then opens in the user's current tab.
  ///
  /// - Parameter ids: the tabs' ids; the plan takes the first one if the user is in none of them.
  public init(anyTabOf ids: [ContributionID]) {
    last = ids.count == 1 ? Link(.tab(ids[0]), after: nil) : Link(.anyTab(of: ids), after: nil)
  }

  /// Adds a route of the flow that the previous step opens.
  ///
  /// If this flow has no such route, the route belongs to the nearest flow around it that has the route. For an
  /// application's own tab coordinator, the route is the tab.
  public func show(_ route: some NavigationRoute) -> LinkPlan { adding(.route(route)) }

  /// Adds a place of another feature.
  public func show(_ place: Place) -> LinkPlan { adding(.place(place)) }

  func adding(_ step: Step) -> LinkPlan {
    var plan = self
    plan.last = Link(step, after: last)
    return plan
  }

  /// The steps in one line.
  public var description: String {
    let words = steps.map { step in
      switch step {
      case .tab(let id): "tab \(id)"
      case .anyTab(let ids): "one of the tabs \(ids.map(\.rawValue).joined(separator: ", "))"
      case .route(let route): "\(route)"
      case .place(let place): "\(place.id)(\(place.payload))"
      }
    }
    return ((startsHere ? ["here"] : []) + words).joined(separator: " → ")
  }

  /// Returns whether both plans have the same steps; a tab also matches a choice of tabs that contains it.
  func matches(_ other: LinkPlan) -> Bool {
    guard startsHere == other.startsHere, last?.count == other.last?.count else { return false }
    return zip(steps, other.steps).allSatisfy { first, second in
      switch (first, second) {
      case (.tab(let first), .tab(let second)): first == second
      case (.anyTab(let first), .anyTab(let second)): first == second
      case (.anyTab(let all), .tab(let one)), (.tab(let one), .anyTab(let all)): all.contains(one)
      case (.route(let first), .route(let second)): first.isEqual(toAny: .route(second))
      case (.place(let first), .place(let second)): first.id == second.id && first.payload == second.payload
      default: false
      }
    }
  }
}

/// Reads a plan, to create a URL from it.
extension LinkPlan {
  /// The plans that end with the last step and leave out steps before it, the longest first.
  ///
  /// A plan that begins with a tab keeps the tab, except that a place also opens on top of any screen. At most ten
  /// plans are returned, because a user may have opened thousands of screens.
  var shortened: [LinkPlan] {
    guard let last, let before = last.previous else { return [] }
    var plans: [LinkPlan] = []
    func add(after prefix: Link) {
      var plan = self
      plan.last = Link(last.step, after: prefix)
      plans.append(plan)
    }
    var prefix = before.previous
    while let link = prefix, plans.count < 8 {
      add(after: link)
      prefix = link.previous
    }
    if prefix != nil, let first = last.first { add(after: first) }
    if case .place(let place) = last.step { plans.append(LinkPlan.here.show(place)) }
    return plans
  }

  /// The tab that the plan begins with; nil if the plan begins with no tab, or with one of several.
  public var tab: ContributionID? {
    if case .tab(let id)? = firstStep { id } else { nil }
  }

  /// Returns the routes after the first tab, if the plan has no other steps.
  ///
  /// This is the inverse of `LinkPlan(tab:).show(_:).show(_:)`.
  ///
  /// ```swift
  /// url: { plan in
  ///   guard case (.album(let album), .track(let track))? = plan.routes(in: "music.library", Library.self, Album.self)
  ///   else { return nil }
  ///   return TrackLink(album: album, track: track)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - tab: the tab that the plan must begin with.
  ///   - types: the types of the routes, in their order.
  /// - Returns: the routes; nil if the plan begins elsewhere, has other steps, or has more or fewer steps.
  public func routes<each Route: NavigationRoute>(
    in tab: ContributionID, _ types: repeat (each Route).Type
  ) -> (repeat each Route)? {
    var wanted = 1
    for _ in repeat each types { wanted += 1 }
    guard !startsHere, stepCount == wanted, leads(firstStep, to: tab) else { return nil }
    let steps = steps
    var rest = steps.dropFirst()
    func next<One: NavigationRoute>(_ type: One.Type) throws -> One {
      guard case .route(let route)? = rest.popFirst(), let one = route as? One else { throw OtherSteps() }
      return one
    }
    guard let routes = try? (repeat next(each types)), rest.isEmpty else { return nil }
    return routes
  }

  /// Returns the payload of a plan whose only step is a place on top of the user's current screen.
  ///
  /// - Parameters:
  ///   - id: the place's id.
  ///   - type: the type that the payload decodes to.
  /// - Returns: the payload; nil for any other plan, or if the payload does not decode.
  public func payload<Payload: Decodable>(of id: ContributionID, as type: Payload.Type) -> Payload? {
    guard startsHere, stepCount == 1, case .place(let place) = steps[0], place.id == id else { return nil }
    return try? StoredValue.decode(type, from: place.payload)
  }

  private struct OtherSteps: Error {}

  private func leads(_ step: Step?, to tab: ContributionID) -> Bool {
    switch step {
    case .tab(let id): id == tab
    case .anyTab(let ids): ids.contains(tab)
    default: false
    }
  }

  /// Returns this plan, followed by the steps of another plan.
  func followed(by other: LinkPlan) -> LinkPlan { other.steps.reduce(self) { $0.adding($1) } }
}
