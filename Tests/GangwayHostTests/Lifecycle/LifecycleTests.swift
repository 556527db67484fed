import Foundation
@_spi(FrontEnd) import GangwayProtocol
import Testing

/// A plugin's way through a real host: it is known before it loads, loads on first use, and fails alone.
@Suite struct LifecycleTests {
  private func states(_ visit: ZooKeeper.Visit) -> [String] {
    visit.messages.compactMap { message in
      if case .plugin(let status) = message { "\(status.id ?? "?") \(status.state)" } else { nil }
    }
  }

  private func run(
    _ arguments: [String], _ script: String, cache: Scratch? = nil
  ) throws -> BuiltHost.Result {
    try BuiltHost.run(
      arguments + ["--script", "-"], input: script,
      environment: cache.map { ["XDG_CACHE_HOME": $0.folder.path] } ?? [:])
  }

  @Test func aPluginIsLoadedWhenItsTabIsShown() throws {
    let scratch = try Scratch()
    let visit = try ZooKeeper.visit([try Zoo.chameleon("unneeded", in: scratch)])
    #expect(visit.screen.contains("[unneeded*] [Scenes]") || visit.screen.contains("[Scenes*] [unneeded]"))
    #expect(states(visit).count == 1, "\(states(visit))")
  }

  @Test func aFailingPluginShowsWhyInItsPlaceAndTheOthersGoOn() throws {
    let scratch = try Scratch()
    let path = try Zoo.chameleon("unwilling", in: scratch)
    let result = try run(
      ["--plugin", path, "--plugin", "scenes"],
      """
      tab Unwilling
      expect 'Unwilling' is not available.
      expand Details
      expect The plugin unwilling is not available: its registration failed: Trouble()
      tap Try again
      expect 'Unwilling' is not available.
      tab Scenes
      expect Scene 1
      """)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func whatRegistersOtherwiseThanWhenProbedIsRefusedWithBothAndProbedAnew() throws {
    let scratch = try Scratch()
    let path = try Zoo.chameleon("fickle", in: scratch)
    let result = try run(
      ["--plugin", path, "--plugin", "scenes"],
      """
      tab Fickle
      expand Details
      expect it registers other contributions than when it was probed
      expect fickle.first
      expect fickle.second
      tab Scenes
      expect Scene 1
      """)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func aSlowPluginSaysSoAndItsNavigationIsDoneWhenItIsThere() throws {
    let scratch = try Scratch()
    let slow = try Zoo.constructor("usleep(400000);", as: "Delay", in: scratch)
    #expect(FileManager.default.fileExists(atPath: slow))
    let path = try Zoo.swift(
      Zoo.plugin(
        "Late", register: "registry.tab(\"main\", title: \"Late\") { _ in LateFlow() }",
        extra: Zoo.flow("Late", showing: "Text(\"Here at last\")")), as: "Late", in: scratch,
      ["-L", scratch.folder.path, "-lDelay", "-Xlinker", "-rpath", "-Xlinker", scratch.folder.path])
    let result = try run(
      ["--plugin", path, "--plugin", "scenes"],
      """
      tab Scenes
      expect Scene 1
      tab Late
      expect Loading…
      expect Here at last
      """)
    #expect(result.status == 0, "\(result.errors)")
    let given = try run(
      ["--plugin", path, "--plugin", "scenes"],
      """
      tab Scenes
      expect Scene 1
      tab Late
      back
      expect Scene 1
      wait 0.6
      refuse Here at last
      tab Late
      expect Here at last
      """)
    #expect(given.status == 0, "\(given.errors)")
  }

  /// If another thread opened Foundation first, Foundation would take it for the main thread, and stop the host.
  @Test func aSlowPluginThatNeedsFoundationLeavesTheHostRunning() throws {
    let scratch = try Scratch()
    _ = try Zoo.constructor("usleep(200000);", as: "Doze", in: scratch)
    let path = try Zoo.swift(
      "import Foundation\n"
        + Zoo.plugin(
          "Heavy", register: "registry.tab(\"main\", title: \"Heavy\") { _ in HeavyFlow() }",
          extra: Zoo.flow("Heavy", showing: "Text(\"a-b\".components(separatedBy: \"-\").joined())")), as: "Heavy",
      in: scratch,
      ["-L", scratch.folder.path, "-lDoze", "-Xlinker", "-rpath", "-Xlinker", scratch.folder.path])
    let result = try run(
      ["--plugin", path, "--plugin", "scenes"], "tab Scenes\nexpect Scene 1\ntab Heavy\nexpect ab\ntab Scenes\n")
    #expect(result.status == 0, "\(result.errors)")
  }

  /// The code of one library never returns. Its place names the library, and so do the plugins that wait for it.
  @Test func aLibraryThatDoesNotReturnIsRefusedWithItsName() throws {
    let scratch = try Scratch()
    let slow = try Zoo.constructor(
      "char b[9]; if (readlink(\"/proc/self/exe\", b, 1) > 0 && !access(\"\(scratch.path("stuck"))\", 0)) "
        + "for (;;) pause();",
      as: "Stone", in: scratch)
    #expect(FileManager.default.fileExists(atPath: slow))
    let path = try Zoo.swift(
      Zoo.plugin(
        "Stuck", register: "registry.tab(\"main\", title: \"Stuck\") { _ in StuckFlow() }",
        extra: """
          final class StuckFlow: StackCoordinator {
            enum Route: NavigationRoute { case start }
            let start = Route.start
            func destination(for route: Route) -> Destination { .unavailable("never") }
          }
          """), as: "Stuck", in: scratch,
      ["-L", scratch.folder.path, "-lStone", "-Xlinker", "-rpath", "-Xlinker", scratch.folder.path])
    let cache = try Scratch()
    let arguments = ["--plugin", path, "--plugin", "scenes", "--plugin", "clock", "--load-timeout", "0.3"]
    #expect(try run(arguments, "tab Scenes\nexpect Scene 1\n", cache: cache).status == 0)
    try scratch.file("stuck")
    let result = try run(
      arguments,
      """
      tab Scenes
      expect Scene 1
      tab Stuck
      expand Details
      expect The plugin stuck is not available: its code ran for more than 0.3 seconds during loading
      tab Clock
      expand Details
      expect could not be loaded within 0.3 seconds: the loading of '\(path)' has not ended and blocks other libraries
      tab Scenes
      expect Scene 1
      """, cache: cache)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func safeModeLoadsNothingBeforeItIsAskedTo() throws {
    let result = try run(
      ["--safe-mode", "--plugin", "scenes"],
      """
      expect [Scenes*]
      expand Details
      expect the app was started in safe mode
      tap Try again
      expect Go to Scene 2
      """)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: ["replaced", "gone"])
  func aFileThatIsAnotherWhenItIsLoadedIsNotLoaded(_ what: String) throws {
    let scratch = try Scratch()
    let path = try Zoo.chameleon("swapped", in: scratch)
    let size = try Zoo.good.count
    let before = try Data(contentsOf: URL(fileURLWithPath: path)).count
    let change =
      what == "gone"
      ? "removed after it was checked" : "changed after it was checked (\(before) bytes then, \(size) now)"
    let fifo = scratch.path("script")
    mkfifo(fifo, 0o600)
    let writer = Thread {
      guard let handle = FileHandle(forWritingAtPath: fifo), let good = try? Zoo.good else { return }
      handle.write(Data("tab Scenes\nexpect Scene 1\n".utf8))
      Thread.sleep(forTimeInterval: 0.5)
      if what == "gone" {
        unlink(path)
      } else if (try? scratch.file(".new", good)) != nil {
        rename(scratch.path(".new"), path)
      }
      handle.write(
        Data(
          """
          tab swapped
          expand Details
          expect the file was \(change)
          tab Scenes
          expect Scene 1

          """.utf8))
      try? handle.close()
    }
    writer.start()
    let result = try BuiltHost.run(["--plugin", path, "--plugin", "scenes", "--script", fifo])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func aNameThatIsNotUTF8HarmsNobody() throws {
    let scratch = try Scratch()
    let good = try scratch.file("good", Zoo.good).path
    let bytes = Array("\(scratch.folder.path)/lib".utf8) + [0xff, 0xfe] + Array(".so".utf8) + [0]
    let result = bytes.withUnsafeBytes { name in
      good.withCString { rename($0, name.bindMemory(to: CChar.self).baseAddress ?? $0) }
    }
    #expect(result == 0)
    let run = try run(["--plugins-dir", scratch.folder.path], "tab Scenes\nexpect Scene 1\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("was refused: there is no file"), "\(run.errors)")
  }

  @Test func aFolderForTheCacheThatCannotBeWrittenIsSaidAndHarmsNobody() throws {
    let scratch = try Scratch()
    try scratch.file("gangway")
    let result = try run(["--plugin", "scenes"], "expect Scene 1\n", cache: scratch)
    #expect(result.status == 0)
    #expect(result.errors.contains("Could not write the probe cache '"), "\(result.errors)")
    #expect(result.errors.contains("Not a directory"), "\(result.errors)")
  }

  @Test func whatIsKnownIsNotProbedAgainUnlessAskedFor() throws {
    let cache = try Scratch()
    func isProbed(_ options: [String]) throws -> Bool {
      let visit = try ZooKeeper.visit([], options: options, cache: cache.folder.path)
      return visit.messages.contains { if case .probing = $0 { true } else { false } }
    }
    #expect(try isProbed([]))
    #expect(try !isProbed([]))
    #expect(try isProbed(["--rescan"]))
  }

  @Test func aDependencyIsBroughtAlongAndLoadedFirst() throws {
    let scratch = try Scratch()
    _ = try Zoo.chameleon("base", in: scratch)
    _ = try Zoo.chameleon("needs-base", in: scratch)
    let result = try run(
      ["--plugins-dir", scratch.folder.path, "--plugin", "needs-base"], "tab needs-base\nexpect Nothing\ntab base\n")
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func aDependencyThatFailsLateTakesDownItsDependentsOnly() throws {
    let scratch = try Scratch()
    let paths = try ["unwilling", "needs-unwilling"].map { try Zoo.chameleon($0, in: scratch) }
    let result = try run(
      paths.flatMap { ["--plugin", $0] } + ["--plugin", "scenes"],
      """
      tab needs-unwilling
      expand Details
      expect it needs the plugin unwilling, whose state is 'failed': its registration failed: Trouble()
      tab Scenes
      expect Scene 1
      """)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func aWrongNumberOfSecondsIsWrongUsage() throws {
    let result = try BuiltHost.run(["--probe-timeout", "soon"])
    #expect(result.status == 64)
    #expect(result.errors.contains("--probe-timeout takes a number of seconds from 0.01 to 3600, not 'soon'"))
  }
}
