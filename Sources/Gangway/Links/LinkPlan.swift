/// Where a link leads, step by step, across plugins: a tab, then routes and places shown one after the other.
///
/// All steps are one transaction. What is there already stays: the entries with which the stack begins that are those
/// of the plan are kept, with what is in them; what else there is goes.
public struct LinkPlan: Sendable, CustomStringConvertible {
  /// One step on the way.
  public enum Step: Sendable {
    /// A registered tab.
    case tab(ContributionID)
    /// The one of several tabs that the person is in; the first of them where they are in none.
    case anyTab(of: [ContributionID])
    /// A route of the flow that the step before leads to.
    case route(any NavigationRoute)
    /// A place of another feature.
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
    return steps.reversed()
  }

  /// Whether it begins where the person is, and not at the root.
  public private(set) var startsHere = false

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

  /// Begins with the one of several tabs that the person is in: what two features show alike opens where they are.
  ///
  /// - Parameter ids: the tabs' ids; the first is taken where the person is in none of them.
  public init(anyTabOf ids: [ContributionID]) {
    last = ids.count == 1 ? Link(.tab(ids[0]), after: nil) : Link(.anyTab(of: ids), after: nil)
  }

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
      case .anyTab(let ids): "one of the tabs \(ids.map(\.rawValue).joined(separator: ", "))"
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
      case (.anyTab(let first), .anyTab(let second)): first == second
      case (.anyTab(let all), .tab(let one)), (.tab(let one), .anyTab(let all)): all.contains(one)
      case (.route(let first), .route(let second)): first.isEqual(toAny: .route(second))
      case (.place(let first), .place(let second)): first.id == second.id && first.payload == second.payload
      default: false
      }
    }
  }
}

/// Reading a plan, to make a URL of it.
extension LinkPlan {
  /// The tab it begins with; nil where it begins with none, or with one of several.
  public var tab: ContributionID? {
    if case .tab(let id)? = steps.first { id } else { nil }
  }

  /// The routes after the first tab, if there are just these: the way back from `LinkPlan(tab:).show(_:).show(_:)`.
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
  ///   - tab: the tab it has to begin with.
  ///   - types: the type of each route, in their order.
  /// - Returns: the routes; nil where the plan begins elsewhere, or has other steps, or more or fewer of them.
  public func routes<each Route: NavigationRoute>(
    in tab: ContributionID, _ types: repeat (each Route).Type
  ) -> (repeat each Route)? {
    let steps = steps
    guard !startsHere, leads(steps.first, to: tab) else { return nil }
    var rest = steps.dropFirst()
    func next<One: NavigationRoute>(_ type: One.Type) throws -> One {
      guard case .route(let route)? = rest.popFirst(), let one = route as? One else { throw OtherSteps() }
      return one
    }
    guard let routes = try? (repeat next(each types)), rest.isEmpty else { return nil }
    return routes
  }

  /// The payload of the only step, where that is a place shown on top of what the person sees; nil elsewhere.
  ///
  /// - Parameters:
  ///   - id: the place's id.
  ///   - type: what its payload is decoded as.
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

  /// The steps of another plan after those of this one.
  func followed(by other: LinkPlan) -> LinkPlan { other.steps.reduce(self) { $0.adding($1) } }
}
