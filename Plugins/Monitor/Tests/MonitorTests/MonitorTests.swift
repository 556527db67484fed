import Foundation
import Gangway
import GangwayTesting
import Glibc
import Testing

@testable import Monitor

/// A folder like `/proc` for a test.
@MainActor final class Machine {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "monitor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try set(busy: 100, idle: 900, received: 1_000)
    try write("meminfo", "MemTotal: 8000 kB\nMemFree: 10 kB\nMemAvailable: 6000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n")
    try write("loadavg", "0.52 0.40 0.30 1/200 4321\n")
    try write("uptime", "93784.12 1.00\n")
    try write(
      "diskstats", "8 0 sda 10 0 200 0 5 0 100 0 0 0 0\n8 1 sda1 10 0 200 0 5 0 100 0 0 0 0\n7 0 loop0 1 0 9 0 1 0 9\n")
    try write("mounts", "overlay / overlay rw 0 0\nproc /proc proc rw 0 0\n")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var proc: ProcFolder { ProcFolder(folder.path) }

  func write(_ name: String, _ text: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func set(busy: Int, idle: Int, received: Int) throws {
    try write("stat", "cpu  \(busy) 0 0 \(idle) 0 0 0 0 0 0\ncpu0 1 0 0 1 0\ncpu1 1 0 0 1 0\nintr 1\n")
    try write(
      "net/dev",
      "Inter-| Receive | Transmit\n face |bytes\n    lo: 77 0 0 0 0 0 0 0 77 0\n"
        + "  eth0: \(received) 1 0 0 0 0 0 0 500 1 0\n")
  }

  func setProcess(_ id: Int, _ name: String, ticks: Int = 10, start: Int = 5, pages: Int = 100) throws {
    let fields = ["S", "1"] + Array(repeating: "0", count: 9) + ["\(ticks)", "0"] + Array(repeating: "0", count: 6)
    try write(
      "\(id)/stat", "\(id) (\(name)) " + (fields + ["\(start)", "0", "\(pages)"]).joined(separator: " ") + "\n")
    try write("\(id)/cmdline", "/usr/bin/\(name)\0--flag\0")
  }

  func removeProcess(_ id: Int) throws { try FileManager.default.removeItem(at: folder.appending(path: "\(id)")) }
}

@MainActor @Suite struct ReadingTests {
  private let machine: Machine

  init() throws { machine = try Machine() }

  @Test func whatTheKernelSaysIsRead() throws {
    let reading = SystemReading(machine.proc)
    #expect((reading.busy, reading.idle, reading.processors) == (100, 900, 2))
    #expect((reading.memory, reading.availableMemory) == (8_192_000, 6_144_000))
    // The loopback device, loop devices and partitions do not count.
    #expect((reading.received, reading.sent) == (1_000, 500))
    #expect((reading.read, reading.written) == (102_400, 51_200))
    #expect((reading.load, reading.uptime) == (0.52, 93_784.12))
  }

  @Test func twoReadingsMakeASampleAndACounterThatFellIsNoRise() throws {
    let before = SystemReading(machine.proc)
    try machine.set(busy: 130, idle: 970, received: 5_000)
    let sample = Sample(1, from: before, to: SystemReading(machine.proc), seconds: 2)
    #expect((sample.processor, sample.memory, sample.received, sample.sent) == (30, 25, 2_000, 0))
    try machine.set(busy: 10, idle: 20, received: 3)
    let fallen = Sample(2, from: before, to: SystemReading(machine.proc), seconds: 2)
    #expect((fallen.processor, fallen.received) == (0, 0))
  }

  @Test(arguments: [
    "", "\n\n", "cpu\n", "cpu a b c d e f\n", "MemTotal:\n", "eth0:\n", String(repeating: "9 ", count: 9_999),
  ])
  func whatIsNotThereIsNothing(_ text: String) throws {
    for name in ["stat", "meminfo", "net/dev", "diskstats", "loadavg", "uptime", "mounts"] {
      try machine.write(name, text)
    }
    let reading = SystemReading(machine.proc)
    #expect(Sample(1, from: reading, to: reading, seconds: 0).processor == 0)
    _ = Volume.all(machine.proc)
    #expect(SystemReading(ProcFolder("/nowhere")) == SystemReading())
  }

  @Test(arguments: ["plain", "with space", "a) S 1 2 (b", "((", "))"])
  func aProcessMayHaveAnyName(_ name: String) throws {
    try machine.setProcess(42, name, ticks: 7, start: 99)
    let process = try #require(ProcessReading.all(machine.proc).first)
    #expect((process.id, process.name, process.ticks, process.start) == (42, name, 7, 99))
  }

  @Test(arguments: ["", "1", "1 (", "1 (a", "1 (a)", "1 (a) S", "x (a) S 1" + String(repeating: " 0", count: 30), ")("])
  func whatIsNoProcessIsNone(_ text: String) { #expect(ProcessReading(text) == nil) }

  @Test func thisMachineIsRead() {
    let reading = SystemReading(ProcFolder())
    #expect(reading.memory > 0 && reading.processors > 0)
    #expect(ProcessReading.all(ProcFolder()).contains { $0.id == getpid() })
    #expect(Volume.all(ProcFolder()).contains { $0.id == "/" })
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (UInt64.max, "18447 PB"),
  ])
  func bytesAreReadable(_ count: UInt64, _ words: String) { #expect(Words.bytes(count) == words) }
}

@MainActor @Suite struct MonitorFlowTests {
  private let machine: Machine

  init() throws { machine = try Machine() }

  /// Runs the script that also runs in a host with the loaded library.
  @Test func theScriptRunsInIsolation() async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Scripts/monitor.txt")
    let flow = try await FlowTester(plugins: [MonitorPlugin.self])
    try await flow.run(script: String(contentsOf: script, encoding: .utf8))
  }

  @Test func theMachineIsShownAndItsProcesses() async throws {
    try machine.setProcess(42, "builder")
    try machine.setProcess(43, "keeper", pages: 500)
    let flow = try await FlowTester(MonitorCoordinator(Monitor(machine.proc)))
    try await eventually(flow, "Memory: 2.0 MB of 8.2 MB")
    try await eventually(flow, "Uptime: 1 d 2 h")
    try await flow.tap("Processes")
    try await eventually(flow, "builder")
    try await flow.restart()
    try await eventually(flow, "keeper")
  }

  /// Waits for a reading. A test waits only for work that ends, and readings go on forever.
  private func eventually(_ flow: FlowTester<MonitorCoordinator>, _ text: String) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while !flow.screen.contains(text), ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(20))
      try await flow.settle()
    }
    #expect(flow.screen.contains(text))
  }

  @Test func aProcessIsEndedOnceThatIsConfirmed() async throws {
    let child = try Self.sleeper()
    defer { kill(child, SIGKILL) }
    try machine.write("\(child)/stat", try #require(ProcFolder().text("\(child)/stat")))
    let flow = try await FlowTester(MonitorCoordinator(Monitor(machine.proc)))
    let router = try #require(flow.coordinator).router
    try await router.show(.process(child))
    try await eventually(flow, "PID: \(child)")
    try await flow.tap("End…")
    try await flow.tap("Cancel")
    #expect(kill(child, 0) == 0)
    try await flow.tap("Kill…")
    try await flow.tap("Kill it")
    var status: Int32 = 0
    waitpid(child, &status, 0)
    #expect(status & 0x7f == SIGKILL)
  }

  @Test func oneThatEndedWhileItsQuestionStoodIsLeftAlone() async throws {
    let child = try Self.sleeper()
    defer {
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
    // The process in the question has another start, so another process has the number now.
    try machine.setProcess(Int(child), "old", start: 1)
    let flow = try await FlowTester(MonitorCoordinator(Monitor(machine.proc)))
    try await #require(flow.coordinator).router.show(.process(child))
    try await eventually(flow, "PID: \(child)")
    try await flow.tap("Kill…")
    try machine.setProcess(Int(child), "new", start: 2)
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Kill it") }
    #expect(failure?.message.contains("has already ended") == true)
    #expect(kill(child, 0) == 0)
    try machine.removeProcess(Int(child))
    try await flow.settle()
  }

  @Test(arguments: ["gangway://monitor", "gangway://monitor/processes", "gangway://monitor/processes/1"])
  func eachLinkLeadsWhereItSaysAndBack(_ url: String) async throws {
    let flow = try await FlowTester(plugins: [MonitorPlugin.self])
    try await flow.open(url)
    #expect(flow.url == url)
  }

  @Test func aProcessThatIsNotThereIsSaid() async throws {
    let flow = try await FlowTester(plugins: [MonitorPlugin.self])
    try await flow.open("gangway://monitor/processes/2147483647")
    let end = ContinuousClock.now + .seconds(20)
    while !flow.screen.contains("This process has ended"), ContinuousClock.now < end { try await flow.settle() }
    #expect(flow.screen.contains("This process has ended"))
  }

  private static func sleeper() throws -> pid_t {
    var child: pid_t = 0
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
    defer { for word in words { free(word) } }
    #expect(posix_spawnp(&child, "sleep", nil, nil, &words, environ) == 0)
    return child
  }
}
