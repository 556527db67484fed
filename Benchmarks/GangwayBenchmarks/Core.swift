import Benchmark
import FoundationEssentials
@_spi(FrontEnd) import Gangway

/// A flow that does nothing but be deep.
final class Shaft: StackCoordinator {
  enum Route: NavigationRoute { case floor(Int) }
  let start = Route.floor(0)
  func destination(for route: Route) -> Destination { .screen { Floor() } }
}

struct Floor: Screen {
  var body: some Content { Text("floor") }
}

/// A plugin with a given number of places.
final class Crowd: Plugin {
  static let id = "crowd"
  static let version = "1.0.0"
  static var count = 0
  func register(in registry: Registrar) {
    for number in 0..<Self.count { registry.place("place-\(number)") { (_: Int) in Shaft() } }
  }
}

func coreBenchmarks() {
  for places in [10, 10_000] {
    benchmark("push and pop at depth 1000, \(places) places", seconds: 5, iterations: 300) {
      try await pushAndPop($0, places)
    }
  }
  benchmark("append and remove in an array of 1000 routes", seconds: 5, iterations: 300, arrayPairs)
}

/// Measures the lower limit of any navigation: the routes in an array, without checks, notices or storage.
@MainActor private func arrayPairs(_ benchmark: Benchmark) async throws {
  var path = (0..<1_000).map { Shaft.Route.floor($0) }
  for _ in benchmark.scaledIterations {
    benchmark.startMeasurement()
    for _ in 0..<1_000 {
      path.append(.floor(1_000))
      blackHole(path)
      path.removeLast()
    }
    benchmark.stopMeasurement()
  }
}

/// Measures a thousand pairs at once, so that the cost of the clock does not count.
@MainActor private func pushAndPop(_ benchmark: Benchmark, _ routes: Int) async throws {
  Crowd.count = routes
  let registry = try Registry(plugins: [Crowd.self])
  let folder = FileManager.default.temporaryDirectory
  let session = Session(registry: registry, folders: .init(data: folder, cache: folder, log: { _ in })) { _ in Shaft() }
  _ = try session.start()
  guard let router = (session.rootCoordinator as? Shaft)?.router else { return }
  for floor in 1..<1_000 { try await router.show(.floor(floor)) }
  try await settle(session)
  for _ in benchmark.scaledIterations {
    benchmark.startMeasurement()
    for _ in 0..<1_000 {
      try await router.show(.floor(1_000))
      try await router.popLast()
    }
    benchmark.stopMeasurement()
    try await settle(session)
  }
  session.close()
}
