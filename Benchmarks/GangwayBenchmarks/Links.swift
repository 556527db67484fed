import Benchmark
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// A plugin with a given number of contributions of one kind.
final class Throng: Plugin {
  static let id = "throng"
  static let version = "1.0.0"

  enum Kind: String, CaseIterable {
    case tabs, places, links, guards, services, slots, contributions, dependencies, uses
  }
  static var registering = (kind: Kind.tabs, count: 0)

  func register(in registry: Registrar) {
    let (kind, count) = Self.registering
    for number in 0..<count {
      let name = "x\(number)"
      switch kind {
      case .tabs: registry.tab(name, title: name) { _ in Shaft() }
      case .places: registry.place(name) { (_: Int) in Shaft() }
      case .links: registry.multiStepLink("x\(number)/:id") { (_: Int) in LinkPlan.here }
      case .guards: registry.guard(name) { (_: NavigationRequest) in .allow }
      case .services:
        registry.service(name, make: { _ in Errand() }, operations: { (_: ServiceContract<Errand>) in })
      case .slots: registry.slot(name, of: String.self)
      case .contributions: registry.contribute(name, to: "others.slot", name) { _ in Shaft() }
      case .dependencies: registry.depends(on: .init(rawValue: "p\(number)"), isOptional: true)
      case .uses: registry.uses(place: "throng.x\(number)", isOptional: true)
      }
    }
  }
}

private final class Errand {}

/// A plugin with a link to each of many routes, for the URL of the current screen.
private final class Ways: Plugin {
  static let id = "ways"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("main", title: "Main") { _ in Shaft() }
    for number in 0..<9_990 { registry.link("way\(number)", to: Shaft.Route.floor(number)) }
  }
}

/// A plugin with patterns of every combination of fixed components and parameters.
private final class Turns: Plugin {
  static let id = "turns"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    for number in 0..<256 {
      let components = (0..<8).map { number >> $0 & 1 == 0 ? "a" : ":p\($0)" }
      registry.multiStepLink("z/" + components.joined(separator: "/")) { (_: NoPayload) in LinkPlan.here }
    }
    for number in 0..<9_700 { registry.multiStepLink("y\(number)/:id") { (_: NoPayload) in LinkPlan.here } }
  }
}

/// A plugin with a tab and a link into it, a thousand routes deep.
private final class LongWay: Plugin {
  static let id = "long"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("main", title: "Main") { _ in Shaft() }
    registry.multiStepLink("long/:first") { (first: Int) in
      (first..<first + 1_000).reduce(LinkPlan(tab: "long.main")) { $0.show(Shaft.Route.floor($1)) }
    }
  }
}

func linkBenchmarks() {
  benchmark("URL that nothing matches, 10000 patterns", seconds: 5, iterations: 300) {
    try measureLinks($0, 10_000) { links, _ in _ = try links.resolve("gangway://place5000/7/nowhere") }
  }
  benchmark("URL of the current place, 10000 patterns", seconds: 5, iterations: 300) { benchmark in
    let registry = try Registry(plugins: [Ways.self])
    let plan = LinkPlan(tab: "ways.main").show(Shaft.Route.floor(7_777))
    try thousand(benchmark) { guard registry.links.url(for: plan) != nil else { throw Missing() } }
  }
  benchmark("URL that visits the most branches, 10000 patterns", seconds: 5, iterations: 100) { benchmark in
    let registry = try Registry(plugins: [Turns.self])
    try thousand(benchmark) { _ = try registry.links.resolve("gangway://z/a/a/a/a/a/a/a/a/b") }
  }
  for kind in Throng.Kind.allCases {
    // A contribution to a slot is also a place, so it takes about twice the time.
    let count = kind == .contributions ? 5_000 : 10_000
    let name = "registering \(count) \(kind.rawValue)" + (kind == .contributions ? ", each with its place" : "")
    benchmark(name, seconds: 5, iterations: 30) { benchmark in
      Throng.registering = (kind, count)
      for _ in benchmark.scaledIterations {
        benchmark.startMeasurement()
        let registry = try Registry(plugins: [Throng.self])
        _ = (registry.tabs.count, registry.problems.count, try? registry.links.match("gangway://nowhere"))
        benchmark.stopMeasurement()
      }
    }
  }
  benchmark("deep link of 1000 steps", seconds: 5, iterations: 60) { benchmark in
    let session = try makeSession([LongWay.self]) { RootCoordinator($0) }
    _ = try session.start()
    var first = 1
    for _ in benchmark.scaledIterations {
      first += 2_000
      benchmark.startMeasurement()
      try await session.open("gangway://long/\(first)")
      benchmark.stopMeasurement()
      try await settle(session)
    }
    session.close()
  }
}

private struct Missing: Error {}

private func thousand(_ benchmark: Benchmark, _ body: () throws -> Void) rethrows {
  // Patterns are read for the first URL.
  try body()
  for _ in benchmark.scaledIterations {
    benchmark.startMeasurement()
    for _ in 0..<1_000 { try body() }
    benchmark.stopMeasurement()
  }
}
