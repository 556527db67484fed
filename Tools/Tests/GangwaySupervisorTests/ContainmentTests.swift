import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Plugins that do harm after they were accepted; the app continues and names them.
@MainActor @Suite struct ContainmentTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Builds a plugin that behaves while it is probed, and crashes the host when it is loaded.
  private func bomb() async throws -> String {
    try await workshop.plugin(
      "Bomb",
      """
      import Gangway
      import Glibc
      final class Bomb: Plugin {
        static let id = "bomb", version = "1.0.0"
        func register(in registry: Registrar) {
          registry.tab("main", title: "Bomb", order: 90) { _ in Never() }
          if !CommandLine.arguments.contains("--probe"), access("\(workshop.path("harmless"))", F_OK) != 0 { abort() }
        }
      }
      final class Never: StackCoordinator {
        enum Route: NavigationRoute { case start }
        let start = Route.start
        func destination(for route: Route) -> Destination { .screen { Calm() } }
      }
      struct Calm: Screen { var body: some Content { Text("All is calm") } }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Bomb.self) }
      """)
  }

  @Test func aPluginThatStopsTheHostWhileLoadingIsSetAsideUntilItIsWantedAgain() async throws {
    let path = try await bomb()
    let supervisor = try workshop.supervisor([path, "scenes"])
    _ = try await supervisor.start()
    try await supervisor.type("typed", into: "Text")
    let told = try await supervisor.told {
      try await supervisor.tab("Bomb")
    } until: {
      $0.hasPrefix("The host crashed while loading \(path), so \(path) is quarantined.")
    }
    #expect(told.count == 1, "\(told)")
    try await supervisor.shows("Text: [typed]")
    try await supervisor.tab("Bomb")
    try await supervisor.showsUnavailable("Bomb", because: "The plugin bomb is not available: it crashed while")
    #expect(supervisor.statuses["bomb"]?.state == .quarantined)
    try Data().write(to: URL(fileURLWithPath: workshop.path("harmless")))
    try await supervisor.tap("Try again")
    try await supervisor.shows("All is calm")
    #expect(supervisor.statuses["bomb"]?.state == .active)
    // The plugin stays in the next host.
    try await supervisor.restart()
    try await supervisor.shows("All is calm")
    await supervisor.stop()
  }

  /// Paths and reasons are separate arguments, so no character in them can be misread.
  @Test(arguments: ["a=b", "a b", "=", "a\nb"])
  func aFileIsSetAsideWhateverItsPathIs(_ folder: String) async throws {
    let folder = workshop.path(folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/libBomb.so"
    try FileManager.default.copyItem(atPath: try await bomb(), toPath: path)
    let supervisor = try workshop.supervisor([path, "scenes"])
    _ = try await supervisor.start()
    _ = try await supervisor.told {
      try await supervisor.tab("Bomb")
    } until: {
      $0.contains("The host crashed while loading ") && $0.contains("/libBomb.so is quarantined")
    }
    try await eventually { supervisor.hostProcessID != nil && supervisor.keeper.isShown }
    let host = supervisor.hostProcessID
    try await supervisor.tab("Bomb")
    try await supervisor.showsUnavailable("Bomb", because: "it crashed while it was loading")
    #expect(supervisor.hostProcessID == host)
    await supervisor.stop()
  }

  @Test func whatWasSetAsideWhileLoadingComesBackByAReload() async throws {
    let supervisor = try workshop.supervisor([try await bomb(), "scenes"])
    _ = try await supervisor.start()
    try await supervisor.tab("Bomb")
    try await supervisor.tab("Bomb")
    await #expect(throws: SupervisorFailure.self) { _ = try await supervisor.reload("bomb") }
    try await supervisor.showsUnavailable("Bomb", because: "it crashed while it was loading")
    #expect(!supervisor.quarantined.isEmpty)
    try Data().write(to: URL(fileURLWithPath: workshop.path("harmless")))
    #expect(try await supervisor.reload("bomb") == "The plugin bomb 1.0.0 was reloaded.")
    try await supervisor.shows("All is calm")
    #expect(supervisor.quarantined.isEmpty)
    await supervisor.stop()
  }

  @Test func threeCrashesInAMinuteQuarantineThePluginAlone() async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble(), "scenes"])
    _ = try await supervisor.start()
    try await supervisor.tap("Note")
    try await supervisor.tap("Trap")
    try await supervisor.tap("Trap")
    try await supervisor.shows("Heard: noted")
    let answer = try await supervisor.tap("Trap")
    let text = try #require(answer.notices.first?.developerText)
    #expect(text.contains("has now stopped the host 3 times within a minute. The app no longer loads it. "))
    #expect(text.contains(#/run gangway reload\. Cause: [^.]+\. Report: \/\S+$/#), "\(text)")
    try await supervisor.showsUnavailable("Trouble", because: "The plugin trouble is not available: it crashed 3 times")
    try await supervisor.tab("Scenes")
    try await supervisor.shows("Go to Scene 2")
    try await supervisor.tab("Trouble")
    try await supervisor.tap("Try again")
    try await supervisor.shows("Heard: noted")
    try await supervisor.tap("Trap")
    try await supervisor.shows("Heard: noted")
    await supervisor.stop()
  }

  @Test func crashesFarApartQuarantineNobody() {
    var tally = CrashTally()
    let start = ContinuousClock.now
    var verdicts = [tally.note("a", at: start)]
    for (plugin, seconds) in [("a", 10), ("b", 11), ("a", 65), ("a", 66)] as [(PluginID, Int)] {
      verdicts.append(tally.note(plugin, at: start + .seconds(seconds)))
    }
    tally.forget("a")
    verdicts.append(tally.note("a", at: start + .seconds(67)))
    #expect(verdicts == [false, false, false, false, true, false])
  }

  @Test func theReportNamesThePluginWhoseCodeRan() async throws {
    let supervisor = try workshop.supervisor([try await workshop.plugin("Ticker", Self.tickerSource), "scenes"])
    var said: [String] = []
    supervisor.onUpdate = { said += $0.notices.map(\.developerText) }
    _ = try await supervisor.start()
    try await eventually {
      said.contains { $0.hasPrefix("The plugin ticker stopped the host while no event was being handled.") }
    }
    // The plugin keeps crashing its hosts until it is quarantined.
    try await eventually { supervisor.statuses["ticker"]?.state == .quarantined }
    // The message appears once the next host shows the screen.
    try await eventually {
      said.contains {
        $0.contains("has now stopped the host 3 times within a minute. The app no longer loads it. ")
      }
    }
    // The host without the plugin is running.
    try await supervisor.shows("Try again")
    try await supervisor.tab("Scenes")
    try await supervisor.shows("Go to Scene 2")
    await supervisor.stop()
  }

  /// Crashes in a background task, while no event is being handled.
  private static let tickerSource = """
    import Gangway
    final class Flow: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      init() {
        Task { @MainActor in
          try await Task.sleep(for: .milliseconds(800))
          blowUp([])
        }
      }
      func destination(for route: Route) -> Destination { .screen { Ticking() } }
    }
    @inline(never) func blowUp(_ none: [Int]) { print(none[1]) }
    struct Ticking: Screen { var body: some Content { Text("Tick") } }
    final class Ticker: Plugin {
      static let id = "ticker", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Ticker", order: 1) { _ in Flow() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Ticker.self) }
    """

  @Test func theFramesOfTheCrashedThreadAreRead() {
    let report = CrashReport(
      """
      *** Program crashed: Illegal instruction at 0x00007f197716df7f ***

      Thread 0 "gangway-host":

        0      0x00007f1976bab301 sigsuspend + 65 in libOther.so

      Thread 2 "-qos.overcommit" crashed:

        0                  0x00007f closure #1 in _assertionFailure(_:) + 623 in libswiftCore.so
        3 [ra]             0x00007f closure #1 in TroubleScreen.body.getter + 275 in libTrouble.so at /a b/T.swift:4
        5 [async]          0x00007f WorkLog.start(event:) in libGangway.so at /x/TrackedWork.swift:59
      ...

      Thread 3 "x":

        0  0x00007f in libLater.so
      """)
    #expect(report.frames.map(\.library) == ["libswiftCore.so", "libTrouble.so", "libGangway.so"])
    let culprit = report.culprit(among: ["libTrouble.so": "trouble", "libOther.so": "other"])
    #expect(culprit?.plugin == "trouble")
    #expect(culprit?.frame.text == "closure #1 in TroubleScreen.body.getter at /a b/T.swift:4")
    #expect(CrashReport("").culprit(among: ["libTrouble.so": "trouble"]) == nil)
  }

  // MARK: The watchdog

  @Test func aHandlerThatNeverReturnsIsAskedAboutAndEnded() async throws {
    let supervisor = try workshop.supervisor([try await workshop.plugin("Stuck", Self.stuckSource), "scenes"]) {
      $0.patience = .seconds(1)
    }
    _ = try await supervisor.start()
    try await supervisor.tap("Count")
    let answer = try await supervisor.tap("Loop")
    #expect(answer.presentation?.plainText.contains("(alert) The plugin stuck does not answer") == true)
    #expect(answer.presentation?.plainText.contains("It has been busy with tap on 'Loop'") == true)
    // Events in the meantime are refused with a message.
    let refused = try await supervisor.send(.tab(1))
    #expect(refused.notices.first?.developerText.contains("first: choose Wait or Restart.") == true)
    var said: [String] = []
    supervisor.onUpdate = { said += $0.notices.map(\.developerText) }
    try await supervisor.tap("Restart")
    // The question is closed.
    #expect(try await supervisor.send(.back).notices.map(\.developerText) != ["Waiting on."])
    try await eventually {
      said.contains { $0.contains("The host stopped while handling tap on 'Loop' (stuck was in use)") }
    }
    #expect(said.contains { $0.contains("it did not answer for 1 second, so it was killed") }, "\(said)")
    try await supervisor.shows("Count: 1")
    try await supervisor.tap("Count")
    try await supervisor.shows("Count: 2")
    await supervisor.stop()
  }

  @Test func aHandlerThatTakesItsTimeMayBeWaitedFor() async throws {
    let supervisor = try workshop.supervisor([try await workshop.plugin("Stuck", Self.stuckSource)]) {
      $0.patience = .milliseconds(200)
    }
    _ = try await supervisor.start()
    let answer = try await supervisor.tap("Doze")
    #expect(answer.presentation?.plainText.contains("(alert)") == true)
    try await supervisor.tap("Wait")
    #expect(!supervisor.presentation.plainText.contains("(alert)"))
    try await supervisor.shows("Count: 10")
    try await supervisor.tap("Count")
    try await supervisor.shows("Count: 11")
    await supervisor.stop()
  }

  private static let stuckSource = """
    import Gangway
    import Glibc
    import Observation
    @Observable final class Stuck: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      var state = 0
      func destination(for route: Route) -> Destination { .screen { StuckScreen(stuck: self) } }
    }
    struct StuckScreen: Screen {
      let stuck: Stuck
      var body: some Content {
        Text("Count: \\(stuck.state)")
        Button("Count") { stuck.state += 1 }
        Button("Loop") { while true { usleep(1000) } }
        Button("Doze") {
          usleep(3_000_000)
          stuck.state += 10
        }
        Button("Hog") {
          var hoard: [[UInt8]] = []
          var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
          setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
          while true { hoard.append([UInt8](repeating: 1, count: 64 << 20)) }
        }
      }
    }
    final class StuckPlugin: Plugin {
      static let id = "stuck", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Stuck", order: 1) { _ in Stuck() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(StuckPlugin.self) }
    """

  @Test func aHandlerThatAllocatesWithoutEndEndsItsHostAlone() async throws {
    let supervisor = try workshop.supervisor([try await workshop.plugin("Stuck", Self.stuckSource)]) {
      $0.patience = .seconds(60)
    }
    _ = try await supervisor.start()
    try await supervisor.tap("Count")
    let answer = try await supervisor.tap("Hog")
    // The sanitizer ends the process by itself, so no signal handler reports whose code ran.
    let isSanitized = ProcessInfo.processInfo.environment["GANGWAY_SANITIZED_HOST"] != nil
    let words = answer.notices.first?.developerText ?? ""
    let lead = isSanitized ? "The host stopped" : "The plugin stuck stopped the host"
    #expect(words.hasPrefix("\(lead) while handling tap on 'Hog'"), "\(words)")
    try await supervisor.shows("Count: 1")
    await supervisor.stop()
  }

  @Test func aHostThatSaysNothingAtItsStartIsEnded() async throws {
    let fake = try workshop.script("sleep 60")
    let supervisor = try workshop.supervisor([]) {
      $0.host = fake
      $0.startPatience = .milliseconds(100)
    }
    let failure = await #expect(throws: SupervisorFailure.self) { _ = try await supervisor.start() }
    #expect(
      failure?.description.contains("it did not answer for 0.1 seconds, so it was killed") == true,
      "\(failure?.description ?? "")")
  }

  @Test func safeModeShowsThePlacesAndLoadsWhatIsAskedFor() async throws {
    let supervisor = try workshop.supervisor(["scenes", "clock"]) { $0.launch.isSafe = true }
    _ = try await supervisor.start()
    try await supervisor.showsUnavailable("Scenes", because: "the app was started in safe mode, which loads no plugins")
    #expect(supervisor.statuses.values.allSatisfy { $0.state == .disabled })
    try await supervisor.tap("Try again")
    try await supervisor.shows("Go to Scene 2")
    try await supervisor.restart()
    try await supervisor.shows("Go to Scene 2")
    try await supervisor.tab("Clock")
    try await supervisor.showsUnavailable("Clock", because: "safe mode")
    await supervisor.stop()
  }

  /// Truncating a file that a host has mapped crashes only that host, when it touches the missing pages.
  @Test func aFileThatIsTruncatedWhileItRunsIsContained() async throws {
    let path = workshop.path("libScenes.so")
    try FileManager.default.copyItem(atPath: Workshop.built + "/libScenes.so", toPath: path)
    let supervisor = try workshop.supervisor([path, "clock"])
    _ = try await supervisor.start()
    try await supervisor.type("typed", into: "Text")
    truncate(path, 4096)
    _ = try await supervisor.send(.back)
    try await supervisor.restart()
    try await supervisor.shows("Clock")
    try await supervisor.tab("Clock")
    try await supervisor.shows("Time zones")
    #expect(supervisor.checkpoint.records.values.contains { $0.values?["text"] == "typed" })
    await supervisor.stop()
  }
}
