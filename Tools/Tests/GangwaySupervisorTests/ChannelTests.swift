import Foundation
import GangwayProtocol
import Synchronization
import TestSupport
import Testing

@testable import GangwaySupervisor

/// What a plugin does to descriptors, processes and the protocol itself is its own affair.
@MainActor @Suite struct ChannelTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func forger(_ change: (inout SupervisorOptions) -> Void = { _ in }) async throws -> Supervisor {
    let supervisor = try workshop.supervisor(
      [try await workshop.plugin("Forger", Self.source), Workshop.built + "/libScenes.so"], change)
    _ = try await supervisor.start()
    return supervisor
  }

  /// Everything that a host may say, and lines that are nothing.
  private nonisolated static let lines = [
    #"{"type":"error","error":{"code":"plugins","message":"forged"}}"#,
    #"{"type":"hello","protocol":{"major":9,"minor":0},"pid":1}"#,
    #"{"type":"update","session":"main","update":{"revision":99,"pending":[],"notices":[],"checkpoint":{"changed":[],"removed":[1,2,3,4,5,6],"nextNode":1}}}"#,
    "no message at all", "\u{1}",
  ]

  /// Whether a thread may have a table of descriptors of its own here: some containers forbid it.
  private nonisolated static let canSeparate: Bool = {
    typealias Unshare = @convention(c) (CInt) -> CInt
    guard let symbol = dlsym(nil, "unshare") else { return false }
    let unshare = unsafeBitCast(symbol, to: Unshare.self)
    let answer = Mutex(false)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      answer.withLock { $0 = unshare(0x400) == 0 }
      done.signal()
    }
    thread.start()
    done.wait()
    return answer.withLock(\.self)
  }()

  /// Where all threads have to share one table, the app runs as ever.
  @Test func withoutTablesOfTheirOwnHostsWorkAllTheSame() async throws {
    let supervisor = try await forger { $0.environment["GANGWAY_SHARED_DESCRIPTORS"] = "1" }
    let host = try #require(supervisor.hostProcessID)
    await supervisor.nextStart { kill(host, SIGSEGV) }
    try await supervisor.tab("Scenes")
    try await supervisor.shows("Go to Scene 2")
    await supervisor.stop()
  }

  @Test(.enabled(if: canSeparate), arguments: ["/proc/self/fd", "/proc/self/task"])
  func whatAPluginWritesToAnyDescriptorIsNoMessage(_ place: String) async throws {
    let text = workshop.path("lines")
    try Self.lines.joined(separator: "\n").appending("\n").write(toFile: text, atomically: true, encoding: .utf8)
    let supervisor = try await forger { $0.environment["FORGED_LINES"] = text }
    let host = supervisor.hostProcessID
    let before = supervisor.checkpoint
    try await supervisor.tap("Write \(place)")
    try await supervisor.shows("Written to ")
    // An answer that comes after whatever was written.
    _ = try await supervisor.tree()
    #expect(supervisor.hostProcessID == host)
    #expect(supervisor.checkpoint.records.keys == before.records.keys)
    try await supervisor.tab("Scenes")
    try await supervisor.shows("Go to Scene 2")
    await supervisor.stop()
  }

  @Test(.enabled(if: canSeparate), arguments: ["Close all", "Replace all"])
  func aPluginThatTakesAllDescriptorsAwayTakesNobodysChannel(_ way: String) async throws {
    let supervisor = try await forger()
    let host = supervisor.hostProcessID
    var told = try await supervisor.tap(way).notices.map(\.text)
    supervisor.onUpdate = { told += $0.notices.map(\.text) }
    told += try await supervisor.tab("Scenes").notices.map(\.text)
    if supervisor.hostProcessID != host || !told.isEmpty {
      // The descriptors of libdispatch are the process's: without them it may crash, as any code may; the channel said so.
      try await eventually { told.contains { $0.contains("stopped") } }
      #expect(!told.contains { $0.contains("signal 9") }, "\(told)")
      try await supervisor.tab("Scenes")
    }
    try await supervisor.shows("Go to Scene 2")
    await supervisor.stop()
  }

  /// A child that keeps everything it inherited open, in a session of its own.
  @Test func aHostsEndIsKnownAlthoughAChildOfItsPluginLivesAndTheChildGoesToo() async throws {
    let pid = workshop.path("pid")
    let supervisor = try await forger { $0.environment["CHILD_FILE"] = pid }
    try await supervisor.tap("Start a daemon")
    try await eventually { (try? String(contentsOfFile: pid, encoding: .utf8))?.hasSuffix("\n") == true }
    let child = try #require(pid_t(String(contentsOfFile: pid, encoding: .utf8).dropLast()))
    #expect(kill(child, 0) == 0)
    let host = try #require(supervisor.hostProcessID)
    let start = ContinuousClock.now
    await supervisor.nextStart { kill(host, SIGKILL) }
    #expect(ContinuousClock.now - start < .seconds(5))
    try await supervisor.shows("Start a daemon")
    try await eventually { kill(child, 0) != 0 }
    await supervisor.stop()
  }

  /// What the host itself would never say ends the host, is told, and takes nothing along.
  private nonisolated static let impossible: [(name: String, line: String, reason: String?)] = [
    ("the end of its session", #"{"type":"closed","session":"main"}"#, nil),
    ("another session", lines[2].replacingOccurrences(of: "main", with: "other"), "told of a session 'other'"),
    ("no tree", lines[2], "told of a tree that is none"),
    ("a second hello", lines[1], "said hello twice"),
    ("no plugins", lines[0], "said that it cannot begin"),
    ("no message", lines[3], "said what is no message"),
  ]

  @Test(arguments: impossible)
  func whatNoHostSaysEndsTheHostAlone(_ name: String, _ line: String, _ reason: String?) async throws {
    let flag = workshop.path("flag")
    let wrapper = try workshop.host(saying: line, when: flag)
    let supervisor = try workshop.supervisor([Workshop.built + "/libScenes.so"]) { $0.host = wrapper }
    _ = try await supervisor.start()
    await supervisor.listed()
    try await supervisor.type("kept", into: "Text")
    var failure: SupervisorFailure?
    supervisor.onFailure = { failure = $0 }
    var told: [String] = []
    supervisor.onUpdate = { told += $0.notices.map(\.text) }
    let host = supervisor.hostProcessID
    try Data().write(to: URL(fileURLWithPath: flag))
    // A line that comes before the answer ends the host while it handles the press: then the answer tells of it.
    told += try await supervisor.tap("Go to Scene 2").notices.map(\.text)
    if let reason {
      try await eventually { told.contains { $0.contains(reason) } }
      #expect(supervisor.hostProcessID != host)
    }
    #expect(failure == nil)
    // On the second screen, or, where the press was lost with the host, in the field of the first.
    try await supervisor.shows("kept")
    _ = try await supervisor.tree()
    await supervisor.stop()
  }

  private static let source = """
    import Foundation
    import Gangway
    import Glibc
    import Observation

    @Observable final class Forger: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      var said = ""
      func destination(for route: Route) -> Destination { .screen { ForgerScreen(forger: self) } }
    }
    struct ForgerScreen: Screen {
      let forger: Forger
      var body: some Content {
        Text(forger.said)
        Button("Write /proc/self/fd") { forger.said = "Written to \\(writeAll(in: "/proc/self/fd"))" }
        Button("Write /proc/self/task") {
          let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
          forger.said = "Written to \\(tasks.map { writeAll(in: "/proc/self/task/\\($0)/fd") }.reduce(0, +))"
        }
        Button("Close all") { for number in Int32(0)...1023 { close(number) } }
        Button("Replace all") {
          let null = open("/dev/null", O_RDWR)
          for number in Int32(0)...1023 where number != null && fcntl(number, F_GETFD) >= 0 { dup2(null, number) }
        }
        Button("Start a daemon") { startDaemon() }
      }
    }
    func writeAll(in folder: String) -> Int {
      let bytes = FileManager.default.contents(atPath: getenv("FORGED_LINES").map { String(cString: $0) } ?? "") ?? Data()
      var count = 0
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        guard let number = Int32(name), number != 2 else { continue }
        let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)) ?? ""
        guard target.hasPrefix("pipe:") || target.hasPrefix("socket:") || target.hasPrefix("/dev/") else { continue }
        var written = folder == "/proc/self/fd" ? bytes.withUnsafeBytes { write(number, $0.baseAddress, $0.count) } : -1
        if written <= 0 {
          let file = open(folder + "/" + name, O_WRONLY | O_NONBLOCK)
          if file >= 0 {
            written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            close(file)
          }
        }
        if written > 0 { count += 1 }
      }
      return count
    }
    func startDaemon() {
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      posix_spawnattr_setflags(&attributes, 0x80)
      let file = getenv("CHILD_FILE").map { String(cString: $0) } ?? ""
      var arguments: [UnsafeMutablePointer<CChar>?] = [
        strdup("/bin/sh"), strdup("-c"), strdup("echo $$ > \\(file); exec sleep 600"), nil,
      ]
      var process: pid_t = 0
      posix_spawn(&process, "/bin/sh", nil, &attributes, &arguments, environ)
    }
    final class ForgerPlugin: Plugin {
      static let id = "forger", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Forger", order: 1) { _ in Forger() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ForgerPlugin.self) }
    """
}
