import FoundationEssentials
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Glibc
import Testing

/// A plugin may have 10,000 contributions. The cost grows in proportion to their number, and no faster.
@MainActor @Suite(.serialized) struct ManyContributionsTests {
  enum Kind: String, CaseIterable, Sendable {
    case tabs, places, links, guards, services, slots, contributions, dependencies, uses
  }

  @Test(arguments: Kind.allCases) func fourTimesAsManyCostFourTimesAsMuch(_ kind: Kind) throws {
    // The machine does other work too, so try several times. Quadratic growth takes 16 times as long in every try.
    var best = Double.infinity
    for _ in 0..<10 where best > 8 {
      let few = try time(kind, 1_000)
      best = min(best, try time(kind, 4_000) / few)
    }
    #expect(best < 8, "\(kind.rawValue): \(best) times as long")
  }

  private static let folders: PluginFolders = {
    let folder = FileManager.default.temporaryDirectory
    return PluginFolders(data: folder, cache: folder, log: { _ in })
  }()

  /// Returns the processor time of this thread, which excludes other processes. Source: clock_gettime(2).
  private static func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Returns the time of a registration, and of everything that reads it for a first screen.
  private func time(_ kind: Kind, _ count: Int) throws -> Duration {
    Many.registering = (kind, count)
    let registry = Registry()
    let start = Self.processorTime()
    try registry.register(Many.self)
    _ = (registry.tabs.count, registry.problems.count, registry.contributions(to: "many.slot", as: String.self).count)
    _ = try? registry.links.match("gangway://nowhere")
    return Self.processorTime() - start
  }

  /// A contribution to a slot is a place as well, and counts once.
  @Test(arguments: Kind.allCases) func eachContributionCountsOnce(_ kind: Kind) throws {
    let slot = kind == .slots || kind == .contributions ? 1 : 0
    Many.registering = (kind, 10_000 - slot)
    try Registry().register(Many.self)
    Many.registering = (kind, 10_001 - slot)
    let error = #expect(throws: RegistrationError.self) { try Registry().register(Many.self) }
    #expect(error?.problems == ["has more than 10000 contributions, the most that one plugin may have"])
  }

  @Test(arguments: [Kind.tabs, .contributions, .guards]) func manyPluginsAreAnnouncedAtOnePrice(_ kind: Kind) throws {
    func time(_ count: Int) -> Duration {
      let registry = Registry()
      let record: (String) -> ContributionRecord = { plugin in
        switch kind {
        case .tabs: ContributionRecord(.tab, "\(plugin).main", [.title: plugin])
        case .guards: ContributionRecord(.guard, "\(plugin).all")
        default: ContributionRecord(.contribution, "\(plugin).item", [.slot: "many.slot", .json: "\"x\""])
        }
      }
      let manifests = (0..<count).map { number in
        PluginManifest(id: PluginID(rawValue: "p\(number)"), version: "1.0.0", records: [record("p\(number)")])
      }
      let start = Self.processorTime()
      for manifest in manifests { registry.announce(manifest) }
      _ = (registry.tabs.count, registry.problems.count, registry.contributions(to: "many.slot", as: String.self).count)
      return Self.processorTime() - start
    }
    var best = Double.infinity
    for _ in 0..<10 where best > 8 { best = min(best, time(2_000) / time(500)) }
    #expect(best < 8, "\(kind.rawValue): \(best) times as long")
  }

  @Test func aPlanOfManyStepsIsMadeAndLetGoOf() {
    let plan = (0..<200_000).reduce(LinkPlan.root) { $0.show(ManyFlow.Route.floor($1)) }
    #expect(plan.steps.count == 200_000)
    #expect(plan.matches(plan.show(ManyFlow.Route.home)) == false)
  }

  /// A root with many tabs, each with its own title, and a link with many steps.
  @Test func aRootOfManyTabsAndALinkOfManyStepsGrowAsTheyDo() async throws {
    func tabs(_ count: Int) async throws -> Duration {
      Many.registering = (.tabs, count)
      let registry = Registry()
      try registry.register(Many.self)
      let session = Session(registry: registry, folders: Self.folders)
      let start = Self.processorTime()
      _ = try session.start()
      return Self.processorTime() - start
    }
    func steps(_ count: Int) async throws -> Duration {
      let flow = Session(registry: try Registry(plugins: [LongWay.self]), folders: Self.folders)
      _ = try flow.start()
      let start = Self.processorTime()
      try await flow.open("gangway://way/\(count)")
      return Self.processorTime() - start
    }
    var (bestTabs, bestSteps) = (Double.infinity, Double.infinity)
    for _ in 0..<10 where bestTabs > 8 { bestTabs = min(bestTabs, try await tabs(2_000) / tabs(500)) }
    for _ in 0..<10 where bestSteps > 8 { bestSteps = min(bestSteps, try await steps(800) / steps(200)) }
    #expect(bestTabs < 8, "tabs: \(bestTabs) times as long")
    #expect(bestSteps < 8, "steps: \(bestSteps) times as long")
  }
}

private final class Many: Plugin {
  static let id = "many", version = "1.0.0"
  static var registering = (kind: ManyContributionsTests.Kind.tabs, count: 0)

  func register(in registry: Registrar) {
    let (kind, count) = Self.registering
    if kind == .slots || kind == .contributions { registry.slot("slot", of: String.self) }
    for number in 0..<count {
      let name = "x\(number)"
      switch kind {
      case .tabs: registry.tab(name, title: name) { _ in ManyFlow() }
      case .places: registry.place(name) { (_: Int) in ManyFlow() }
      case .links: registry.multiStepLink("x\(number)/:id") { (_: Int) in LinkPlan.here }
      case .guards: registry.guard(name) { (_: NavigationRequest) in .allow }
      case .services:
        registry.service(name, make: { _ in ManyService() }, operations: { (_: ServiceContract<ManyService>) in })
      case .slots: registry.slot(name, of: String.self)
      case .contributions: registry.contribute(name, to: "many.slot", name) { _ in ManyFlow() }
      case .dependencies: registry.depends(on: PluginID(rawValue: "p\(number)"), isOptional: true)
      case .uses: registry.uses(place: "many.x\(number)", isOptional: true)
      }
    }
  }
}

private final class LongWay: Plugin {
  static let id = "long", version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("main", title: "Long") { _ in ManyFlow() }
    registry.multiStepLink("way/:count") { (count: Int) in
      (0..<count).reduce(LinkPlan(tab: "long.main")) { $0.show(ManyFlow.Route.floor($1)) }
    }
  }
}

private final class ManyFlow: StackCoordinator {
  enum Route: NavigationRoute { case home, floor(Int) }
  let start = Route.home
  func destination(for route: Route) -> Destination { .screen { ManyScreen() } }
}
private struct ManyScreen: Screen { var body: some Content { Text("home") } }
private final class ManyService {}
