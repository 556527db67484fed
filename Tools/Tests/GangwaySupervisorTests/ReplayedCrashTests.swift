import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Crashes of a feature that loads asynchronously. Each is replayed in the feature's own test, where it fails with the
/// same message at the same line.
@MainActor @Suite struct ReplayedCrashTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// The buttons of the feature; each crashes in another way or at another time.
  nonisolated private static let kinds = [
    "Index", "Unwrap", "Fatal", "Precondition", "Overflow", "Try", "Cast", "Range", "Overlap", "Unowned",
    "Later", "Render", "Result", "Guard",
  ]

  /// The kinds that end without a message of their own: the runtime's report names the line.
  nonisolated private static let silent = ["Overflow"]

  @Test func eachCrashFailsTheSameWayInTheFeaturesOwnTest() async throws {
    let library = try await workshop.plugin("Minefield", Self.source, hasLines: true)
    let main = """
      import GangwayTesting
      @main struct Main {
        @MainActor static func main() async throws {
          _ = try await FlowTester(replaying: CommandLine.arguments[1], plugins: [MinefieldPlugin.self])
        }
      }
      """
    let test = try await workshop.program("Minefield", [Self.source, main], hasLines: true)
    for kind in Self.kinds {
      // The recorded app has another feature, which the test does not have.
      let run = try await workshop.gangway(
        ["run", "--plugin", library, "--plugin", "scenes", "--script", "-"],
        input: "tab Minefield\nset Note = hello\ntap \(kind)\nwait 1\n")
      #expect(run.code == 1, "\(kind): \(run.errors)")
      let report = try #require(run.errors.firstMatch(of: #/Report: (\S+)/#)?.output.1, "\(kind): \(run.errors)")
      let end = try #require(try Recording(file: String(report)).entries.last, "\(kind)")
      let failed = try await workshop.run(test, [String(report)], isTraced: true)
      guard case .signaled = failed.status else {
        Issue.record("\(kind): \(failed.status) \(failed.output)\(failed.errors)")
        continue
      }
      if Self.silent.contains(kind) {
        #expect(end.message == nil, "\(kind)")
        let line = try #require(end.call?.firstMatch(of: #/ at .*Minefield.swift(:\d+:\d+)$/#)?.output.1, "\(kind)")
        #expect(failed.errors.contains("/Minefield-0.swift\(line)"), "\(kind)")
      } else {
        let message = Self.comparable(try #require(end.message, "\(kind)"))
        #expect(Self.comparable(failed.errors).contains(message), "\(kind): \(message)\n\(failed.errors)")
      }
      let again = try await workshop.gangway(["replay", String(report)])
      #expect(again.code == 0, "\(kind): \(again.output)\(again.errors)")
    }
  }

  /// Returns a text without addresses, and with the same name for the source in the plugin and in its test.
  private static func comparable(_ text: String) -> String {
    text.replacing(#/0x[0-9a-f]+/#, with: "0x").replacing("Minefield-0.swift", with: "Minefield.swift")
  }

  private static let source = """
    import Gangway
    import Observation

    @MainActor @Observable final class Mines {
      let rows: Loadable<[String]>
      var note = ""
      var isTorn = false
      @ObservationIgnored var bytes: [Int] = []
      let none: [Int] = []
      var nothing: Int? { note.isEmpty ? 1 : nil }
      var small: Int8 = 127
      var step: Int8 = 1

      init() {
        rows = Loadable {
          try await Task.sleep(for: .milliseconds(300))
          return [
            "Index", "Unwrap", "Fatal", "Precondition", "Overflow", "Try", "Cast", "Range", "Overlap", "Unowned",
          ]
        }
      }
    }
    extension Mines {
      func overlap() { touch(&bytes) { bytes.append(1) } }
      private func touch(_ bytes: inout [Int], _ more: () -> Void) { more() }
    }
    @MainActor final class Orphan {
      unowned let mines: Mines
      init(mines: Mines) { self.mines = mines }
    }
    struct Torn: Error {}
    final class Minefield: StackCoordinator {
      enum Route: NavigationRoute { case field, child, secret }
      let start = Route.field
      let mines = Mines()
      func guards(for route: Route) -> [NavigationGuard] {
        guard route == .secret else { return [] }
        return [NavigationGuard("mined") { _ in fatalError("the guard is mined") }]
      }
      func destination(for route: Route) -> Destination {
        switch route {
        case .field: .screen { [mines] in Field(mines: mines, router: $0) }
        case .child: .flow(.modal) { Child() } onFinish: { [mines] _ in _ = mines.none[mines.note.count] }
        case .secret: .screen { _ in Secret() }
        }
      }
    }
    struct Field: Screen {
      @Bindable var mines: Mines
      let router: Router<Minefield>
      var body: some Content {
        TextField("Note", text: $mines.note)
        Loading("Loading", mines.rows) { rows in
          for row in rows { Button(row) { try crash(row) } }
          Button("Later") {
            try await Task.sleep(for: .milliseconds(600))
            fatalError("later")
          }
          Button("Render") { mines.isTorn = true }
          Button("Result") { try await router.show(.child) }
          Button("Guard") { try await router.show(.secret) }
          if mines.isTorn { Text("\\(mines.nothing!)") }
        }
      }
      func crash(_ kind: String) throws {
        switch kind {
        case "Index": _ = mines.none[mines.note.count]
        case "Unwrap": _ = mines.nothing! + 1
        case "Fatal": fatalError("the note is \\(mines.note)")
        case "Precondition": precondition(mines.note.isEmpty, "the note must be empty")
        case "Overflow": mines.small += mines.step
        case "Try": try! fail()
        case "Cast": _ = (mines.note as Any) as! Int
        case "Overlap": mines.overlap()
        case "Unowned": _ = Orphan(mines: Mines()).mines.note
        default: _ = Array(mines.none[mines.note.count..<mines.note.count + 1])
        }
      }
      func fail() throws { throw Torn() }
    }
    struct Secret: Screen {
      var body: some Content { Text("secret") }
    }
    final class Child: StackCoordinator {
      typealias Output = Int
      enum Route: NavigationRoute { case only }
      let start = Route.only
      func destination(for route: Route) -> Destination { .screen { router in Ending(router: router) } }
    }
    struct Ending: Screen {
      let router: Router<Child>
      var body: some Content {
        Text("ending").task { try? await router.finish(1) }
      }
    }
    final class MinefieldPlugin: Plugin {
      static let id = "minefield", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Minefield") { _ in Minefield() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(MinefieldPlugin.self) }
    """
}
