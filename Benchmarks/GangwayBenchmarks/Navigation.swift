import Benchmark
import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The first half of a given number of link patterns, because a plugin may have at most 10,000 contributions.
final class Signposts: Plugin {
  static let id = "signposts"
  static let version = "1.0.0"
  static var count = 0
  /// Whether the patterns have no parameters.
  static var isStatic = false
  struct Item: Codable { let id: Int }

  func register(in registry: Registrar) { Self.register(0..<Self.count / 2, in: registry) }

  static func register(_ numbers: Range<Int>, in registry: Registrar) {
    registry.tab("main", title: "Main") { _ in Shaft() }
    for number in numbers {
      if isStatic {
        registry.link("place\(number)/list", to: Shaft.Route.floor(number))
      } else {
        registry.link("place\(number)/:id") { (item: Item) in Shaft.Route.floor(item.id) }
      }
    }
  }
}

/// The second half.
final class MoreSignposts: Plugin {
  static let id = "more-signposts"
  static let version = "1.0.0"

  func register(in registry: Registrar) { Signposts.register(Signposts.count / 2..<Signposts.count, in: registry) }
}

/// A plugin with a tab and a link into it, ten routes deep.
final class Deep: Plugin {
  static let id = "deep"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("main", title: "Main") { _ in Shaft() }
    registry.multiStepLink("deep/:first") { (first: Int) in
      (first..<first + 10).reduce(LinkPlan(tab: "deep.main")) { $0.show(Shaft.Route.floor($1)) }
    }
  }
}

private let checkpointBytes = BenchmarkMetric.custom(
  "checkpointBytes", polarity: .prefersSmaller, useScalingFactor: false)
private let growth = BenchmarkMetric.custom("memoryGrowth", polarity: .prefersSmaller, useScalingFactor: false)

func navigationBenchmarks() {
  for patterns in [10, 1_000, 10_000] {
    benchmark("URL of a static path, \(patterns) patterns", seconds: 5, iterations: 300) {
      try measureLinks($0, patterns, isStatic: true) { links, url in _ = try links.resolve(url) }
    }
    benchmark("URL to decoded route, \(patterns) patterns", seconds: 5, iterations: 300) {
      try measureLinks($0, patterns) { links, url in _ = try links.resolve(url) }
    }
    benchmark("URL match alone, \(patterns) patterns", seconds: 5, iterations: 300) {
      try measureLinks($0, patterns) { links, url in _ = try links.match(url) }
    }
  }
  benchmark("deep link of 10 steps", seconds: 5, iterations: 300, deepLinks)
  for depth in [10, 1_000] {
    benchmark("checkpoint of one push at depth \(depth)", seconds: 5, iterations: 100, metrics: [checkpointBytes]) {
      try await measureChange($0, depth)
    }
  }
  benchmark("saving a tree of 1000 entries", seconds: 5, iterations: 50) { benchmark in
    let session = try await deepSession(1_000)
    for _ in benchmark.scaledIterations {
      benchmark.startMeasurement()
      blackHole(try Line.encode(session.checkpoint))
      benchmark.stopMeasurement()
    }
    session.close()
  }
  benchmark("restoring a tree of 1000 entries", seconds: 5, iterations: 50) { benchmark in
    let session = try await deepSession(1_000)
    let stored = try Line.encode(session.checkpoint)
    session.close()
    for _ in benchmark.scaledIterations {
      let next = try makeSession { _ in Shaft() }
      benchmark.startMeasurement()
      _ = try next.start(from: try Line.decode(Checkpoint.self, from: stored))
      benchmark.stopMeasurement()
      next.close()
    }
  }
  benchmark("memory from 10000 to 1000000 navigations", seconds: 60, iterations: 1, metrics: [growth], memoryGrowth)
}

@MainActor func makeSession(
  _ plugins: [any Plugin.Type] = [], root: @escaping @MainActor (Registry) throws -> any Coordinator
) throws -> Session {
  let registry = try Registry(plugins: plugins)
  let folder = FileManager.default.temporaryDirectory
  return Session(registry: registry, folders: .init(data: folder, cache: folder, log: { _ in }), root: root)
}

/// Waits until a session is idle.
@MainActor func settle(_ session: Session) async throws {
  guard await session.idle() else { throw StillBusy() }
}

private struct StillBusy: Error {}

@MainActor private func deepSession(_ depth: Int) async throws -> Session {
  let session = try makeSession { _ in Shaft() }
  _ = try session.start()
  guard let router = (session.rootCoordinator as? Shaft)?.router else { return session }
  for floor in 1..<depth { try await router.show(.floor(floor)) }
  try await settle(session)
  return session
}

/// Measures a thousand URLs at a time.
@MainActor func measureLinks(
  _ benchmark: Benchmark, _ patterns: Int, isStatic: Bool = false, _ body: (Links, String) throws -> Void
) throws {
  (Signposts.count, Signposts.isStatic) = (patterns, isStatic)
  defer { Signposts.isStatic = false }
  let registry = try Registry(plugins: [Signposts.self, MoreSignposts.self])
  let urls = (0..<1_000).map { "gangway://place\($0 * 7 % patterns)/" + (isStatic ? "list" : "\($0)") }
  // Patterns are read for the first URL.
  _ = try registry.links.match(urls[0])
  for _ in benchmark.scaledIterations {
    benchmark.startMeasurement()
    for url in urls { try body(registry.links, url) }
    benchmark.stopMeasurement()
  }
}

/// Measures a hundred links at a time, each to ten new entries.
@MainActor private func deepLinks(_ benchmark: Benchmark) async throws {
  Signposts.count = 10_000
  let session = try makeSession([Deep.self, Signposts.self, MoreSignposts.self]) { RootCoordinator($0) }
  _ = try session.start()
  // Patterns are read for the first URL.
  _ = session.url
  var start = 1
  for _ in benchmark.scaledIterations {
    start += 1_000
    let urls = (0..<100).map { "gangway://deep/\(start + $0 * 10)" }
    benchmark.startMeasurement()
    for url in urls { try await session.open(url) }
    benchmark.stopMeasurement()
    try await settle(session)
  }
  session.close()
}

/// Measures the part of the checkpoint that one push sends.
@MainActor private func measureChange(_ benchmark: Benchmark, _ depth: Int) async throws {
  let session = try await deepSession(depth)
  var bytes = 0
  session.onUpdate = { if let change = $0.checkpoint { bytes += (try? Line.encode(change).count) ?? 0 } }
  guard let router = (session.rootCoordinator as? Shaft)?.router else { return }
  for _ in benchmark.scaledIterations {
    bytes = 0
    try await router.show(.floor(7))
    try await settle(session)
    benchmark.measurement(checkpointBytes, bytes)
    try await router.popLast()
    try await settle(session)
  }
  session.close()
}

@MainActor private func memoryGrowth(_ benchmark: Benchmark) async throws {
  let session = try await deepSession(10)
  guard let router = (session.rootCoordinator as? Shaft)?.router else { return }
  func navigate(_ count: Int) async throws {
    for number in 0..<count / 2 {
      try await router.show(.floor(number))
      try await router.popLast()
      if number.isMultiple(of: 100) { try await settle(session) }
    }
    try await settle(session)
  }
  try await navigate(10_000)
  let before = resident()
  try await navigate(990_000)
  for _ in benchmark.scaledIterations { benchmark.measurement(growth, max(0, resident() - before)) }
  session.close()
}

/// Returns the resident memory of this process, in kilobytes.
private func resident() -> Int {
  guard let text = try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8) else { return 0 }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
}
