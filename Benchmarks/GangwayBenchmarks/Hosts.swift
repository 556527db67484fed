import Benchmark
import FoundationEssentials
import GangwayHost
import GangwayProtocol
import GangwaySupervisor
import Glibc
import Subprocess

func hostBenchmarks() {
  benchmark("host start to first update, 3 plugins", seconds: 8, iterations: 100) { try await hostStart($0) }
  benchmark("event to update, under the supervisor", seconds: 5, iterations: 1_000) { try await eventToUpdate($0) }
  benchmark("crash to first update of the next host, 5 plugins", seconds: 30, iterations: 100) {
    try await crashToUpdate($0)
  }
}

/// The folder of the built host: that of this program.
let builtFolder: String = {
  let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
  return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
}()

@MainActor private func makeSupervisor(_ plugins: [String]) throws -> Supervisor {
  let folder = FileManager.default.temporaryDirectory.path + "/gangway-bench-\(getpid())"
  var options = SupervisorOptions(host: builtFolder + "/gangway-host", logFolder: folder)
  options.plugins = plugins
  return try Supervisor(options)
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

@MainActor private func eventToUpdate(_ benchmark: Benchmark) async throws {
  let supervisor = try makeSupervisor(["scenes", "hello"])
  _ = try await supervisor.start()
  let target = Event.ElementReference(node: supervisor.presentation.top?.node ?? 0, element: "text")
  var text = ""
  for _ in benchmark.scaledIterations {
    text = text.count > 20 ? "" : text + "x"
    benchmark.startMeasurement()
    _ = try await supervisor.send(.edit(target, text: text))
    benchmark.stopMeasurement()
  }
  await supervisor.stop()
}

/// A segmentation fault, with the runtime's crash report written, to the same screen from the next host.
@MainActor private func crashToUpdate(_ benchmark: Benchmark) async throws {
  let folder = FileManager.default.temporaryDirectory.path + "/gangway-bench-plugins-\(getpid())"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let extra = [try await buildPlugin("ExtraOne", in: folder), try await buildPlugin("ExtraTwo", in: folder)]
  let supervisor = try makeSupervisor(["scenes", "hello", "clock"] + extra)
  _ = try await supervisor.start()
  let target = Event.ElementReference(node: supervisor.presentation.top?.node ?? 0, element: "text")
  _ = try await supervisor.send(.edit(target, text: "typed"))
  let before = supervisor.presentation.plainText
  for _ in benchmark.scaledIterations {
    guard let host = supervisor.hostProcessID else { return benchmark.error("no host") }
    benchmark.startMeasurement()
    await supervisor.nextStart { _ = kill(host, SIGSEGV) }
    benchmark.stopMeasurement()
    guard supervisor.presentation.plainText == before else { return benchmark.error("the screen moved") }
    // The dying host writes its report meanwhile; it is let finish, so that reports do not pile up on two cores.
    while kill(host, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
  }
  await supervisor.stop()
}

/// Builds a small plugin with a tab.
func buildPlugin(_ name: String, in folder: String, source: String? = nil) async throws -> String {
  let source =
    source ?? """
      import Gangway
      final class \(name): Plugin {
        static let id = "\(name.lowercased())", version = "1.0.0"
        func register(in registry: Registrar) { registry.tab("main", title: "\(name)") { _ in Flow() } }
      }
      final class Flow: StackCoordinator {
        enum Route: NavigationRoute { case home }
        let start = Route.home
        func destination(for route: Route) -> Destination { .screen { Home() } }
      }
      struct Home: Screen { var body: some Content { Text("home") } }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(\(name).self) }
      """
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
