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

/// Keys in a list of 100,000 todos.
func todoBenchmarks() {
  benchmark("Down in 100000 todos", seconds: 30, iterations: 1, metrics: [nanoseconds]) { benchmark in
    try await withTodos { app, todos in
      // Each press scrolls the list by a row, once the selection is at the last visible one.
      @MainActor func firstHidden() -> Int { todos.words.firstIndex { !app.terminal.hasShown($0) } ?? 0 }
      let hidden = firstHidden()
      for _ in 0..<100 where !app.terminal.hasShown(todos.words[hidden]) { try await app.press("\u{1b}OB") }
      try await Task.sleep(for: .milliseconds(500))
      let next = firstHidden()
      for number in next..<next + 500 {
        benchmark.measurement(nanoseconds, try await app.time("\u{1b}OB", until: todos.words[number]))
      }
    }
  }
  benchmark("search in 100000 todos, per key", seconds: 30, iterations: 1, metrics: [nanoseconds]) { benchmark in
    try await withTodos { app, todos in
      for search in todos.searches(34) {
        try await app.press("/")
        for (letter, result) in zip(search.letters, search.results) {
          benchmark.measurement(nanoseconds, try await app.time("\(letter)", until: result))
        }
        _ = try await app.time("\u{1b}", until: todos.words[0])
      }
    }
  }
  let jump = "jump to the end of 100000 todos, terminal"
  benchmark(jump, seconds: 30, iterations: 1, metrics: [nanoseconds]) { benchmark in
    try await withTodos { app, todos in
      for _ in 0..<20 {
        benchmark.measurement(nanoseconds, try await app.time("\u{1b}OF", until: "LATEST"))
        _ = try await app.time("\u{1b}OH", until: "FIRSTS")
      }
    }
  }
  benchmark("key after a paste of 1 MB", seconds: 30, iterations: 1, metrics: [nanoseconds]) { benchmark in
    for _ in 0..<5 {
      try await withApp { app in
        app.terminal.type(Array("\u{1b}[200~\(String(repeating: "paste me ", count: 111_111))\u{1b}[201~".utf8))
        try await app.await("paste me")
        // The feature has the text.
        try await Task.sleep(for: .seconds(2))
        for letter in ["#", "%", "@"] {
          benchmark.measurement(nanoseconds, try await app.time(letter, until: letter))
          try await Task.sleep(for: .milliseconds(500))
        }
      }
    }
  }
}

@MainActor private func withTodos(_ body: (App, ManyTodos) async throws -> Void) async throws {
  let todos = try await ManyTodos()
  let app = try App(todos)
  let ended = app.start()
  try await app.await("FIRSTS")
  try await Task.sleep(for: .milliseconds(500))
  try await body(app, todos)
  await app.quit(ended)
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
  private let todos: ManyTodos?

  /// - Parameter todos: the todos of the app; nil for an app with the sample plugins.
  init(_ todos: ManyTodos? = nil) throws {
    self.todos = todos
    terminal = try PseudoTerminal(columns: 120, rows: 40)
    folder = FileManager.default.temporaryDirectory.path + "/gangway-bench-\(UUID().uuidString)"
  }

  func start() -> Task<TerminationStatus?, Never> {
    if let todos {
      let arguments = ["run", "--fresh", "--open", "gangway://todos/lists/all"] + todos.options
      return terminal.run(Workshop.built + "/gangway", arguments, todos.environment)
    }
    return terminal.run(
      Workshop.built + "/gangway", ["run"],
      ["XDG_STATE_HOME": folder + "/state", "XDG_DATA_HOME": folder + "/data"])
  }

  /// Waits in steps, because the code that starts the program runs on this actor too.
  func await(_ text: String) async throws {
    let patience = Patience(.seconds(20))
    while !terminal.hasShown(text) {
      guard !patience.hasEnded else { throw NeverShown(text: text) }
      try await Task.sleep(for: .microseconds(50))
    }
  }

  /// Presses a key, and waits a moment.
  func press(_ key: String) async throws {
    terminal.type(Array(key.utf8))
    try await Task.sleep(for: .milliseconds(20))
  }

  /// Returns the nanoseconds from a key to a drawn text.
  func time(_ key: String, until texts: String...) async throws -> Int { try await time(key, until: texts) }

  /// Returns the nanoseconds from a key to the first of some drawn texts.
  func time(_ key: String, until texts: [String]) async throws -> Int {
    _ = terminal.take()
    let patience = Patience(.seconds(20))
    let start = ContinuousClock.now
    terminal.type(Array(key.utf8))
    while !texts.contains(where: terminal.hasShown) {
      guard !patience.hasEnded else { throw NeverShown(text: texts.joined(separator: ", ")) }
      // The app needs both cores.
      usleep(200)
    }
    let time = ContinuousClock.now - start
    // The next key comes when everything is drawn.
    try await Task.sleep(for: .milliseconds(30))
    return Int(time / .nanoseconds(1))
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
