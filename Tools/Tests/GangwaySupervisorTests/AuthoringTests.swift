import Foundation
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import TestSupport
import Testing

/// The commands for authors, as an author types them.
@MainActor @Suite struct AuthoringTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test func aNewPluginIsMadeAndNothingIsWrittenOver() async throws {
    let made = try await workshop.gangway(["new", "MyTodos", "--in", workshop.folder])
    #expect(made.code == 0, "\(made.errors)")
    #expect(made.output == workshop.path("MyTodos") + "\n")
    let source = try String(
      contentsOfFile: workshop.path("MyTodos/Sources/MyTodos/MyTodosPlugin.swift"), encoding: .utf8)
    #expect(source.contains(#"static let id = "my-todos""#))
    let again = try await workshop.gangway(["new", "MyTodos", "--in", workshop.folder])
    #expect(again.code == 1)
    #expect(again.errors.contains("already exists"))
    // Not the error's fields.
    let nowhere = try await workshop.gangway(["new", "MyTodos", "--in", "/proc"])
    #expect(nowhere.code == 1)
    #expect(
      nowhere.errors.contains("'/proc/MyTodos' could not be written: No such file or directory"), "\(nowhere.errors)")
  }

  @Test(arguments: [
    ("todos", "Did you mean 'Todos'?"), ("My-Todos", "Did you mean 'MyTodos'?"), ("Gangway", "Choose another name"),
    ("7up", "Begin with a capital letter"), ("", "Begin with a capital letter"),
  ])
  func aNameThatIsNoneOfAModuleIsWrongUsage(_ name: String, _ hint: String) async throws {
    let result = try await workshop.gangway(["new", name, "--in", workshop.folder])
    #expect(result.code == 64)
    #expect(result.errors.contains(hint), "\(result.errors)")
  }

  @Test func whySaysStateStepCauseAndTheCommandThatMends() async throws {
    try "x".write(toFile: workshop.path("libBad.so"), atomically: true, encoding: .utf8)
    let bad = try await workshop.gangway(["why", "bad", "--plugins-dir", workshop.folder])
    #expect(bad.code == 1)
    #expect(
      bad.output == """
        \(workshop.path("libBad.so")): refused, installed
          at     file (not-elf)
          why    it is not an ELF file: it does not begin with 7f 45 4c 46. Name a shared library built for Linux.
          file   \(workshop.path("libBad.so"))
          fix    swift build --package-path PATH-OF-ITS-PACKAGE

        """)
    let fine = try await workshop.gangway(["why", "scenes"])
    #expect(fine.code == 0)
    #expect(fine.output.hasPrefix("scenes 1.0.0: registered, installed\n"))
    let unknown = try await workshop.gangway(["why", "scens"])
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("Did you mean 'scenes'?"))
  }

  @Test func inspectShowsWhatTheFileSays() async throws {
    let result = try await workshop.gangway(["inspect", "clock"])
    #expect(result.code == 0)
    for part in ["needs  lib", "built  \(Workshop.marker)", "has    tab clock.time", "has    link clock/zones"] {
      #expect(result.output.contains(part), "\(result.output)")
    }
    let json = try await workshop.gangway(["inspect", "clock", "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["format"] as? Int == 1)
    #expect(((object?["library"] as? [String: Any])?["entries"] as? Int) == 1)
  }

  @Test func theGraphIsMermaid() async throws {
    let result = try await workshop.gangway(["graph"])
    #expect(result.output.hasPrefix("graph LR\n"))
    #expect(result.output.contains("  p_scenes -. shows hello.greet .-> p_hello\n"))
  }

  @Test func theDoctorIsContentOrNamesTheCommandThatMends() async throws {
    let fine = try await workshop.gangway(["doctor"])
    #expect(fine.code == 0, "\(fine.output)")
    #expect(!fine.output.contains("✗") && !fine.output.contains("\u{1b}"))
    try "x".write(toFile: workshop.path("libBad.so"), atomically: true, encoding: .utf8)
    let bad = try await workshop.gangway(["doctor", "--plugins-dir", workshop.folder])
    #expect(bad.code == 1)
    #expect(bad.output.contains("✗ \(workshop.path("libBad.so")): it is not an ELF file"))
    // The last line summarizes all findings, for readers who read only that line.
    #expect(fine.output.contains("✓ the toolchain is Swift 6."))
    let summary = try #require(bad.output.split(separator: "\n").last)
    let marks = bad.output.split(separator: "\n").filter { "✓!✗".contains($0.first ?? " ") }
    #expect(summary.hasPrefix("\(marks.count) checks: ") && summary.hasSuffix("1 broken."), "\(summary)")
    let json = try await workshop.gangway(["doctor", "--json", "--plugins-dir", workshop.folder])
    #expect(json.code == 1)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let states = (object?["checks"] as? [[String: Any]])?.compactMap { $0["state"] as? String }
    #expect(states?.count == marks.count && states?.filter { $0 == "broken" }.count == 1)
    let other = try await workshop.gangway(["doctor", "--host", "/bin/echo"])
    #expect(other.code == 1)
    #expect(
      other.output.contains("✗ '/bin/echo' is not a host. Its answer to --version: 'echo (GNU"), "\(other.output)")
    let broken = try await workshop.gangway(["doctor", "--host", "/nowhere/gangway-host"])
    #expect(broken.code == 1)
    #expect(
      broken.output.contains(
        "✗ the host '/nowhere/gangway-host' cannot be started: No such file or directory\n    script/build"))
  }

  @Test func envNamesVersionsAndPlaces() async throws {
    let result = try await workshop.gangway(["env"])
    #expect(result.code == 0)
    #expect(result.output.contains("markers          \(Workshop.marker), gangway_compiler_swift_6_3"))
    #expect(result.output.contains("state            \(workshop.path("state"))/gangway"))
    let json = try await workshop.gangway(["env", "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect((object?["values"] as? [String: String])?["state"] == "\(workshop.path("state"))/gangway")
  }

  @Test(arguments: [
    ["inspect", "clok"], ["why", "clok"], ["logs", "clok"], ["validate", "clok"],
    ["run", "--without", "clok", "--script", "/dev/null"], ["run", "--plugin", "clok", "--script", "/dev/null"],
  ])
  func aNameThatIsNobodysIsRefusedWithTheNearest(_ arguments: [String]) async throws {
    let result = try await workshop.gangway(arguments)
    #expect(result.code == 1)
    #expect(result.output.isEmpty, "\(result.output)")
    #expect(result.errors.contains("there is no plugin 'clok'"), "\(result.errors)")
    #expect(result.errors.contains("Did you mean 'clock'?"), "\(result.errors)")
  }

  @Test func aCommandThatThereIsNoneOfIsRefusedWithTheNearest() async throws {
    let result = try await workshop.gangway(["lst"])
    #expect(result.code == 64)
    let expected =
      "error: there is no command 'lst'. Did you mean 'list'? Commands: run, serve, ps, attach, stop, open, "
    #expect(result.errors.hasPrefix(expected), "\(result.errors)")
  }

  @Test func theCauseIsJSONOnRequest() async throws {
    let result = try await workshop.gangway(["why", "clock", "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let states = object?["states"] as? [[String: Any]]
    #expect(states?.first?["place"] as? String == "installed")
    #expect((states?.first?["status"] as? [String: Any])?["id"] as? String == "clock")
  }

  @Test func withoutPluginsThereIsSomethingToDo() async throws {
    let empty = workshop.path("bin")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    for name in ["gangway-host", "libGangway.so"] {
      try FileManager.default.copyItem(atPath: Workshop.built + "/" + name, toPath: empty + "/" + name)
    }
    let host = ["--host", empty + "/gangway-host"]
    #expect(try await workshop.gangway(["list"] + host).errors.contains("`gangway new Hello` creates one"))
    let run = try await workshop.gangway(["run", "--frontend", "plain"] + host, input: "screen\n")
    #expect(run.output.contains("gangway new Hello"), "\(run.output)")
  }

  @Test func logsAreThoseOfAPlugin() async throws {
    let none = try await workshop.gangway(["logs"])
    #expect(none.code == 1)
    #expect(none.errors.contains("there is no log"))
    try FileManager.default.createDirectory(atPath: workshop.path("state/gangway"), withIntermediateDirectories: true)
    try "[a] one\nnoise\n[ab] two\n[a] three\n".write(
      toFile: workshop.path("state/gangway/host.log"), atomically: true, encoding: .utf8)
    #expect(try await workshop.gangway(["logs", "a"]).output == "[a] one\n[a] three\n")
    #expect(try await workshop.gangway(["logs"]).output.contains("noise"))
  }

  @Test func aGoodPluginIsValid() async throws {
    for plugin in ["Scenes", "Clock", "Hello", "Blither"] {
      let result = try await workshop.gangway(
        ["validate", "\(Workshop.built)/lib\(plugin).so", "--steps", "60", "--seed", "3"])
      #expect(result.code == 0, "\(result.output)")
      // The plugin Hello has no tab, so its place is shown from an empty screen.
      #expect(result.output.contains("✓ survives a random walk: 60 steps, seed 3"))
    }
  }

  @Test func whatIsWrongWithAPluginIsFoundAndCanBeFoundAgain() async throws {
    let trouble = try await workshop.trouble()
    let result = try await workshop.gangway(["validate", trouble, "--json"])
    #expect(result.code == 1)
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let checks = object?["checks"] as? [[String: Any]] ?? []
    let finding = checks.first { $0["isFine"] as? Bool == false }
    #expect(finding?["name"] as? String == "keeps running")
    let detail = finding?["detail"] as? String ?? ""
    #expect(
      detail.contains("the process crashed or took too long (signal 6)") && detail.contains("step")
        && detail.contains("seed 1"), "\(detail)")
    #expect(result.errors.contains("To repeat this run: gangway validate '\(trouble)' --seed 1 --steps 200"))
    let again = try await workshop.gangway(["validate", trouble, "--json"])
    #expect(again.output == result.output)
  }

  @Test func whatDoesNotComeBackIsShownWithBoth() async throws {
    let path = try await workshop.plugin(
      "Leaky",
      """
      import Gangway
      import Observation
      @Observable final class Leaky: StackCoordinator {
        enum Route: NavigationRoute { case start }
        let start = Route.start
        var forgotten = 0
        func destination(for route: Route) -> Destination { .screen { LeakyScreen(leaky: self) } }
      }
      struct LeakyScreen: Screen {
        let leaky: Leaky
        var body: some Content {
          Text("Count \\(leaky.forgotten)")
          Button("Count") { leaky.forgotten += 1 }
        }
      }
      final class LeakyPlugin: Plugin {
        static let id = "leaky", version = "1.0.0"
        func register(in registry: Registrar) { registry.tab("main", title: "Leaky") { _ in Leaky() } }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(LeakyPlugin.self) }
      """)
    let result = try await workshop.gangway(["validate", path, "--steps", "5"])
    #expect(result.code == 1)
    #expect(
      result.output.contains(
        "✗ restores its screens: after step 1, tap on 'Count', line 3 of the screen was 'Count 1', and was restored "
          + "as 'Count 0'"
      ),
      "\(result.output)")
  }

  @Test func aRunningAppIsReachedByOtherCommands() async throws {
    let nobody = try await workshop.gangway(["reload", "scenes"])
    #expect(nobody.code == 1)
    #expect(nobody.errors.contains("none of your apps is running"))
    let supervisor = try workshop.supervisor(["scenes"])
    _ = try await supervisor.start()
    let folder = workshop.path("state/gangway/run")
    let socket = try ControlSocket(folder: folder, supervisor)
    let done = try await workshop.gangway(["reload", "scenes"])
    #expect(done.code == 0, "\(done.errors)")
    #expect(
      done.output == "in the app of process \(getpid()): The plugin scenes 1.0.0 was reloaded.\n")
    let wrong = try await workshop.gangway(["reload", "scens"])
    #expect(wrong.code == 1)
    #expect(wrong.errors.contains("There is no plugin 'scens' in this app. Did you mean 'scenes'?"))
    let why = try await workshop.gangway(["why", "scenes"])
    #expect(why.output.contains("scenes 1.0.0: active, in the app of process \(getpid())"))
    socket.stop()
    await supervisor.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func theSocketOfAnAppThatIsGoneIsRemoved() async throws {
    let folder = workshop.path("run")
    let socket = try ControlSocket(folder: folder, AnsweringApp(""))
    let path = "\(folder)/99999999.sock"
    try FileManager.default.moveItem(atPath: "\(folder)/\(getpid()).sock", toPath: path)
    socket.stop()
    try await eventually { RunningApps(folder: folder).apps.isEmpty }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
