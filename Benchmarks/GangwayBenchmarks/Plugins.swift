import Benchmark
import FoundationEssentials
@_spi(Measuring) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc
import Subprocess

/// The time of a part of a benchmark. The harness would measure the whole.

func pluginBenchmarks() {
  benchmark("load and register a verified plugin", seconds: 20, iterations: 60, metrics: [nanoseconds]) {
    try await load($0)
  }
  benchmark("bare dlopen and dlsym of the same file", seconds: 20, iterations: 60, metrics: [nanoseconds]) {
    try await open($0)
  }
  benchmark(
    "checks before loading; the bar is 20 µs plus 20 ns per dynamic symbol", seconds: 5, iterations: 20,
    metrics: [.custom("permille")]
  ) { try await check($0) }
  benchmark("first screen with 1 plugin installed", seconds: 20, iterations: 60) {
    try await firstScreen($0, 1)
  } teardown: {
    installation = nil
  }
  benchmark("first screen with 300 plugins installed", seconds: 20, iterations: 60) {
    try await firstScreen($0, 300)
  } teardown: {
    installation = nil
  }
  benchmark("first screen with 1000 plugins installed", seconds: 20, iterations: 60) {
    try await firstScreen($0, 1_000)
  } teardown: {
    installation = nil
  }
  benchmark("gangway check of 300 plugins", seconds: 20, iterations: 20) {
    try await checkProduct($0, 300)
  } teardown: {
    installation = nil
  }
  benchmark("reload of a built plugin", seconds: 20, iterations: 40) { try await reload($0) }
}

/// A folder that is deleted after the benchmark.
private final class Scratch {
  let path = FileManager.default.temporaryDirectory.path + "/gangway-bench-\(UUID().uuidString)"
  init() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Makes a copy that no process has opened yet.
  func copy(_ file: String, _ name: String) throws -> String {
    let copy = "\(path)/\(name)"
    try FileManager.default.copyItem(atPath: file, toPath: copy)
    return copy
  }
}

@MainActor private func load(_ benchmark: Benchmark) async throws {
  let scratch = try Scratch()
  for number in benchmark.scaledIterations {
    let file = try scratch.copy(builtFolder + "/libClock.so", "libClock\(number).so")
    guard let time = await LoadMeasurement.load(file, host: builtFolder + "/gangway-host") else {
      return benchmark.error("refused")
    }
    benchmark.measurement(nanoseconds, Int(time / .nanoseconds(1)))
  }
}

@MainActor private func open(_ benchmark: Benchmark) async throws {
  let scratch = try Scratch()
  for number in benchmark.scaledIterations {
    let file = try scratch.copy(builtFolder + "/libClock.so", "libBare\(number).so")
    guard let time = await LoadMeasurement.open(file, host: builtFolder + "/gangway-host") else {
      return benchmark.error("refused")
    }
    benchmark.measurement(nanoseconds, Int(time / .nanoseconds(1)))
  }
}

@MainActor private func check(_ benchmark: Benchmark) async throws {
  for _ in benchmark.scaledIterations {
    guard let (each, symbols) = LoadMeasurement.check(builtFolder + "/libBlither.so", times: 200) else {
      return benchmark.error("refused")
    }
    let bar = Duration.microseconds(20) + .nanoseconds(20) * symbols
    benchmark.measurement(.custom("permille"), Int(each / bar * 1000))
  }
}

/// Many plugins, installed once for all iterations.
private struct Installation {
  let scratch: Scratch
  let options: SupervisorOptions
}
@MainActor private var installation: Installation?

/// Measures the start up to the first plugin's screen, with other plugins installed but not used.
///
/// Each of them has a place and two links, and every tenth also a tab.
@MainActor private func firstScreen(_ benchmark: Benchmark, _ count: Int) async throws {
  if installation == nil { installation = try await install(count) }
  guard let installation else { return }
  for _ in benchmark.scaledIterations {
    let supervisor = try Supervisor(installation.options)
    benchmark.startMeasurement()
    _ = try await supervisor.start()
    benchmark.stopMeasurement()
    guard supervisor.presentation.plainText.contains("home") else {
      return benchmark.error(supervisor.presentation.plainText)
    }
    await supervisor.stop()
  }
}

/// Measures `gangway check` over plugins that it has examined before.
@MainActor private func checkProduct(_ benchmark: Benchmark, _ count: Int) async throws {
  if installation == nil { installation = try await install(count) }
  guard let installation, let folder = installation.options.launch.folders.first else { return }
  let arguments = ["check", "--host", installation.options.host, "--plugins-dir", folder]
  for _ in benchmark.scaledIterations {
    benchmark.startMeasurement()
    let result = try await Subprocess.run(
      .path(.init(builtFolder + "/gangway")), arguments: Arguments(arguments),
      environment: .inherit.updating(["XDG_CACHE_HOME": installation.scratch.path + "/cache"]),
      output: .discarded, error: .string(limit: 1 << 16))
    benchmark.stopMeasurement()
    guard case .exited(0) = result.terminationStatus, result.standardError.contains("\(count) plugins") else {
      return benchmark.error(result.standardError)
    }
  }
}

@MainActor private func install(_ count: Int) async throws -> Installation {
  let scratch = try Scratch()
  let folder = scratch.path + "/plugins"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  let libraries = [
    try Template(file: try await buildPlugin("Tabbed", in: scratch.path, source: source(hasTab: true))),
    try Template(file: try await buildPlugin("Plain", in: scratch.path, source: source(hasTab: false))),
  ]
  for number in 0..<count {
    let text = String(number)
    let id = "benchmarked-plugin-" + String(repeating: "0", count: 4 - text.count) + text
    let library = libraries[number % 10 == 0 ? 0 : 1]
    try library.contents(naming: id).write(to: URL(filePath: "\(folder)/lib\(id).so"))
  }
  var options = SupervisorOptions(host: scratch.path + "/host/gangway-host", logFolder: scratch.path + "/log")
  // A host without sample plugins beside it.
  try FileManager.default.createDirectory(atPath: scratch.path + "/host", withIntermediateDirectories: true)
  for file in ["gangway-host", "libGangway.so"] {
    try FileManager.default.copyItem(atPath: "\(builtFolder)/\(file)", toPath: "\(scratch.path)/host/\(file)")
  }
  options.launch.folders = [folder]
  options.environment = ["XDG_CACHE_HOME": scratch.path + "/cache"]
  // The first supervisor probes the files. After two more seconds, their times are not in doubt.
  let first = try Supervisor(options)
  _ = try await first.start()
  await first.stop()
  try await Task.sleep(for: .milliseconds(2_100))
  let second = try Supervisor(options)
  _ = try await second.start()
  await second.stop()
  return Installation(scratch: scratch, options: options)
}

/// A built library that becomes many, each with its own id instead of the built one.
private struct Template {
  private let library: Data
  private let places: [Range<Int>]

  init(file: String) throws {
    library = try Data(contentsOf: URL(filePath: file))
    let id = Data("benchmarked-plugin-wxyz".utf8)
    var places: [Range<Int>] = []
    while let next = library.firstRange(of: id, in: (places.last?.upperBound ?? 0)..<library.count) {
      places.append(next)
    }
    self.places = places
  }

  func contents(naming id: String) -> Data {
    var contents = library
    for place in places { contents.replaceSubrange(place, with: Data(id.utf8)) }
    return contents
  }
}

private func source(hasTab: Bool) -> String {
  """
  import Gangway
  final class Benchmarked: Plugin {
    static let id = "benchmarked-plugin-wxyz", version = "1.0.0"
    func register(in registry: Registrar) {
      registry.place("place") { (_: Int) in Flow() }
      registry.link("benchmarked-plugin-wxyz/place/:id", place: "place", taking: Int.self)
      registry.link("benchmarked-plugin-wxyz/other/:id", place: "place", taking: Int.self)
      \(hasTab ? "registry.tab(\"main\", title: \"benchmarked-plugin-wxyz\") { _ in Flow() }" : "")
    }
  }
  final class Flow: StackCoordinator {
    enum Route: NavigationRoute { case home }
    let start = Route.home
    func destination(for route: Route) -> Destination { .screen { Home() } }
  }
  struct Home: Screen { var body: some Content { Text("home") } }
  @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Benchmarked.self) }
  """
}

/// Measures the reload of a new file, as after a build: it is examined, probed, and loaded in a new host.
@MainActor private func reload(_ benchmark: Benchmark) async throws {
  let scratch = try Scratch()
  let installed = try scratch.copy(builtFolder + "/libScenes.so", "libScenes.so")
  var options = SupervisorOptions(host: builtFolder + "/gangway-host", logFolder: scratch.path + "/log")
  options.launch.plugins = [installed, "hello", "clock"]
  options.environment = ["XDG_CACHE_HOME": scratch.path + "/cache"]
  let supervisor = try Supervisor(options)
  _ = try await supervisor.start()
  let target = Event.ElementReference(node: supervisor.presentation.top?.node ?? 0, element: "text")
  _ = try await supervisor.send(.edit(target, text: "typed"))
  let before = supervisor.presentation.plainText
  for number in benchmark.scaledIterations {
    let next = try scratch.copy(builtFolder + "/libScenes.so", "next\(number)")
    rename(next, installed)
    benchmark.startMeasurement()
    _ = try await supervisor.reload("scenes")
    benchmark.stopMeasurement()
    guard supervisor.presentation.plainText == before else { return benchmark.error("the screen moved") }
  }
  await supervisor.stop()
}
