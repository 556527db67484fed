import Benchmark
import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// A flow whose screens lead deeper, so that a user can push.
private final class Mine: StackCoordinator {
  enum Route: NavigationRoute { case floor(Int) }
  let start = Route.floor(0)
  func destination(for route: Route) -> Destination { .screen { MineFloor(router: $0) } }
}

private struct MineFloor: Screen {
  let router: Router<Mine>
  var body: some Content {
    Text("floor")
    Button("Deeper") { try await router.show(.floor(7)) }
  }
}

/// A plugin with a given number of links to one route type, each of which creates the URLs of some routes.
private final class Signs: Plugin {
  static let id = "signs"
  static let version = "1.0.0"
  static var count = 0
  struct Item: Codable { let id: Int }

  func register(in registry: Registrar) {
    registry.tab("main", title: "Main") { _ in Mine() }
    for number in 0..<Self.count {
      registry.link("sign\(number)/:id") { (item: Item) in
        Mine.Route.floor(item.id)
      } url: { route in
        guard case .floor(let id) = route, id == Self.count - number else { return nil }
        return Item(id: id)
      }
    }
  }
}

private let wire = BenchmarkMetric.custom("wire", polarity: .prefersSmaller, useScalingFactor: false)

/// Benchmarks of work that must not grow with the depth of a stack or the number of links.
func proportionBenchmarks() {
  for depth in [1_000, 10_000] {
    benchmark("push with its update at depth \(depth)", seconds: 5, iterations: 300) {
      try await pushUpdates($0, depth)
    }
    benchmark("bytes of a push with its update at depth \(depth)", seconds: 5, iterations: 1, metrics: [wire]) {
      try await pushUpdates($0, depth, countsBytes: true)
    }
  }
  for links in [10, 9_990] {
    benchmark("commit with its update, \(links) links with URLs", seconds: 5, iterations: 300) {
      try await signedCommits($0, links)
    }
    benchmark("opening an address that nothing matches, \(links) links", seconds: 5, iterations: 300) {
      try await strayAddresses($0, links)
    }
  }
  benchmark("transaction of show and popLast at depth 1000", seconds: 5, iterations: 300, transactions)
}

/// The front end's side of a session, which sends taps and takes patches as a host's client does.
@MainActor private final class Tapper {
  let session: Session
  private var number = 0
  private var sent: Presentation

  /// Begins with what a started session shows now.
  init(_ session: Session) {
    self.session = session
    sent = session.presentation
  }

  /// Sends an action, and returns the update for the front end, as a host makes it.
  func send(_ action: Event.Action) -> Update {
    number += 1
    var update = session.handle(Event(id: EventID(rawValue: number), revision: sent.revision, action: action))
    guard let presentation = update.presentation else { return update }
    if let patch = presentation.patch(from: sent), patch.isWorthwhile {
      (update.presentation, update.patch) = (nil, patch)
    }
    sent = presentation
    return update
  }

  /// Pushes and goes back some times.
  ///
  /// Each figure has a session of its own, and without this, it would be the very first push of that session.
  func warmUp() throws {
    for _ in 0..<10 { _ = (send(try tap), send(.back)) }
  }

  /// The tap on the button of the screen on top.
  var tap: Event.Action {
    get throws {
      guard let top = sent.top, let button = top.elements.first(where: { $0.kind == .button }) else { throw NoButton() }
      return .tap(.init(node: top.node, element: button.id))
    }
  }
}

private struct NoButton: Error {}

@MainActor private func pushUpdates(_ benchmark: Benchmark, _ depth: Int, countsBytes: Bool = false) async throws {
  let session = try makeSession { _ in Mine() }
  _ = try session.start()
  guard let router = (session.rootCoordinator as? Mine)?.router else { return }
  for floor in 1..<depth { try await router.show(.floor(floor)) }
  try await settle(session)
  let front = Tapper(session)
  try front.warmUp()
  for _ in benchmark.scaledIterations {
    let tap = try front.tap
    benchmark.startMeasurement()
    let update = front.send(tap)
    benchmark.stopMeasurement()
    guard update.presentation != nil || update.patch != nil else { return benchmark.error("nothing changed") }
    if countsBytes {
      benchmark.measurement(wire, try Line.encode(HostMessage.update(session: "main", update)).count)
    }
    _ = front.send(.back)
  }
  session.close()
}

@MainActor private func signedCommits(_ benchmark: Benchmark, _ links: Int) async throws {
  Signs.count = links
  let session = try makeSession([Signs.self]) { RootCoordinator($0) }
  _ = try session.start()
  let front = Tapper(session)
  // The patterns are read, and the last link opens the route.
  Signs.count = links + 6
  try front.warmUp()
  for _ in benchmark.scaledIterations {
    let tap = try front.tap
    benchmark.startMeasurement()
    _ = front.send(tap)
    benchmark.stopMeasurement()
    guard session.presentation.url == "gangway://sign\(links - 1)/7" else { return benchmark.error("no URL") }
    _ = front.send(.back)
  }
  session.close()
}

@MainActor private func strayAddresses(_ benchmark: Benchmark, _ links: Int) async throws {
  Signs.count = links
  let session = try makeSession([Signs.self]) { RootCoordinator($0) }
  _ = try session.start()
  _ = session.url
  for number in benchmark.scaledIterations {
    benchmark.startMeasurement()
    do {
      try await session.open("gangway://sing\(number)/7")
    } catch {
      blackHole(error)
    }
    benchmark.stopMeasurement()
  }
  session.close()
}

/// Measures a thousand transactions at a time.
@MainActor private func transactions(_ benchmark: Benchmark) async throws {
  let session = try makeSession { _ in Shaft() }
  _ = try session.start()
  guard let router = (session.rootCoordinator as? Shaft)?.router else { return }
  for floor in 1..<1_000 { try await router.show(.floor(floor)) }
  try await settle(session)
  for _ in benchmark.scaledIterations {
    benchmark.startMeasurement()
    for _ in 0..<1_000 {
      try await router.transaction { try $0.show(.floor(1_000)).popLast() }
    }
    benchmark.stopMeasurement()
    try await settle(session)
  }
  session.close()
}
