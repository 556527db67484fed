import Foundation
import FoundationXML
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import TestSupport
import Testing

/// The commands' explanations of plugins and of themselves.
@MainActor @Suite struct ExplanationTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test func aForgottenEntryIsExplainedByIDAndByPath() async throws {
    let library = try await workshop.plugin("Forgotten", "import Gangway\nlet id: ContributionID? = nil")
    let byPath = try await workshop.gangway(["why", library])
    let byID = try await workshop.gangway(["why", "forgotten", "--plugins-dir", workshop.folder])
    for answer in [byPath, byID] {
      #expect(answer.code == 1)
      #expect(answer.output.contains("exportPlugin(ForgottenPlugin.self)"), "\(answer)")
      #expect(answer.output.contains("the plugin to the host is missing"))
      // There is nothing to validate.
      #expect(!answer.output.contains("fix"))
    }
    let doctor = try await workshop.gangway(["doctor", "--plugins-dir", workshop.folder])
    #expect(doctor.code == 0)
    #expect(
      doctor.output.contains("! '\(library)' uses the framework but exports no 'gangway_plugin'"), "\(doctor.output)")
    // A library without any relation to plugins gets no explanation.
    try await workshop.constructor("Plain", "")
    let plain = try await workshop.gangway(["why", workshop.path("libPlain.so")])
    #expect(plain.code == 1 && !plain.output.contains("is probably a plugin"), "\(plain)")
  }

  @Test func whySaysTheSameForAnIDAndItsPathAndWhereAFileIsNotLookedFor() async throws {
    let installed = "\(Workshop.built)/libClock.so"
    let byID = try await workshop.gangway(["why", "clock"])
    let byPath = try await workshop.gangway(["why", installed])
    #expect(byID.output == byPath.output && byID.output.hasPrefix("clock 1.0.0: registered, installed\n"))
    let copy = workshop.path("libClock.so")
    try FileManager.default.copyItem(atPath: installed, toPath: copy)
    let elsewhere = try await workshop.gangway(["why", copy])
    #expect(elsewhere.output.hasPrefix("clock 1.0.0: registered, not in a folder that is searched for plugins\n"))
    // A file of the same name hides later ones in the search path.
    let hiding = try await workshop.gangway(["why", "clock", "--plugins-dir", workshop.folder])
    #expect(hiding.output == "clock 1.0.0: registered, installed\n  file   \(copy)\n")
    // For a duplicate id, both files are listed, with the reason why one is refused.
    _ = try await workshop.plugin(
      "OtherClock",
      """
      import Gangway
      final class OtherClock: Plugin {
        static let id = "clock", version = "2.0.0"
        func register(in registry: Registrar) {}
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(OtherClock.self) }
      """)
    let both = try await workshop.gangway(["why", "clock", "--plugins-dir", workshop.folder])
    #expect(both.code == 1)
    for part in ["file   \(copy)\n", "file   \(workshop.path("libOtherClock.so"))\n", "(duplicate-id)"] {
      #expect(both.output.contains(part), "\(both.output)")
    }
  }

  @Test func anAppThatIsStoppedIsNotWaitedForForever() async throws {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let ended = terminal.run(
      Workshop.built + "/gangway", ["run", "--plugin", "clock", "--fresh"],
      [
        "XDG_STATE_HOME": workshop.path("state"), "XDG_DATA_HOME": workshop.path("data"),
        "XDG_CACHE_HOME": Workshop.caches,
      ])
    #expect(await terminal.await("Time zones"))
    let app = try await terminal.process
    let running = try await workshop.gangway(["why", "clock"])
    #expect(running.output.contains("clock 1.0.0: active, in the app of process \(app)"), "\(running)")
    let reloaded = try await workshop.gangway(["reload", "clock"])
    #expect(reloaded.output.contains("in the app of process \(app): "), "\(reloaded)")
    kill(app, SIGSTOP)
    let begin = ContinuousClock.now
    let stopped = try await workshop.gangway(["why", "clock"])
    #expect(stopped.code == 0)
    #expect(stopped.errors.contains("the app of process \(app) did not answer"), "\(stopped)")
    #expect(ContinuousClock.now - begin < Patience.allowed(.seconds(20)))
    kill(app, SIGCONT)
    #expect(await terminal.end(ended) == .exited(128 + SIGTERM))
  }

  /// The same options as in `gangway run` give the state that the app would have.
  @Test func whatIsLeftOutIsLeftOutInEveryCommand() async throws {
    let why = try await workshop.gangway(["why", "todos", "--without", "account"])
    #expect(why.code == 1 && why.output.contains("account 1.0.0 or later, and it was left out"), "\(why.output)")
    let itself = try await workshop.gangway(["why", "account", "--without", "account"])
    #expect(itself.output.contains("start the app without the option --without"), "\(itself.output)")
    let list = try await workshop.gangway(["list", "--without", "hello"])
    #expect(!list.output.contains("hello") && list.output.contains("scenes"), "\(list.output)")
    // A misspelled name would show another app.
    for command in ["why", "logs"] {
      let wrong = try await workshop.gangway([command, "todos", "--without", "acount"])
      #expect(wrong.code == 1 && wrong.errors.contains("Did you mean 'account'?"), "\(wrong.errors)")
    }
  }

  @Test func theGraphIsDrawnInThreeWays() async throws {
    let text = try await workshop.gangway(["graph", "--format", "text"])
    #expect(text.output.contains("scenes 1.0.0\n└─ shows hello.greet of hello\n"), "\(text.output)")
    #expect(text.output.contains("hello 1.0.0   for scenes\n"))
    let picture = try await workshop.gangway(["graph", "--format", "svg"])
    let parser = XMLParser(data: Data(picture.output.utf8))
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(picture.output.hasPrefix("<svg ") && picture.output.contains(">scenes</text>"))
    #expect(picture.output.components(separatedBy: "<path class=\"edge").count == 4)
    let unknown = try await workshop.gangway(["graph", "--format", "png"])
    #expect(unknown.code == 64 && unknown.errors.contains("svg"))
  }

  @Test func aCircleOfNeedsAndAPluginThatIsNotThereAreDrawn() async throws {
    for (name, other) in [("Ring", "ear"), ("Ear", "ring")] {
      _ = try await workshop.plugin(
        name,
        """
        import Gangway
        final class \(name)Plugin: Plugin {
          static let id = "\(name.lowercased())", version = "1.0.0"
          func register(in registry: Registrar) {
            registry.depends(on: "\(other)")
            registry.depends(on: "nobody", isOptional: true)
          }
        }
        @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(\(name)Plugin.self) }
        """)
    }
    let folder = ["--plugins-dir", workshop.folder]
    let text = try await workshop.gangway(["graph", "--format", "text"] + folder)
    #expect(text.output.contains("ring 1.0.0  refused   for ear\n├─ needs ear\n└─ uses nobody\n"), "\(text.output)")
    #expect(text.output.contains("nobody  not installed   for ear, ring\n"))
    let picture = try await workshop.gangway(["graph", "--format", "svg"] + folder)
    #expect(XMLParser(data: Data(picture.output.utf8)).parse())
    #expect(picture.output.contains("not installed"))
  }

  @Test(arguments: [
    "run", "dev", "new", "reload", "list", "routes", "graph", "inspect", "why", "validate", "doctor", "env", "logs",
    "replay",
  ])
  func theHelpOfEveryCommandHasExamplesOfWhatItTakes(_ command: String) async throws {
    let help = try await workshop.gangway([command, "--help"])
    #expect(help.code == 0)
    let parts = help.output.components(separatedBy: "EXAMPLES:")
    try #require(parts.count == 2, "\(help.output)")
    let lines = parts[1].split(separator: "\n").map { String($0) }
    let examples = lines.prefix { !$0.hasPrefix("USAGE") }.filter { $0.hasPrefix("  gangway ") }
    #expect(!examples.isEmpty)
    let usage = parts[1].components(separatedBy: "OPTIONS:").last ?? ""
    for example in examples {
      #expect(example.hasPrefix("  gangway \(command)"), "\(example)")
      for option in example.split(separator: " ") where option.hasPrefix("--") {
        #expect(usage.contains("\(option) ") || usage.contains("\(option)\n"), "\(option) of \(example)")
      }
    }
  }

  @Test func aShellIsOfferedIDsFilesAndLinks() async throws {
    func offered(_ words: [String], _ option: String, _ command: String) async throws -> [String] {
      let answer = try await workshop.gangway(
        ["---completion", command, "--", option, "\(words.count - 1)", "\(words.last?.count ?? 0)"] + words,
        more: ["SAP_SHELL": "bash", "SAP_SHELL_VERSION": "5.2"])
      return answer.output.split(separator: "\n").map(String.init)
    }
    #expect(try await offered(["gangway", "run", "--plugin", ""], "--plugin", "run").contains("clock"))
    let prefix = Workshop.built + "/libSc"
    #expect(try await offered(["gangway", "run", "--plugin", prefix], "--plugin", "run").contains(prefix + "enes.so"))
    let links = try await offered(["gangway", "run", "--open", ""], "--open", "run")
    #expect(links.contains("gangway://clock/zones") && links.contains("gangway://gallery/"), "\(links)")
  }
}
