import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwaySupervisor
import Subprocess
import SystemPackage
@_spi(FrontEnd) import TestSupport
import Testing

/// Links, recordings and guards under the supervisor.
@MainActor @Suite struct NavigationCommandTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test func routesAreListedALineEach() async throws {
    let result = try await workshop.gangway(["routes"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains(#/link +clock\/zones +clock\n/#))
    #expect(result.output.contains(#/place +hello\.greet +hello\n/#))
    let json = try await workshop.gangway(["routes", "--json"])
    struct Listing: Decodable {
      struct Route: Decodable { let kind, name: String }
      let routes: [Route]
    }
    let listing = try JSONDecoder().decode(Listing.self, from: Data(json.output.utf8))
    #expect(
      listing.routes.filter { $0.kind == "tab" }.map(\.name) == [
        "account.main", "blither.main", "clock.time", "files.main", "gallery.main", "monitor.main", "scenes.main",
        "shapes.main", "todos.main", "welcome.main",
      ])
    #expect(try await workshop.gangway(["routes", "--conflicts"]).errors == "No links conflict.\n")
  }

  @Test func linksThatTakeTheSameURLsAreNamedWithBothPlugins() async throws {
    let rival = try await workshop.plugin("Rival", Self.rivalSource)
    let result = try await workshop.gangway(["routes", "--conflicts", "--plugins-dir", workshop.folder])
    #expect(result.code == 1)
    #expect(
      result.output.contains("scenes/greet/:whom of rival (\(rival)) and scenes/greet/:name of scenes (")
        || result.output.contains("scenes/greet/:name of scenes ("))
    // A host refuses the second plugin, and the app runs.
    let run = try await workshop.gangway(
      ["run", "--plugin", "scenes", "--plugin", rival, "--script", "-"], input: "expect Go to Scene 2\n")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("matches the same URLs as scenes/greet/:"))
  }

  @Test func aRunOpensALink() async throws {
    let result = try await workshop.gangway(
      ["run", "--open", "gangway://clock/zones", "--script", "-"],
      input: "expect Kathmandu\ntap Tokyo\nexpect in Tokyo\n")
    #expect(result.code == 0, "\(result.errors)")
    let wrong = try await workshop.gangway(["run", "--open", "gangway://moon", "--script", "-"], input: "screen\n")
    #expect(wrong.code == 1)
    #expect(wrong.errors.contains("No screen in this app has the link gangway://moon."))
  }

  @Test func aSessionOverAllSamplePluginsReplaysToTheSameTrees() async throws {
    let recording = workshop.path("session.jsonl")
    let script = """
      set Text = hello
      tap Go to Scene 2
      back
      tap Open Scene 3
      dismiss
      tab Clock
      tap Time zones
      restart
      tap Tokyo
      tap 24 hours
      open gangway://scenes/greet/Ann
      tap Greet again
      undo
      redo
      tab Blither
      tap New Game
      back
      tap Rules
      tab Clock
      tab Clock
      """
    let run = try await workshop.gangway(["run", "--record", recording, "--script", "-"], input: script)
    #expect(run.code == 0, "\(run.errors)")
    let replay = try await workshop.gangway(["replay", recording])
    #expect(replay.code == 0, "\(replay.errors)")
    #expect(replay.output == "19 events: after each event, the tree equals the tree in the recording.\n")
    let mode = try FileManager.default.attributesOfItem(atPath: recording)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aReplayChangesNoOriginalData() async throws {
    let diary = try await workshop.plugin("Diary", Workshop.diarySource(keepsUnreadable: true))
    let (recording, data) = (workshop.path("session.jsonl"), URL(filePath: workshop.path("copied")))
    let run = try await workshop.gangway(
      ["run", "--plugin", diary, "--record", recording, "--script", "-"], input: "tap Write\n")
    #expect(run.code == 0, "\(run.errors)")
    // The data is behind links: of the file, and of its folder.
    let (folder, elsewhere) = (data.appending(path: "diary"), URL(filePath: workshop.path("elsewhere")))
    let original = elsewhere.appending(path: "diary.json")
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    try files.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try files.createSymbolicLink(at: folder.appending(path: "diary.json"), withDestinationURL: original)
    for isFolder in [false, true] {
      if isFolder {
        try files.removeItem(at: folder)
        try files.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
      }
      try Data(#"["Monday"]"#.utf8).write(to: original)
      let replay = try await workshop.gangway(["replay", recording, "--data", data.path])
      #expect(replay.code == 0, "\(replay.errors)")
      #expect(try String(contentsOf: original, encoding: .utf8) == #"["Monday"]"#)
    }
  }

  /// A form chooses the key of a new entry when it opens, so the key is another one in each run.
  @Test func aNewUUIDIsNoDifference() async throws {
    let plugin = try await workshop.plugin(
      "Keyed",
      """
      import Foundation
      import Gangway

      final class Keyed: StackCoordinator {
        struct Route: NavigationRoute {}
        let start = Route()
        var state = UUID().uuidString
        func destination(for route: Route) -> Destination { .screen { router in Page(router: router) } }
      }
      struct Page: Screen {
        let router: Router<Keyed>
        var body: some Content {
          Button("More") { try await router.show(.init()) }
          Button("Trap") { fatalError("the key is lost") }
        }
      }
      final class KeyedPlugin: Plugin {
        static let id = "keyed", version = "1.0.0"
        func register(in registry: Registrar) { registry.tab("main", title: "Keyed") { _ in Keyed() } }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(KeyedPlugin.self) }
      """)
    let run = try await workshop.gangway(["run", "--plugin", plugin, "--script", "-"], input: "tap More\ntap Trap\n")
    let report = try #require(run.errors.firstMatch(of: #/Report: (\S+)/#)?.output.1, "\(run.errors)")
    let replay = try await workshop.gangway(["replay", String(report)])
    #expect(replay.code == 0 && replay.output.contains("fails as recorded"), "\(replay.output)\(replay.errors)")
  }

  @Test func theFirstTreeThatDiffersIsNamed() async throws {
    let recording = workshop.path("session.jsonl")
    let script = "set Text = hello\ntap Go to Scene 2\nback\n"
    #expect(
      try await workshop.gangway(["run", "--plugin", "scenes", "--record", recording, "--script", "-"], input: script)
        .code == 0)
    let text = try String(contentsOfFile: recording, encoding: .utf8)
    try text.replacingOccurrences(of: #"\"text\":\"hello\"}}"#, with: #"\"text\":\"hallo\"}}"#)
      .write(toFile: recording, atomically: true, encoding: .utf8)
    let options = SupervisorOptions(host: Workshop.built + "/gangway-host", logFolder: workshop.path("log"))
    let replay = try RecordingReplay(Recording(file: recording), options)
    replay.patience = .milliseconds(300)
    guard case .different(let text) = try await replay.run() else {
      Issue.record("nothing differed")
      return
    }
    #expect(text.hasPrefix("After event 2, tap on 'Go to Scene 2': node 4 was recorded as {"), "\(text)")
    #expect(text.contains("hallo") && text.contains("hello"))
  }

  @Test func whatIsTypedIntoASecureFieldIsInNoRecording() async throws {
    let plugin = try await workshop.plugin("Safe", Self.safeSource)
    let recording = workshop.path("session.jsonl")
    let result = try await workshop.gangway(
      ["run", "--plugin", plugin, "--record", recording, "--script", "-"],
      input: "set Code = hunter2\nset Name = Ann\ntap Open\nexpect It is open\n")
    #expect(result.code == 0, "\(result.errors)")
    let text = try String(contentsOfFile: recording, encoding: .utf8)
    #expect(!text.contains("hunter2"))
    #expect(text.contains("Ann"))
    #expect(text.contains("\"redacted\":true"))
  }

  @Test(arguments: [
    ("", "contains no recording"), ("nonsense\n", "contains no recording"), ("{}\n", "has an invalid entry in line 1"),
    ("{\"kind\":\"gangway.recording\",\"format\":9,\"plugins\":{}}\n", "is of kind 'gangway.recording', format 9"),
  ])
  func aFileThatIsNoRecordingSaysSo(_ content: String, _ reason: String) async throws {
    let file = workshop.path("bad.jsonl")
    try content.write(toFile: file, atomically: true, encoding: .utf8)
    let result = try await workshop.gangway(["replay", file])
    #expect(result.code == 1)
    #expect(result.errors.contains("error: '\(file)' \(reason)"), "\(result.errors)")
  }

  @Test func guardsAreAskedAboutAStateFileAndNotAfterACrash() async throws {
    let plugin = try await workshop.plugin("Safe", Self.safeSource)
    let state = workshop.path("kept.json")
    let script = "set Code = hunter2\ntap Open\nexpect It is open\nrestart\nexpect It is open\n"
    let first = try await workshop.gangway(
      ["run", "--plugin", plugin, "--state", state, "--script", "-"], input: script)
    #expect(first.code == 0, "\(first.errors)")
    // The next run does not know the code, so the guard refuses when it is asked again.
    let next = try await workshop.gangway(
      ["run", "--plugin", plugin, "--state", state, "--script", "-"], input: "expect Name\n")
    #expect(next.code == 0, "\(next.errors)")
    #expect(next.errors.contains("could not be shown again: The safe is locked."))
  }

  private static let rivalSource = """
    import Gangway
    final class Rival: Plugin {
      static let id = "rival", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.multiStepLink("scenes/greet/:whom") { (_: String) in LinkPlan.here }
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Rival.self) }
    """

  private static let safeSource = """
    import Gangway
    import Glibc
    import Observation
    @MainActor @Observable final class Lock {
      var code = ""
      var name = ""
    }
    @Observable final class Safe: StackCoordinator {
      enum Route: NavigationRoute { case door, inside }
      let start = Route.door
      let lock = Lock()
      func guards(for route: Route) -> [NavigationGuard] {
        guard route == .inside else { return [] }
        return [NavigationGuard("code") { [lock] _ in
          lock.code == "hunter2" ? .allow : .deny("The safe is locked.")
        }]
      }
      func destination(for route: Route) -> Destination {
        switch route {
        case .door: .screen { router in Door(lock: self.lock, router: router) }
        case .inside: .screen { Inside() }
        }
      }
    }
    struct Door: Screen {
      @Bindable var lock: Lock
      let router: Router<Safe>
      var body: some Content {
        TextField("Code", text: $lock.code, style: .secure)
        TextField("Name", text: $lock.name)
        Button("Open") { try await router.show(.inside) }
      }
    }
    struct Inside: Screen { var body: some Content { Text("It is open") } }
    final class SafePlugin: Plugin {
      static let id = "safe", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Safe", order: 1) { _ in Safe() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(SafePlugin.self) }
    """
}
