import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// The findings of `gangway validate`: it names an author's mistakes, and accepts ordinary code.
@MainActor @Suite struct ValidationTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

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
    try "fails open gangway://nowhere\ntap Unlock\n".write(toFile: script, atomically: true, encoding: .utf8)
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

  nonisolated private static let readerSource = """
    import Gangway

    final class Reader: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      func destination(for route: Route) -> Destination { .screen { _ in Page() } }
    }
    struct Page: Screen { var body: some Content { Button("Read") {} } }
    final class ReaderPlugin: Plugin {
      static let id = "reader", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.tab("main", title: "Reader") { _ in Reader() }
        registry.uses(place: "diary.page", isOptional: true)
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ReaderPlugin.self) }
    """

  /// A file that could not be read is a user's data all the same.
  @Test(arguments: [true, false]) func aDamagedFileMustBeKept(_ isKept: Bool) async throws {
    let path = try await workshop.plugin("Diary", Workshop.diarySource(keepsUnreadable: isKept))
    let data = URL(filePath: workshop.path("data"))
    let folder = data.appending(path: "diary")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "diary.json")
    try Data(#"["Monday"]"#.utf8).write(to: file)
    let result = try await workshop.gangway(["validate", path, "--steps", "5", "--data", data.path])
    #expect(result.code == (isKept ? 0 : 1), "\(result.output)")
    #expect(
      result.output.contains(
        isKept
          ? "✓ keeps files that it cannot read: 1 damaged file, 5 steps"
          : "✗ keeps files that it cannot read: 'diary.json' could not be read, and was overwritten or deleted"),
      "\(result.output)")
    // A walk that stores nothing says so, because no check has seen how the plugin stores.
    #expect(!result.output.contains("it stored nothing"), "\(result.output)")
    let none = try await workshop.gangway(["validate", path, "--steps", "0", "--data", data.path])
    #expect(!none.output.contains("survives a random walk"), "\(none.output)")
    let missing = try await workshop.gangway(["validate", path, "--data", data.path + "/none"])
    #expect(missing.code == 66 && missing.errors.contains("--data: the folder '"), "\(missing.errors)")
    // The checks worked on a copy.
    #expect(try String(contentsOf: file, encoding: .utf8) == #"["Monday"]"#)
    // So they do if the folder, or the plugin's folder in it, is a link to the original.
    let link = workshop.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: data.path)
    let linked = URL(filePath: workshop.path("linked"))
    try FileManager.default.createDirectory(at: linked, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: linked.appending(path: "diary").path, withDestinationPath: folder.path)
    for named in [link, linked.path] {
      _ = try await workshop.gangway(["validate", path, "--steps", "5", "--data", named])
      #expect(try String(contentsOf: file, encoding: .utf8) == #"["Monday"]"#, "\(named)")
    }
    // A folder without a file of the plugin would check nothing.
    let wrong = try await workshop.gangway(["validate", path, "--steps", "5", "--data", folder.path])
    #expect(wrong.code == 1 && wrong.output.contains("no file in the plugin's subfolder 'diary'"), "\(wrong.output)")
    // Another plugin needs the data, and stores nothing itself.
    let other = try await workshop.plugin("Reader", Self.readerSource)
    let reader = try await workshop.gangway(["validate", other, "--data", data.path, "--plugins-dir", workshop.folder])
    #expect(reader.code == 0, "\(reader.output)\(reader.errors)")
    #expect(reader.output.contains("it uses diary") && !reader.output.contains("keeps files"), "\(reader.output)")
  }

  @Test func theDoctorTellsWhatDoesNotFit() async throws {
    let mistake = try #require(Self.mistakes.first { $0.finding.contains("shows hello.greet with the Int 27") })
    _ = try await workshop.plugin("Mistaken", Self.source(mistake))
    let result = try await workshop.gangway(["doctor", "--plugins-dir", workshop.folder])
    #expect(result.code == 1 && result.output.contains("✗ \(mistake.finding)"), "\(result.output)")
  }
}
