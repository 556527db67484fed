import Benchmark
import FoundationEssentials
import Glibc
import Subprocess
@_spi(FrontEnd) import TestSupport

private let bytesWritten = BenchmarkMetric.custom("bytes")
private let kilobytes = BenchmarkMetric.custom("kilobytes")
private let ticks = BenchmarkMetric.custom("ticks")

func terminalBenchmarks() {
  benchmark("exec to first drawn screen", seconds: 10, iterations: 50) { benchmark in
    for _ in benchmark.scaledIterations {
      let app = try App()
      benchmark.startMeasurement()
      let ended = app.start()
      try await app.await("Go to Scene 2")
      benchmark.stopMeasurement()
      await app.quit(ended)
    }
  }
  benchmark("key to drawn screen", seconds: 10, iterations: 500) { benchmark in
    try await withApp { app in
      for number in benchmark.scaledIterations {
        // Keep the field short: type a letter, then delete it.
        let letter = UInt8(ascii: "a") + UInt8(number % 16)
        benchmark.startMeasurement()
        app.terminal.type([letter])
        // Waits without sleep, because the app does not need this actor.
        guard app.terminal.shows(String(Unicode.Scalar(letter))) else { throw App.NeverShown(text: "the letter") }
        benchmark.stopMeasurement()
        app.terminal.type([127])
        try await Task.sleep(for: .milliseconds(10))
        _ = app.terminal.take()
      }
    }
  }
  benchmark("bytes for a push at 120x40", seconds: 10, iterations: 20, metrics: [bytesWritten]) { benchmark in
    try await withApp { app in
      for _ in benchmark.scaledIterations {
        app.terminal.type(Array("\t\r".utf8))
        try await app.await("typed")
        try await Task.sleep(for: .milliseconds(30))
        benchmark.measurement(bytesWritten, app.terminal.take().count)
        app.terminal.type([27])
        try await app.await("Open Scene 3")
        app.terminal.type(Array("\u{1b}[Z".utf8))
        try await Task.sleep(for: .milliseconds(50))
        _ = app.terminal.take()
      }
    }
  }
  for (name, isHost) in [("resident memory of the front end", false), ("resident memory of the host", true)] {
    benchmark(name, seconds: 5, iterations: 3, metrics: [kilobytes]) { benchmark in
      try await withApp { app in
        for _ in benchmark.scaledIterations {
          benchmark.measurement(kilobytes, app.resident(isHost ? app.host : app.frontEnd))
        }
      }
    }
  }
  benchmark("processor ticks in two idle seconds", seconds: 8, iterations: 2, metrics: [ticks]) { benchmark in
    try await withApp { app in
      try await Task.sleep(for: .seconds(1))
      for _ in benchmark.scaledIterations {
        let before = app.ticks(app.frontEnd) + app.ticks(app.host)
        try await Task.sleep(for: .seconds(2))
        benchmark.measurement(ticks, app.ticks(app.frontEnd) + app.ticks(app.host) - before)
      }
    }
  }
}

@MainActor private func withApp(_ body: (App) async throws -> Void) async throws {
  let app = try App()
  let ended = app.start()
  try await app.await("Go to Scene 2")
  try await Task.sleep(for: .milliseconds(200))
  _ = app.terminal.take()
  try await body(app)
  await app.quit(ended)
}

/// `gangway run` with the sample plugins in a terminal of 120×40.
@MainActor private final class App {
  struct NeverShown: Error { let text: String }

  let terminal: PseudoTerminal
  private let folder: String

  init() throws {
    terminal = try PseudoTerminal(columns: 120, rows: 40)
    folder = FileManager.default.temporaryDirectory.path + "/gangway-bench-\(UUID().uuidString)"
  }

  func start() -> Task<TerminationStatus?, Never> {
    terminal.run(
      Workshop.built + "/gangway", ["run"],
      ["XDG_STATE_HOME": folder + "/state", "XDG_DATA_HOME": folder + "/data"])
  }

  /// Waits in steps, because the code that starts the program runs on this actor too.
  func await(_ text: String) async throws {
    for _ in 0..<20_000 {
      if terminal.hasShown(text) { return }
      try await Task.sleep(for: .microseconds(50))
    }
    throw NeverShown(text: text)
  }

  func quit(_ ended: Task<TerminationStatus?, Never>) async {
    if frontEnd > 0 { kill(frontEnd, SIGTERM) }
    _ = await ended.value
    try? FileManager.default.removeItem(atPath: folder)
  }

  var frontEnd: Int32 { children(of: getpid()).first { process in !children(of: process).isEmpty } ?? -1 }
  var host: Int32 { children(of: frontEnd).first ?? -1 }

  func resident(_ process: Int32) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }

  /// Returns the processor time of a process, in hundredths of a second.
  func ticks(_ process: Int32) -> Int {
    let fields = ((try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? "").split(separator: " ")
    guard fields.count > 15 else { return 0 }
    return (Int(fields[13]) ?? 0) + (Int(fields[14]) ?? 0)
  }
}
