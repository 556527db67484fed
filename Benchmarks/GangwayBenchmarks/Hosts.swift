import Benchmark
import Foundation
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc
import Subprocess

func hostBenchmarks() {
  benchmark("host start to first update, 3 plugins", seconds: 8, iterations: 100) { try await hostStart($0) }
  benchmark("event to update, under the supervisor", seconds: 5, iterations: 1_000) { try await eventToUpdate($0) }
  benchmark("event to update, without recorded steps", seconds: 5, iterations: 1_000) {
    try await eventToUpdate($0, steps: 0)
  }
  benchmark("crash to first update of the next host, 5 plugins", seconds: 30, iterations: 100) {
    try await crashToUpdate($0)
  }
  benchmark("crash to first update, 5 plugins, with a spare host", seconds: 60, iterations: 100) {
    try await crashToUpdate($0, keepsSpare: true)
  }
  benchmark("event to update, 100 sessions", seconds: 5, iterations: 1_000) {
    try await eventToUpdate($0, sessions: 100)
  }
  benchmark("1000 sessions restored, the first", seconds: 30, iterations: 5) { try await manySessions($0, first: true) }
  benchmark("1000 sessions restored, all", seconds: 30, iterations: 5) { try await manySessions($0, first: false) }
  benchmark("memory of a session in the host", seconds: 10, iterations: 1, metrics: [bytes]) {
    try await memoryOfASession($0, inHost: true)
  }
  benchmark("memory of a session in the supervisor", seconds: 10, iterations: 1, metrics: [bytes], warmups: 0) {
    try await memoryOfASession($0, inHost: false)
  }
  benchmark("private memory of a spare host, 5 plugins", seconds: 10, iterations: 1, metrics: [bytes]) {
    try await memoryOfASpare($0)
  }
}

private let bytes = BenchmarkMetric.custom("bytes", polarity: .prefersSmaller, useScalingFactor: false)

/// The folder of the built host, which is the folder of this program.
let builtFolder: String = {
  let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
  return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
}()

func makeOptions(_ plugins: [String]) -> SupervisorOptions {
  let folder = FileManager.default.temporaryDirectory.path + "/gangway-bench-\(getpid())"
  var options = SupervisorOptions(host: builtFolder + "/gangway-host", logFolder: folder)
  options.launch.plugins = plugins
  return options
}

@MainActor private func makeSupervisor(_ plugins: [String]) throws -> Supervisor {
  try Supervisor(makeOptions(plugins))
}

/// Starts sessions that share a host.
@MainActor private func makeSessions(_ count: Int, in pool: HostPool) async throws -> [SessionKeeper] {
  let keepers = (0..<count).map { pool.keep(SessionID(rawValue: "\($0)")) }
  for keeper in keepers { try await keeper.start() }
  return keepers
}

/// Kills a host with a thousand sessions, and measures until the first or all are visible again.
@MainActor private func manySessions(_ benchmark: Benchmark, first: Bool) async throws {
  let pool = try HostPool(makeOptions(["scenes", "hello"]))
  let keepers = try await makeSessions(1_000, in: pool)
  for _ in benchmark.scaledIterations {
    guard let host = pool.hostProcessIDs.first else { return benchmark.error("no host") }
    benchmark.startMeasurement()
    let waits = (first ? Array(keepers.prefix(1)) : keepers).map { keeper in
      Task.immediate { @MainActor in await keeper.nextStart {} }
    }
    kill(host, SIGKILL)
    for wait in waits { await wait.value }
    benchmark.stopMeasurement()
    for keeper in keepers { _ = try await keeper.connection.tree() }
  }
  await pool.stop()
}

/// Returns the private memory of a process, in bytes.
func privateMemory(of process: Int32) -> Int {
  // Give back freed memory first, because it would be used again uncounted.
  if process == getpid(), let function = dlsym(nil, "malloc_trim") {
    _ = unsafeBitCast(function, to: (@convention(c) (Int) -> Int32).self)(0)
  }
  let text = (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
  let rows = text.split(separator: "\n").filter { $0.hasPrefix("Private_") }
  return rows.compactMap { Int($0.split(separator: " ").dropFirst().first ?? "") }.reduce(0, +) * 1_024
}

@MainActor private func memoryOfASession(_ benchmark: Benchmark, inHost: Bool) async throws {
  let pool = try HostPool(makeOptions(["scenes", "hello"]))
  // The first sessions take memory that later ones share.
  _ = try await makeSessions(50, in: pool)
  guard let host = pool.hostProcessIDs.first else { return benchmark.error("no host") }
  let process = inHost ? host : getpid()
  let before = privateMemory(of: process)
  let keepers = (0..<500).map { pool.keep(SessionID(rawValue: "more \($0)")) }
  for keeper in keepers { try await keeper.start() }
  benchmark.measurement(bytes, max(0, privateMemory(of: process) - before) / keepers.count)
  await pool.stop()
}

@MainActor private func memoryOfASpare(_ benchmark: Benchmark) async throws {
  let folder = FileManager.default.temporaryDirectory.path + "/gangway-bench-spare-\(getpid())"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let extra = [try await buildPlugin("SpareOne", in: folder), try await buildPlugin("SpareTwo", in: folder)]
  var options = makeOptions(["scenes", "hello", "clock"] + extra)
  options.keepsSpare = true
  options.spareDelay = .milliseconds(10)
  let supervisor = try Supervisor(options)
  _ = try await supervisor.start()
  while supervisor.pool.spareProcessID == nil { try await Task.sleep(for: .milliseconds(10)) }
  guard let spare = supervisor.pool.spareProcessID else { return benchmark.error("no spare") }
  benchmark.measurement(bytes, privateMemory(of: spare))
  await supervisor.stop()
}

@MainActor private func hostStart(_ benchmark: Benchmark) async throws {
  for _ in benchmark.scaledIterations {
    let supervisor = try makeSupervisor(["scenes", "hello", "clock"])
    benchmark.startMeasurement()
    _ = try await supervisor.start()
    benchmark.stopMeasurement()
    await supervisor.stop()
  }
}

/// Types a letter into a field, and measures until the update that answers it.
///
/// - Parameter steps: the number of steps kept for a crash report.
@MainActor private func eventToUpdate(_ benchmark: Benchmark, sessions: Int = 1, steps: Int = 200) async throws {
  var options = makeOptions(["scenes", "hello"])
  options.steps = steps
  let pool = try HostPool(options)
  let keepers = try await makeSessions(sessions, in: pool)
  for number in benchmark.scaledIterations {
    let keeper = keepers[number % keepers.count]
    let target = Event.ElementReference(node: keeper.presentation.top?.node ?? 0, element: "text")
    for letters in 0..<warmUps {
      _ = try await keeper.connection.send(.edit(target, text: String(repeating: "x", count: letters)))
    }
    benchmark.startMeasurement()
    _ = try await keeper.connection.send(.edit(target, text: "typed"))
    benchmark.stopMeasurement()
  }
  await pool.stop()
}

/// Measures from a segmentation fault, with the runtime's crash report, to the same screen from the next host.
@MainActor private func crashToUpdate(_ benchmark: Benchmark, keepsSpare: Bool = false) async throws {
  let folder = FileManager.default.temporaryDirectory.path + "/gangway-bench-plugins-\(getpid())"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let extra = [try await buildPlugin("ExtraOne", in: folder), try await buildPlugin("ExtraTwo", in: folder)]
  var options = makeOptions(["scenes", "hello", "clock"] + extra)
  options.keepsSpare = keepsSpare
  options.spareDelay = .milliseconds(10)
  let supervisor = try Supervisor(options)
  _ = try await supervisor.start()
  let target = Event.ElementReference(node: supervisor.presentation.top?.node ?? 0, element: "text")
  _ = try await supervisor.send(.edit(target, text: "typed"))
  let before = supervisor.presentation.plainText
  for _ in benchmark.scaledIterations {
    while keepsSpare, supervisor.pool.spareProcessID == nil { try await Task.sleep(for: .milliseconds(5)) }
    guard let host = supervisor.hostProcessID else { return benchmark.error("no host") }
    benchmark.startMeasurement()
    await supervisor.nextStart { _ = kill(host, SIGSEGV) }
    benchmark.stopMeasurement()
    guard supervisor.presentation.plainText == before else { return benchmark.error("the screen moved") }
    // The crashing host writes its report meanwhile. Wait for its end, so that reports do not pile up on two cores.
    while kill(host, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
  }
  await supervisor.stop()
}

/// The number of events before a measured one. The first events prepare data for all later ones.
let warmUps = 20

/// Builds a plugin with a tab of one screen.
///
/// - Parameters:
///   - home: the source of `Home`, the screen, and its types.
func buildPlugin(
  _ name: String, in folder: String, home: String = "struct Home: Screen { var body: some Content { Text(\"home\") } }"
) async throws -> String {
  try await buildPlugin(
    name, in: folder,
    source: """
      import Gangway
      import Observation
      final class \(name): Plugin {
        static let id = "\(name.lowercased())", version = "1.0.0"
        func register(in registry: Registrar) { registry.tab("main", title: "\(name)") { _ in Flow() } }
      }
      final class Flow: StackCoordinator {
        enum Route: NavigationRoute { case home }
        let start = Route.home
        func destination(for route: Route) -> Destination { .screen { Home() } }
      }
      \(home)
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(\(name).self) }
      """)
}

/// Builds a plugin from a source.
func buildPlugin(_ name: String, in folder: String, source: String) async throws -> String {
  let library = "\(folder)/lib\(name).so"
  try source.write(toFile: "\(folder)/\(name).swift", atomically: true, encoding: .utf8)
  let result = try await Subprocess.run(
    .name("swiftc"),
    arguments: [
      "-O", "-emit-library", "-o", library, "\(folder)/\(name).swift", "-module-name", name, "-swift-version", "6",
      "-parse-as-library", "-I", builtFolder + "/Modules", "-L", builtFolder, "-lGangway",
    ], output: .string(limit: 1 << 16), error: .combinedWithOutput)
  guard result.terminationStatus.isSuccess else { throw BuildFailed(description: result.standardOutput) }
  return library
}

private struct BuildFailed: Error, CustomStringConvertible { let description: String }
