import Foundation
@_spi(FrontEnd) import GangwayHost
import Testing

/// The host alone: its options, and the commands of the plain front end.
@Suite struct HostCommandTests {
  private let scenes = ["--plugin", "scenes", "--plugin", "hello", "--script", "-"]

  @Test func aScriptPrintsOnlyWhatItAsksFor() throws {
    let result = try BuiltHost.run(
      scenes, input: "# a comment\n\nset Text = hi there\ntap Go to Scene 2\nscreen\nback\nscreen\n")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        [Scenes*]
        Scene 1 > Scene 2
        You typed: hi there
        [Scenes*]
        Scene 1
        Text: [hi there]
        Go to Scene 2
        Open Scene 3
        Greet

        """)
  }

  /// The zone comes from the user's environment. With any value, the user can enter dates, and nothing else fails.
  @Test(arguments: ["Nowhere/City", "Pacific/Apia", "America/St_Johns", "../../etc/passwd", ":%", "", "UTC+99:99:99"])
  func datesAreEnteredInAnyZone(_ zone: String) throws {
    let result = try BuiltHost.run(
      ["--plugin", "gallery", "--script", "-"],
      input: """
        open gangway://gallery/dates
        set Day = 2027-01-02
        expect Day: [2027-01-02]
        set Time = 23:59
        expect Time: [23:59]
        expect Both: [2027-01-02T23:59]
        set Both = 0000-01-01T00:00
        expect The year 0 is not between 1 and 9999.
        set Both = 9999-12-31T23:59
        expect Day: [9999-12-31]
        """, environment: ["TZ": zone])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func withoutAScriptEachChangeIsPrintedAndAMistakeCountsAtTheEnd() throws {
    let result = try BuiltHost.run(["--plugin", "scenes"], input: "tap Nix\ntap Open Scene 3\n")
    #expect(result.status == 1)
    #expect(result.output.components(separatedBy: "[Scenes*]").count == 3)
    #expect(result.errors.contains("There is no 'Nix' on the screen."))
  }

  @Test func helloIsShownUnderScenes() throws {
    let result = try BuiltHost.run(scenes, input: "set Text = Ann\ntap Greet\ntap Greet again\ntree\n")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        root  "Root"  -  RootCoordinator  -
          tab  "Scenes"  scenes.main  ScenesCoordinator  scenes
            push  "Scene 1"  scene1  -  scenes
            push  "Greeting"  greeting(name: "Ann")  Hello  hello
              push  "Greeting"  greeting("Ann")  -  hello
              push  "Greeting"  greeting("Ann")  -  hello

        """)
  }

  @Test func withoutHelloGreetIsDisabledAndSaysWhy() throws {
    let result = try BuiltHost.run(["--without", "hello", "--script", "-"], input: "screen\ntap Greet\n")
    #expect(result.status == 1)
    #expect(
      result.output.contains("Greet (unavailable: This needs a feature that is not installed.)"))
    #expect(result.errors.contains("line 2: 'Greet' is not available"))
  }

  @Test(arguments: [
    ("tap", "line 1: 'tap' needs a label: tap LABEL."), ("tap Nix", "line 1: There is no 'Nix' on the screen."),
    ("tpa Greet", "line 1: There is no command 'tpa'. Did you mean 'tap'?"),
    ("set Text", "line 1: 'set' needs a label and a value: set LABEL = VALUE. It got 'Text'."),
    ("set Greet = x", "line 1: The button 'Greet' does not support this action."),
    ("cell 0 1", "line 1: 'cell' needs two numbers counted from 1"), ("cell 1 1", "There is no grid on the screen."),
    ("tab Sences", "line 1: There is no tab 'Sences'. Did you mean 'Scenes'? Tabs: 'Scenes'."),
    ("back", "line 1: This is the first screen."), ("dismiss", "line 1: There is nothing to close."),
    ("refuse Greet", "line 1: 'Greet' is on the screen, but must not be. The screen is:"),
    ("wait soon", "'wait' needs a number of seconds"), ("restart", "line 1: restart needs a supervisor"),
    ("\nback", "line 2: This is the first screen."),
  ])
  func aMistakeEndsAScriptWithItsLine(_ line: String, _ message: String) throws {
    let result = try BuiltHost.run(scenes, input: line + "\nscreen\n")
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func anExpectationThatFailsShowsTheScreen() throws {
    let started = ContinuousClock.now
    let result = try BuiltHost.run(scenes, input: "expect Scene 9\n")
    #expect(result.status == 1)
    #expect(result.errors.contains("is not on the screen, but the script expects it. The screen is:\n[Scenes*]"))
    #expect(ContinuousClock.now - started < .seconds(20))
  }

  @Test func anExpectationWaitsForWhatComesByItself() throws {
    let soon = Int(Date().timeIntervalSince1970) + 2
    let time = [soon / 3600 % 24, soon / 60 % 60, soon % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    let result = try BuiltHost.run(
      ["--plugin", "clock", "--script", "-"], input: "expect \(time.joined(separator: ":"))\n")
    #expect(result.status == 0, "\(result.errors)")
    let ticking = try BuiltHost.run(
      ["--plugin", "clock", "--script", "-"], input: "screen\nwait 1.2\nscreen\n")
    #expect(ticking.status == 0)
    #expect(Set(ticking.lines.filter { $0.contains(":") && !$0.contains("hours") }).count == 2)
  }

  @Test func theEndOfInputQuits() throws {
    #expect(try BuiltHost.run(["--plugin", "scenes"], input: "").status == 0)
    #expect(try BuiltHost.run(["--plugin", "scenes"], input: "quit\ntap Nix\n").status == 0)
  }

  @Test(arguments: [
    (["--frob"], "There is no option '--frob'."), (["--plugin"], "--plugin needs a value."),
    (["--open"], "--open needs a value."),
  ])
  func wrongUsageIs64(_ arguments: [String], _ message: String) throws {
    let result = try BuiltHost.run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(message))
    #expect(result.output.isEmpty)
  }

  @Test func helpAndVersionAreResults() throws {
    let help = try BuiltHost.run(["--help"])
    #expect(help.status == 0)
    #expect(help.output.hasPrefix("Usage: gangway-host"))
    #expect(try BuiltHost.run(["--version"]).output == "gangway-host \(Host.version), protocol 1.0\n")
  }

  @Test func anUnknownIDNamesThoseThereAre() throws {
    let result = try BuiltHost.run(["--plugin", "weather"])
    #expect(result.status == 1)
    #expect(result.errors.contains("there is no plugin 'weather': no library of that name or id in"))
    let found = "Found: account, blither, clock, files, gallery, hello, monitor, scenes, shapes, todos, welcome."
    #expect(result.errors.contains(found), "\(result.errors)")
  }

  @Test func aFolderWithoutPluginsIsSaidAndTheOthersRun() throws {
    let scratch = try Scratch()
    let result = try BuiltHost.run(["--plugins-dir", scratch.folder.path, "--script", "-"], input: "expect Scene 1\n")
    #expect(result.status == 0)
    #expect(result.errors.contains("The folder '\(scratch.folder.path)' of --plugins-dir contains no plugin."))
  }

  @Test(arguments: [[], ["--fit"], ["--validate", "libClock.so"]])
  func aFolderThatIsNotThereIsRefused(_ arguments: [String]) throws {
    let scratch = try Scratch()
    let folder = scratch.folder.path + "/nope"
    let result = try BuiltHost.run(arguments + ["--plugins-dir", folder], input: "screen\n")
    #expect(result.status == 66)
    #expect(result.output.isEmpty)
    #expect(
      result.errors.hasPrefix("gangway-host: --plugins-dir: the folder '\(folder)' could not be read: No such file"))
  }

  @Test func aScriptThatIsNotThereIsRefused() throws {
    let result = try BuiltHost.run(["--script", "/nowhere"])
    #expect(result.status == 66)
    #expect(result.errors.contains("The script '/nowhere' could not be read: No such file or directory."))
    #expect(result.output.isEmpty)
  }

  @Test func aScriptThatIsAFolderIsRefused() throws {
    let scratch = try Scratch()
    let result = try BuiltHost.run(["--plugin", "scenes", "--script", scratch.folder.path])
    #expect(result.status == 66)
    #expect(result.errors.contains("could not be read: it is a folder"))
  }

  @Test func aHostWithoutAnyPluginSaysSo() throws {
    let scratch = try Scratch()
    for file in ["gangway-host", "libGangway.so"] {
      try FileManager.default.copyItem(atPath: BuiltHost.folder + "/" + file, toPath: scratch.path(file))
    }
    let result = try BuiltHost.run(["--script", "-"], input: "screen\n", executable: scratch.path("gangway-host"))
    #expect(result.status == 0)
    #expect(result.output.contains("No feature has a tab."))
    #expect(result.errors.contains("No plugin was found in '\(scratch.folder.path)'."), "\(result.errors)")
  }

  @Test func aHostWithoutItsFrameworkSaysSo() throws {
    let scratch = try Scratch()
    try FileManager.default.copyItem(
      atPath: BuiltHost.executable, toPath: scratch.path("gangway-host"))
    let result = try BuiltHost.run([], executable: scratch.path("gangway-host"))
    #expect(result.status == 70)
    #expect(result.errors.contains("libGangway.so"))
    #expect(result.errors.contains("Install gangway-host and libGangway.so from one build in one folder."))
  }

  @Test func theEnvironmentNamesFoldersToo() throws {
    let scratch = try Scratch()
    _ = try Zoo.swift(Zoo.plugin("Extra"), as: "Extra", in: scratch)
    let found = try BuiltHost.run(
      ["--plugin", "extra", "--script", "-"], input: "screen\n",
      environment: ["GANGWAY_PLUGIN_PATH": scratch.folder.path])
    #expect(found.status == 0, "\(found.errors)")
    let relative = try BuiltHost.run(
      ["--plugin", "extra", "--script", "-"], input: "screen\n", environment: ["GANGWAY_PLUGIN_PATH": "somewhere"])
    #expect(relative.status == 1)
  }
}

/// Blither as a loaded library: the same game as in its own tests and in those of the terminal.
@Suite struct BlitherInHostTests {
  @Test func aScriptPlaysAWinningGame() throws {
    let scratch = try Scratch()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Plugins/Blither/Tests/Scripts/winning-game.txt").path
    let result = try BuiltHost.run(
      ["--plugin", "blither", "--script", script], environment: ["XDG_DATA_HOME": scratch.folder.path])
    #expect(result.status == 0, "\(result.errors)")
  }
}
