import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// The findings of `gangway validate`: it names an author's mistakes, and accepts ordinary code.
@MainActor @Suite struct ValidationTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// An author's mistake, with the expected finding.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The lines of `register(in:)`, the coordinator's members, its destination and the screen's body.
    var register = ""
    var members = ""
    var destination = ".screen { router in Main(flow: self, router: router) }"
    var body = "Text(\"fine\")"
    let check: String
    let finding: String
  }

  nonisolated private static let mistakes = [
    Mistake(
      testDescription: "registers something else in each process",
      register: "registry.slot(\"s\\(getpid())\", of: Int.self)",
      check: "registers the same twice", finding: "it registers other contributions than when it was probed"),
    Mistake(
      testDescription: "a dead link", register: "registry.link(\"dead\") { (_: NoPayload) in Flow.Route.gone }",
      check: "opens its links", finding: "gangway://dead: "),
    Mistake(
      testDescription: "a tab that cannot be shown", destination: ".unavailable(\"no screen was written\")",
      check: "shows its tabs", finding: "no screen was written"),
    Mistake(
      testDescription: "a key of the front end's", body: "Button(\"Processes\") {}.keyboardShortcut(\"p\")",
      check: "shows its tabs",
      finding: "The button 'Processes' asks for Ctrl-P. Front ends use Ctrl-P for 'go anywhere, run any command'"),
    Mistake(
      testDescription: "two elements of one id on the first screen",
      body: "Text(\"one\").id(\"same\")\nText(\"two\").id(\"same\")",
      check: "shows its tabs", finding: "Two elements have the id 'same'"),
    Mistake(
      testDescription: "two elements of one id behind a link",
      register: "registry.link(\"twins\") { (_: NoPayload) in Flow.Route.twins }",
      check: "opens its links", finding: "gangway://twins: 'Twins': Two elements have the id 'same'"),
    Mistake(
      testDescription: "what is not stored", members: "var count = 0",
      body: "Text(\"Count \\(flow.count)\")\nButton(\"Count\") { flow.count += 1 }",
      check: "restores its screens", finding: "was 'Count 1', and was restored as 'Count 0'"),
    Mistake(
      testDescription: "a difference that cannot be seen", members: "var mark = \"e\\u{301}\"",
      body: "Text(\"Mark \\(flow.mark)\")\nButton(\"Turn\") { flow.mark = \"e\\u{200b}\\u{301}\" }",
      check: "restores its screens", finding: "'Mark e\\u{200B}\\u{301}', and was restored as 'Mark e\\u{301}'"),
    Mistake(
      testDescription: "a trap", body: "Button(\"Trap\") { let none: [Int] = []; _ = none[flow.path.count] }",
      check: "goes on", finding: "the process ended with signal"),
    Mistake(
      testDescription: "an exit", body: "Button(\"Leave\") { exit(3) }", check: "goes on",
      finding: "it ended the process with code 3"),
    Mistake(
      testDescription: "a button that fails",
      body: "Button(\"Fail\") { throw NavigationError(.payload, \"the disk is full\") }",
      check: "survives a random walk", finding: "the disk is full"),
    Mistake(
      testDescription: "work without an end",
      body: "Button(\"Spin\") { while true { try await Task.sleep(for: .seconds(1)) } }",
      check: "survives a random walk", finding: "its work did not end within 5 seconds"),
    Mistake(
      testDescription: "a route to nowhere", body: "Button(\"Go\") { try await router.show(.gone) }",
      check: "survives a random walk", finding: "tap on 'Go'"),
    Mistake(
      testDescription: "a trap behind content that loads", members: "var isThere = false",
      body: """
        if flow.isThere {
          Button("Trap") { let none: [Int] = []; _ = none[flow.path.count] }
        } else {
          Progress("Loading").task {
            try? await Task.sleep(for: .seconds(1))
            flow.isThere = true
          }
        }
        """, check: "goes on", finding: "tap on 'Trap'"),
    Mistake(
      testDescription: "a walk without steps", check: "survives a random walk",
      finding: "0 steps: nothing can be pressed on 'Main'"),
    Mistake(
      testDescription: "content that never loads",
      body: "Progress(\"Counting\").task { try? await Task.sleep(for: .seconds(600)) }",
      check: "survives a random walk",
      finding: "0 steps: nothing could be pressed on 'Main' within 10 seconds, and its work has not ended. It still "
        + "shows 'Counting'"),
    Mistake(
      testDescription: "a link that nobody can open",
      register: "registry.link(\"gone/:id\") { (_: Int) in Flow.Route.gone }",
      check: "opens its links",
      finding: "gone/:id was not opened: it needs parameters. Pass samples: at its registration"),
    Mistake(
      testDescription: "a link that fails with its sample",
      register: "registry.link(\"gone/:id\", samples: [7]) { (_: Int) in Flow.Route.gone }",
      check: "opens its links", finding: "gangway://gone/7: "),
    Mistake(
      testDescription: "a place that nobody can show", register: "registry.place(\"other\") { (_: Int) in Flow() }",
      check: "shows its places", finding: "mistaken.other was not shown: it needs a payload. Pass samples:"),
    Mistake(
      testDescription: "a place that fails", register: "registry.place(\"other\", samples: [1]) { (_: Int) in Gone() }",
      check: "shows its places", finding: "the place mistaken.other: "),
    Mistake(
      testDescription: "a badge that is known too late",
      register: """
        registry.service { _ in Count() }
        registry.tab("count", title: "Count", label: { TabLabel(badge: (try? $0.service(Count.self))?.all ?? 0) }) {
          Counted(try $0.service())
        }
        """, check: "restores its screens", finding: "[Count (3)]"),
    Mistake(
      testDescription: "another feature given what it does not take",
      register: "registry.uses(place: \"hello.greet\", with: 27)", check: "fits the installed plugins",
      finding: "The plugin mistaken shows hello.greet with Int 27, and the plugin hello takes String"),
    Mistake(
      testDescription: "a misspelled place of a plugin that is installed and optional",
      register: "registry.uses(place: \"hello.gret\", with: \"Ann\", isOptional: true)",
      check: "fits the installed plugins", finding: "Did you mean 'hello.greet'?"),
    Mistake(
      testDescription: "a result of another type than the other feature's",
      register: "registry.uses(place: \"hello.greet\", with: \"Ann\", endingWith: [\"how\": 1])",
      check: "fits the installed plugins", finding: "as the result of hello.greet, and the plugin hello ends it with"),
    Mistake(
      testDescription: "a screen whose link opens another screen",
      register: """
        registry.link("item/:number", samples: [1]) { (number: Int) in
          Flow.Route.item(number)
        } url: { route in
          if case .item(let number) = route { number + 1 } else { nil }
        }
        """, check: "opens its links",
      finding: "the link item/:number names this screen gangway://item/2, which opens another one"),
    Mistake(
      testDescription: "a flow that stays in memory", register: "registry.place(\"kept\") { (_: NoPayload) in Kept() }",
      check: "frees its flows", finding: "Kept ended, but is still in memory"),
  ]

  @Test(arguments: mistakes) func aMistakeIsNamed(_ mistake: Mistake) async throws {
    let path = try await workshop.plugin("Mistaken", Self.source(mistake))
    let result = try await workshop.gangway(["validate", path, "--steps", "6", "--plugins-dir", workshop.folder])
    #expect(result.code == 1, "\(result.output)")
    let wrong = result.output.split(separator: "\n").filter { $0.hasPrefix("✗") }
    #expect(wrong.contains { $0.hasPrefix("✗ \(mistake.check): ") && $0.contains(mistake.finding) }, "\(result.output)")
    #expect(
      result.errors.contains(
        "To repeat this run: gangway validate '\(path)' --seed 1 --steps 6 --plugins-dir '\(workshop.folder)'"))
  }

  private static func source(_ mistake: Mistake) -> String {
    """
    import Gangway
    import Glibc
    import Observation
    @Observable final class Flow: StackCoordinator {
      enum Route: NavigationRoute { case main, gone, twins, item(Int) }
      let start = Route.main
      @ObservationIgnored var path: [Int] = []
      \(mistake.members)
      func destination(for route: Route) -> Destination {
        switch route {
        case .main: \(mistake.destination)
        case .gone: .nowhere("it was taken out")
        case .twins: .screen { Twins() }
        case .item: .screen { Twins(name: "two") }
        }
      }
    }
    struct Main: Screen {
      let flow: Flow, router: Router<Flow>
      var body: some Content {
        \(mistake.body)
      }
    }
    struct Twins: Screen {
      let title: String? = "twins"
      var name = "same"
      var body: some Content {
        Text("one").id("same")
        Text("two").id(name)
      }
    }
    final class Kept: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      static var all: [Kept] = []
      init() { Self.all.append(self) }
      func destination(for route: Route) -> Destination { .screen { Twins(name: "two") } }
    }
    final class Gone: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      func destination(for route: Route) -> Destination { .nowhere("it was taken out") }
    }
    @MainActor @Observable final class Count { var all = 0 }
    final class Counted: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      let count: Count
      init(_ count: Count) { self.count = count }
      func destination(for route: Route) -> Destination {
        .screen { [count] in CountScreen(count: count) }
      }
    }
    struct CountScreen: Screen {
      let count: Count
      var body: some Content { Text("All: \\(count.all)").task { count.all = 3 } }
    }
    final class Mistaken: Plugin {
      static let id = "mistaken", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.tab("main", title: "Mistaken") { _ in Flow() }
        \(mistake.register)
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Mistaken.self) }
    """
  }

  @Test func anExpectedProblemIsNoMistake() async throws {
    let body = """
      Button("Import") { throw NavigationError(.denied, "There is no file import.csv.") }
      Button("Export") { router.tell("There is nothing to export.") }
      Button("Erase") { throw NavigationError(.payload, "pressed") }.disabled(because: "nothing is there")
      """
    let mistake = Mistake(testDescription: "none", body: body, check: "", finding: "")
    let path = try await workshop.plugin("Expected", Self.source(mistake))
    let result = try await workshop.gangway(["validate", path, "--steps", "10"])
    #expect(result.code == 0, "\(result.output)\(result.errors)")
  }

  /// The plugin signs in before a link and a screen, has a form that asks before leaving, and a slow list.
  @Test func whatIsOrdinaryIsNoMistake() async throws {
    let path = try await workshop.plugin(
      "Ordinary",
      """
      import Gangway
      import Observation
      @MainActor @Observable final class Rows {
        var rows: [String] = []
        func load() async {
          try? await Task.sleep(for: .milliseconds(30))
          rows = ["one", "two"]
        }
      }
      @Observable final class Ordinary: StackCoordinator {
        enum Route: NavigationRoute { case home, letter, secret, list, imports, row(Int) }
        let start = Route.home
        struct Kept: Codable { var isSignedIn = false }
        @ObservationIgnored let importing = Work()
        var state = Kept()
        func destination(for route: Route) -> Destination {
          switch route {
          case .home: .screen { router in Home(router: router) }
          case .letter: .screen { Letter() }
          case .secret: .screen { Secret() }
          case .list: .screen { Listing() }
          case .imports: .screen { router in Imports(work: self.importing, router: router) }
          case .row(let number): .screen { Line(number: number) }
          }
        }
        func guards(for route: Route) -> [NavigationGuard] {
          guard route == .secret else { return [] }
          return [NavigationGuard("signed-in") { _ in \
      self.state.isSignedIn ? .allow : .redirect(Place("ordinary.sign-in")) }]
        }
      }
      struct Home: Screen {
        let router: Router<Ordinary>
        var body: some Content {
          Button("Letter") { try await router.show(.letter) }
          Button("Secret") { try await router.show(.secret) }
          Button("List") { try await router.show(.list) }
          Button("Import") { try await router.show(.imports) }
        }
      }
      struct Secret: Screen { var body: some Content { Text("secret") } }
      struct Listing: Screen {
        @Bindable var model = Rows()
        var body: some Content {
          Heading("Names").task { await model.load() }
          if model.rows.isEmpty { Progress("Loading") }
          for row in model.rows { Text(row) }
        }
      }
      struct Line: Screen {
        let number: Int
        var body: some Content { Text("Row \\(number)") }
      }
      struct Imports: Screen {
        let work: Work, router: Router<Ordinary>
        @Bindable var copying = Copying()
        var body: some Content {
          Progress("Importing", work: work)
          Button("Import all") {
            try router.start(work) { _ in
              try await Task.sleep(for: .seconds(600))
              return nil
            }
          }
          if copying.isRunning {
            Progress("Copying")
            Button("Stop", role: .cancel) { copying.task?.cancel() }
          } else {
            Button("Copy") { await copying.run() }
          }
        }
      }
      @MainActor @Observable final class Copying {
        var isRunning = false
        @ObservationIgnored var task: Task<Void, Never>?
        func run() async {
          isRunning = true
          defer { isRunning = false }
          let task = Task { _ = try? await Task.sleep(for: .seconds(600)) }
          self.task = task
          await task.value
        }
      }
      @MainActor @Observable final class Draft {
        var text = ""
        var question: PendingAnswer<GuardVerdict>?
      }
      struct Letter: Screen {
        @Bindable var draft = Draft()
        var leaveGuard: NavigationGuard? {
          guard !draft.text.isEmpty else { return nil }
          return NavigationGuard("unsaved", timeout: nil) { [draft] _ in
            let question = PendingAnswer<GuardVerdict>()
            draft.question = question
            defer { draft.question = nil }
            return try await question.value()
          }
        }
        var body: some Content {
          TextField("Letter", text: $draft.text)
          if let question = draft.question {
            Alert("Leave?", isPresented: .constant(true)) {
              Button("Leave", role: .destructive) { question.give(.allow) }
              Button("Stay", role: .cancel) { question.give(.deny("not finished")) }
            }
          }
        }
      }
      final class SignIn: StackCoordinator {
        enum Route: NavigationRoute { case form }
        let start = Route.form
        func destination(for route: Route) -> Destination { .screen { router in Form(router: router) } }
      }
      struct Form: Screen {
        let router: Router<SignIn>
        var body: some Content { Button("Not now") { try await router.cancel() } }
      }
      final class OrdinaryPlugin: Plugin {
        static let id = "ordinary", version = "1.0.0"
        func register(in registry: Registrar) {
          registry.tab("main", title: "Ordinary") { _ in Ordinary() }
          registry.place("sign-in") { (_: NoPayload) in SignIn() }
          registry.link("secret") { (_: NoPayload) in Ordinary.Route.secret }
          registry.link("row/:number", samples: [7]) { (number: Int) in Ordinary.Route.row(number) }
          registry.contribute("mine", to: "nobody.slot", 1) { _ in SignIn() }
        }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(OrdinaryPlugin.self) }
      """)
    let result = try await workshop.gangway(["validate", path, "--steps", "80"])
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("not installed and not compared: nobody"), "\(result.output)")
    #expect(result.output.contains("guards ask the user first at gangway://secret"), "\(result.output)")
  }

  /// Screens behind a guard are checked after the author's script, such as one that signs in.
  @Test func aScriptOpensTheWayForTheChecks() async throws {
    let path = try await workshop.plugin(
      "Vault",
      """
      import Gangway
      import Observation

      @Observable final class Vault: StackCoordinator {
        enum Route: NavigationRoute { case door, gold }
        let start = Route.door
        static var isOpen = false
        func guards(for route: Route) -> [NavigationGuard] {
          guard route == .gold else { return [] }
          return [NavigationGuard("shut") { _ in Vault.isOpen ? .allow : .deny("the vault is shut") }]
        }
        func destination(for route: Route) -> Destination {
          route == .door ? .screen { _ in Door() } : .screen { _ in Gold() }
        }
      }
      struct Door: Screen { var body: some Content { Button("Unlock") { Vault.isOpen = true } } }
      struct Gold: Screen { var body: some Content { Text("gold") } }
      final class VaultPlugin: Plugin {
        static let id = "vault", version = "1.0.0"
        func register(in registry: Registrar) {
          registry.tab("main", title: "Vault") { _ in Vault() }
          registry.link("gold") { (_: NoPayload) in Vault.Route.gold }
        }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(VaultPlugin.self) }
      """)
    let shut = try await workshop.gangway(["validate", path, "--steps", "5"])
    #expect(shut.code == 1 && shut.output.contains("✗ opens its links: 0 of 1 opened"), "\(shut.output)")
    let script = workshop.path("unlock.txt")
    try "tap Unlock\n".write(toFile: script, atomically: true, encoding: .utf8)
    let open = try await workshop.gangway(["validate", path, "--steps", "5", "--script", script])
    #expect(open.code == 0 && open.output.contains("✓ opens its links: 1 of 1"), "\(open.output)")
    // A script that does nothing it should is a finding, and the command to repeat names it.
    try "tap Locksmith\n".write(toFile: script, atomically: true, encoding: .utf8)
    let wrong = try await workshop.gangway(["validate", path, "--steps", "5", "--script", script])
    #expect(wrong.code == 1, "\(wrong.output)")
    #expect(
      wrong.output.contains("✗ runs the script: line 1: There is no 'Locksmith' on the screen"), "\(wrong.output)")
    #expect(wrong.errors.contains("--script '\(script)'"), "\(wrong.errors)")
    let missing = try await workshop.gangway(["validate", path, "--script", "/nowhere"])
    #expect(missing.code == 1 && missing.output.contains("✗ runs the script: "), "\(missing.output)")
    #expect(missing.output.contains("/nowhere"), "\(missing.output)")
  }

  @Test func theDoctorTellsWhatDoesNotFit() async throws {
    let mistake = try #require(Self.mistakes.first { $0.finding.contains("shows hello.greet with Int 27") })
    _ = try await workshop.plugin("Mistaken", Self.source(mistake))
    let result = try await workshop.gangway(["doctor", "--plugins-dir", workshop.folder])
    #expect(result.output.contains("! \(mistake.finding)"), "\(result.output)")
  }
}
