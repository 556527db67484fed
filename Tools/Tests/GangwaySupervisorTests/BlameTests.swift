import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The blame for crashes, which needs evidence: a plugin's screen in use is none, and neither is a signal from outside.
@MainActor @Suite struct BlameTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func touch(_ name: String) throws { try Data().write(to: URL(fileURLWithPath: workshop.path(name))) }

  /// Builds a plugin that is loaded before the first navigation, and runs code on a thread each time a file appears.
  private func saboteur(_ code: String, libraries: [String] = []) async throws -> String {
    try await workshop.plugin(
      "Saboteur",
      """
      import Foundation
      import Gangway
      import Glibc
      @_silgen_name("boom") func boom()
      final class Saboteur: Plugin {
        static let id = "saboteur", version = "1.0.0"
        func register(in registry: Registrar) {
          registry.guard("calm") { (request: NavigationRequest) in .allow }
          if CommandLine.arguments.contains("--probe") { return }
          Thread.detachNewThread {
            while access("\(workshop.path("now"))", F_OK) != 0 { usleep(500) }
            unlink("\(workshop.path("now"))")
            \(code)
          }
        }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Saboteur.self) }
      """, libraries: libraries)
  }

  /// On a busy machine, a host can end before it has announced its crash. The file of its frames is there all the same.
  @Test func aCrashThatIsNotAnnouncedIsBlamedByItsFrames() async throws {
    let supervisor = try workshop.supervisor([
      try await saboteur(
        """
        var frames = [UInt(1), UInt(bitPattern: #dsohandle)].withUnsafeBytes { Data($0) }
        frames += (try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()) ?? Data()
        FileManager.default.createFile(atPath: String(cString: getenv("GANGWAY_CRASH_FRAMES")), contents: frames)
        signal(SIGABRT, SIG_DFL)
        abort()
        """), try await workshop.trouble(),
    ])
    _ = try await supervisor.start()
    try await supervisor.tap("Ask")
    _ = try await supervisor.send(.dismiss)
    let dawdle = Task.immediate { try await supervisor.tap("Dawdle") }
    try touch("now")
    let text = try #require(try await dawdle.value.notices.first?.developerText)
    #expect(text.hasPrefix("The plugin saboteur stopped the host while handling"), "\(text)")
    await supervisor.stop()
  }

  /// Neither the C library nor the plugin's function has frame pointers.
  @Test func anAbortInCIsBlamedOnThePluginThatCalledItAndNotOnTheScreenInUse() async throws {
    try await workshop.library(
      "Fuse", "#include <stdlib.h>\n__attribute__((noinline)) void boom(void) { abort(); }\n",
      ["-O2", "-fomit-frame-pointer"])
    let supervisor = try workshop.supervisor([
      try await saboteur("boom()", libraries: ["Fuse"]), try await workshop.trouble(),
    ])
    _ = try await supervisor.start()
    for number in 1...3 {
      // In each host, the plugin loads for the first navigation.
      try await supervisor.tap("Ask")
      _ = try await supervisor.send(.dismiss)
      let host = try #require(supervisor.hostProcessID)
      let dawdle = Task.immediate { try await supervisor.tap("Dawdle") }
      try touch("now")
      let text = try #require(try await dawdle.value.notices.first?.developerText)
      #expect(text.contains("trouble was in use"), "\(text)")
      #expect(!text.contains("probably"), "\(text)")
      try await eventually { supervisor.hostProcessID != host && supervisor.keeper.phase == .ready }
      if number < 3 { #expect(supervisor.quarantined.isEmpty, "\(supervisor.quarantined)") }
    }
    try await eventually { supervisor.quarantined["saboteur"] != nil }
    #expect(supervisor.quarantined["trouble"] == nil)
    await supervisor.stop()
  }

  // MARK: Ends from outside

  /// No plugin is at fault, even though the host was handling an event.
  @Test func aKillWhileAnEventIsHandledIsBlamedOnNobody() async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble(), "scenes"])
    _ = try await supervisor.start()
    for _ in 1...3 {
      try await eventually { supervisor.hostProcessID != nil }
      let hang = Task.immediate { try await supervisor.tap("Hang") }
      try await eventually { supervisor.keeper.phase == .handling }
      kill(try #require(supervisor.hostProcessID), SIGKILL)
      let notice = try #require(try await hang.value.notices.first)
      #expect(notice.plugin == nil)
      #expect(
        notice.developerText.hasPrefix("Another process, or the system, killed the host. Not done: tap on 'Hang'."))
      #expect(!notice.text.contains("trouble") && !notice.text.contains("signal") && !notice.text.contains("host"))
    }
    #expect(supervisor.quarantined.isEmpty, "\(supervisor.quarantined)")
    await supervisor.stop()
  }

  /// The front end has the text and sends it again, so the message does not say that it was not done.
  @Test func aKillDuringAnEditAsksToCheckTheInput() async throws {
    let supervisor = try workshop.supervisor(["scenes"])
    _ = try await supervisor.start()
    let text = try #require(supervisor.presentation.reachable.first { $0.kind == .field })
    let host = try #require(supervisor.hostProcessID)
    kill(host, SIGSTOP)
    let edit = Task.immediate {
      try await supervisor.send(.edit(.init(node: supervisor.presentation.top!.node, element: text.id), text: "Ann"))
    }
    try await eventually { supervisor.keeper.phase == .handling }
    kill(host, SIGKILL)
    let notice = try #require(try await edit.value.notices.first)
    #expect(notice.text == "The app restarted after a crash. Check '\(text.label)'.", "\(notice.text)")
    #expect(notice.developerText.contains("Check '\(text.label)'.") && !notice.developerText.contains("Not done"))
    await supervisor.stop()
  }

  /// The kills happen at any moment of the host's work.
  @Test func twentyKillsAreBlamedOnNobody() async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble(), "scenes"])
    var notices: [Update.Notice] = []
    supervisor.onUpdate = { notices += $0.notices }
    _ = try await supervisor.start()
    for number in 1...20 {
      try await eventually { supervisor.hostProcessID != nil }
      let host = try #require(supervisor.hostProcessID)
      let step = Task.immediate {
        let answer =
          switch number % 4 {
          case 0: try? await supervisor.tap("Note")
          case 1: try? await supervisor.tap("Dawdle")
          case 2: try? await supervisor.tap("Later")
          default: try? await supervisor.tab("Trouble")
          }
        notices += answer?.notices ?? []
      }
      try await Task.sleep(for: .milliseconds(number))
      kill(host, SIGKILL)
      await step.value
      try await eventually { supervisor.hostProcessID != host && supervisor.keeper.phase == .ready }
    }
    let blamed = notices.filter {
      $0.plugin != nil || $0.developerText.contains("trouble") || $0.developerText.contains("probably")
    }
    #expect(blamed.isEmpty, "\(blamed.map(\.developerText))")
    let others = notices.filter { !$0.developerText.hasPrefix("Another process, or the system, killed the host") }
    #expect(others.isEmpty, "\(others.map(\.developerText))")
    // Two kills in quick succession may cause only one message.
    #expect(notices.count >= 10, "\(notices.map(\.developerText))")
    #expect(supervisor.quarantined.isEmpty)
    await supervisor.stop()
  }

  /// These signals would end the host by themselves, or are also raised by crashes.
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT])
  func aSignalFromOutsideIsBlamedOnNobody(_ signal: Int32) async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble(), "scenes"])
    _ = try await supervisor.start()
    let hang = Task.immediate { try await supervisor.tap("Hang") }
    try await eventually { supervisor.keeper.phase == .handling }
    kill(try #require(supervisor.hostProcessID), signal)
    let notice = try #require(try await hang.value.notices.first)
    #expect(notice.plugin == nil)
    #expect(notice.developerText.hasPrefix("Another process, or the system, killed the host. Not done: tap on 'Hang'."))
    await supervisor.stop()
  }

  /// Two deaths in a row at the same entry are chance, because the host is held there for each kill.
  @Test func killsWhileScreensAreBroughtBackAreBlamedOnNobody() async throws {
    let held = workshop.path("held")
    let plugin = try await workshop.plugin(
      "Slow", Self.slowSource("while access(\"\(held)\", F_OK) == 0 { usleep(1000) }"))
    let supervisor = try workshop.supervisor([plugin, "scenes"])
    _ = try await supervisor.start()
    try await supervisor.shows("All is calm")
    let line = try #require(supervisor.keeper.line as? HostLine)
    try touch("held")
    for _ in 1...3 {
      let host = try #require(supervisor.hostProcessID)
      kill(host, SIGKILL)
      try await eventually {
        supervisor.hostProcessID.map { $0 != host } == true && line.incident.restoring?.plugin == "slow"
      }
    }
    try FileManager.default.removeItem(atPath: held)
    try await supervisor.shows("All is calm")
    #expect(supervisor.quarantined.isEmpty, "\(supervisor.quarantined)")
    await supervisor.stop()
  }

  /// The same kills while a library loads.
  @Test func killsWhileALibraryIsLoadedAreBlamedOnNobody() async throws {
    try await workshop.constructor("Stone", Workshop.waiting(for: workshop.path("held")))
    let plugin = try await workshop.plugin("Slow", Self.slowSource(""), libraries: ["Stone"])
    let supervisor = try workshop.supervisor([plugin, "scenes"])
    _ = try await supervisor.start()
    try await supervisor.shows("All is calm")
    let line = try #require(supervisor.keeper.line as? HostLine)
    try touch("held")
    for _ in 1...3 {
      let host = try #require(supervisor.hostProcessID)
      kill(host, SIGKILL)
      try await eventually {
        supervisor.hostProcessID.map { $0 != host } == true && line.incident.loading == plugin
      }
    }
    try FileManager.default.removeItem(atPath: workshop.path("held"))
    try await supervisor.shows("All is calm")
    #expect(supervisor.quarantined.isEmpty, "\(supervisor.quarantined)")
    await supervisor.stop()
  }

  private static func slowSource(_ making: String) -> String {
    """
    import Gangway
    import Glibc
    final class Slow: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      init() { \(making) }
      func destination(for route: Route) -> Destination { .screen { Calm() } }
    }
    struct Calm: Screen { var body: some Content { Text("All is calm") } }
    final class SlowPlugin: Plugin {
      static let id = "slow", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Slow", order: -1) { _ in Slow() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(SlowPlugin.self) }
    """
  }

  // MARK: The loader's lock

  /// The ways to hold the loader's lock: a library that does not finish loading, or an iteration over all libraries.
  private nonisolated static let holding = [
    "dlopen(\"FOLDER/libLatch.so\", 2)", "dl_iterate_phdr(hold, 0)",
  ]

  @Test(.timeLimit(.minutes(2)), arguments: holding, [false, true])
  func aPluginThatWaitsForTheLoaderIsNotSetAside(_ code: String, needsFoundation: Bool) async throws {
    let held = workshop.path("held")
    try await workshop.constructor("Latch", "while (access(\"\(held)\", F_OK) == 0) usleep(10000);")
    try await workshop.library(
      "Fuse",
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <link.h>
      #include <unistd.h>
      static int hold(struct dl_phdr_info *info, size_t size, void *data) {
        while (access("\(held)", F_OK) == 0) usleep(10000);
        return 1;
      }
      void boom(void) { \(code.replacingOccurrences(of: "FOLDER", with: workshop.folder)); }
      """)
    let source = Self.slowSource("").replacingOccurrences(of: "order: -1", with: "order: 90")
    let plugin = try await workshop.plugin(
      "Slow", (needsFoundation ? "import Foundation\nlet now = Date()\n" : "") + source)
    let supervisor = try workshop.supervisor([try await saboteur("boom()", libraries: ["Fuse"]), plugin, "scenes"]) {
      $0.launch.loadDeadline = .seconds(2)
      $0.patience = .seconds(3)
    }
    var said: [String] = []
    supervisor.onUpdate = { said += $0.notices.map(\.developerText) }
    _ = try await supervisor.start()
    try await supervisor.tab("Scenes")
    try touch("held")
    try touch("now")
    try await eventually { access(workshop.path("now"), F_OK) != 0 }
    try await Task.sleep(for: .milliseconds(50))
    let host = supervisor.hostProcessID
    let tab = try #require(supervisor.presentation.tabBars.joined().first { $0.title == "Slow" })
    let sent = Task { try? await supervisor.send(.tab(tab.node)) }
    // The plugin fails to load; if it blocks all features, the user restarts them.
    try await eventually {
      supervisor.statuses["slow"]?.state == .failed || supervisor.presentation.plainText.contains("does not answer")
    }
    if supervisor.presentation.plainText.contains("does not answer") {
      try await supervisor.tap("Restart")
      try await eventually { supervisor.hostProcessID.map { $0 != host } == true && supervisor.keeper.phase == .ready }
      unlink(held)
      try await supervisor.tab("Slow")
    } else {
      try await supervisor.showsUnavailable(
        "Slow", because: "other code in this process blocks the loading of libraries")
      #expect(supervisor.hostProcessID == host)
      unlink(held)
      try await supervisor.tap("Try again")
    }
    _ = await sent.value
    try await supervisor.shows("All is calm")
    #expect(supervisor.quarantined.isEmpty, "\(supervisor.quarantined)")
    #expect(!said.contains { $0.contains("libSlow.so") }, "\(said)")
    await supervisor.stop()
  }
}
