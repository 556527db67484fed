import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Plugins that misuse descriptors, processes or the protocol; they cost a restart, but never data.
@MainActor @Suite struct ChannelTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func forger(_ change: (inout SupervisorOptions) -> Void = { _ in }) async throws -> Supervisor {
    let supervisor = try workshop.supervisor(
      [try await workshop.plugin("Forger", Self.source), Workshop.built + "/libScenes.so"], change)
    _ = try await supervisor.start()
    return supervisor
  }

  /// Every kind of message that a host may send, and invalid lines.
  private nonisolated static let lines = [
    #"{"type":"error","error":{"code":"plugins","message":"forged"}}"#,
    #"{"type":"hello","protocol":{"major":9,"minor":0},"pid":1}"#,
    #"{"type":"update","session":"main","update":{"revision":99,"pending":[],"notices":[],"checkpoint":{"changed":[],"removed":[1,2,3,4,5,6],"nextNode":1}}}"#,
    "no message at all", "\u{1}",
  ]

  /// A thread with its own descriptor table passes the table on to every thread that it creates.
  @Test func allThreadsOfAHostShareOneDescriptorTable() async throws {
    let supervisor = try await forger()
    try await supervisor.tab("Scenes")
    try await supervisor.shows("Go to Scene 2")
    let host = try #require(supervisor.hostProcessID)
    try await eventually {
      let tables = try Self.descriptorTables(of: host)
      return tables.count > 2 && Set(tables).count == 1
    }
    await supervisor.stop()
  }

  /// Returns the descriptors that each thread of a process sees.
  private nonisolated static func descriptorTables(of process: Int32) throws -> [[String]] {
    let tasks = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).map { thread in
      try FileManager.default.contentsOfDirectory(atPath: "\(tasks)/\(thread)/fd").sorted()
    }
  }

  /// Plugins of one host trust each other, so forged messages may cost a restart, but no typed text.
  @Test func aPluginThatWritesIntoTheProtocolLosesNothing() async throws {
    let text = workshop.path("lines")
    try Self.lines.joined(separator: "\n").appending("\n").write(toFile: text, atomically: true, encoding: .utf8)
    let supervisor = try await forger { $0.environment["FORGED_LINES"] = text }
    try await supervisor.tab("Scenes")
    try await supervisor.type("kept", into: "Text")
    try await supervisor.tab("Forger")
    let host = supervisor.hostProcessID
    let before = supervisor.checkpoint
    try await supervisor.tap("Write /proc/self/fd")
    try await eventually { supervisor.hostProcessID != nil && supervisor.hostProcessID != host }
    #expect(supervisor.checkpoint.records.keys == before.records.keys)
    try await supervisor.tab("Scenes")
    try await supervisor.shows("kept")
    await supervisor.stop()
  }

  @Test(arguments: ["Close all", "Replace all"])
  func aPluginThatTakesAllDescriptorsAwayCostsARestartAndNoText(_ way: String) async throws {
    let supervisor = try await forger()
    try await supervisor.tab("Scenes")
    try await supervisor.type("kept", into: "Text")
    try await supervisor.tab("Forger")
    let host = supervisor.hostProcessID
    try await supervisor.tap(way)
    // A host whose output is closed stays silent, so the next event detects it.
    try await supervisor.tab("Scenes")
    try await eventually { supervisor.hostProcessID != nil && supervisor.hostProcessID != host }
    try await supervisor.tab("Scenes")
    try await supervisor.shows("kept")
    await supervisor.stop()
  }

  /// Another file may now have the protocol's old descriptor number; the host must not write messages to that file.
  @Test func whereAFileTookTheProtocolsNumberTheFileStaysAsItWas() async throws {
    let file = workshop.path("precious")
    try "precious".write(toFile: file, atomically: true, encoding: .utf8)
    let supervisor = try await forger { $0.environment["PRECIOUS_FILE"] = file }
    let host = supervisor.hostProcessID
    try await supervisor.tap("Replace by a file")
    try await supervisor.tab("Scenes")
    try await eventually { supervisor.hostProcessID != nil && supervisor.hostProcessID != host }
    try await supervisor.shows("Go to Scene 2")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    await supervisor.stop()
  }

  /// The child keeps all inherited descriptors open, in its own session.
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
    #expect(ContinuousClock.now - start < Patience.allowed(.seconds(5)))
    try await supervisor.shows("Start a daemon")
    try await eventually { kill(child, 0) != 0 }
    await supervisor.stop()
  }

  /// Messages that no correct host sends; they end the host with a message, and lose nothing.
  private nonisolated static let impossible: [(name: String, line: String, reason: String?)] = [
    ("the end of its session", #"{"type":"closed","session":"main"}"#, nil),
    ("another session", lines[2].replacingOccurrences(of: "main", with: "other"), "reported on the session 'other'"),
    ("no tree", lines[2], "sent an invalid tree"),
    ("a second hello", lines[1], "sent hello twice"),
    ("no plugins", lines[0], "reported a failed start"),
    ("no message", lines[3], "sent an invalid message"),
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
    supervisor.onUpdate = { told += $0.notices.map(\.developerText) }
    let host = supervisor.hostProcessID
    try Data().write(to: URL(fileURLWithPath: flag))
    // A forged line before the answer ends the host during the press, and the answer reports it.
    told += try await supervisor.tap("Go to Scene 2").notices.map(\.developerText)
    if let reason {
      try await eventually { told.contains { $0.contains(reason) } }
      #expect(supervisor.hostProcessID != host)
    }
    #expect(failure == nil)
    // The text is on the second screen, or in the field of the first if the press was lost.
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
        Button("Close all") { for number in Int32(0)...4095 { close(number) } }
        Button("Replace all") { replaceAll(by: "/dev/null") }
        Button("Replace by a file") { replaceAll(by: getenv("PRECIOUS_FILE").map { String(cString: $0) } ?? "") }
        Button("Start a daemon") { startDaemon() }
      }
    }
    func writeAll(in folder: String) -> Int {
      let bytes = FileManager.default.contents(atPath: getenv("FORGED_LINES").map { String(cString: $0) } ?? "") \
    ?? Data()
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
    func replaceAll(by path: String) {
      let file = open(path, O_RDWR)
      for number in Int32(3)...4095 where number != file && isSocket(number) { dup2(file, number) }
    }
    func isSocket(_ number: Int32) -> Bool {
      var status = stat()
      return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
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
