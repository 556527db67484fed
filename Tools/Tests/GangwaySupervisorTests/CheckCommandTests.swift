import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// `gangway check`, with plugins that do not fit each other.
@MainActor @Suite struct CheckCommandTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private struct Answer: Decodable {
    struct Finding: Decodable {
      var kind, plugin, file, problem: String
      var declaration, fix: String?
    }
    var format, plugins: Int
    var findings: [Finding]
  }

  private func plugin(_ name: String, _ registration: String) async throws -> String {
    try await workshop.plugin(
      name,
      """
      import Gangway
      final class \(name): StackCoordinator {
        enum Route: NavigationRoute { case start }
        let start = Route.start
        func destination(for route: Route) -> Destination { .screen { \(name)Screen() } }
      }
      struct \(name)Screen: Screen { var body: some Content { Text("Here") } }
      final class \(name)Clock {}
      final class \(name)Plugin: Plugin {
        static let id = "\(name.lowercased())", version = "1.0.0"
        func register(in registry: Registrar) {
          registry.tab("main", title: "Main") { _ in \(name)() }
          \(registration)
        }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(\(name)Plugin.self) }
      """)
  }

  private func owner() async throws -> String {
    try await plugin(
      "Owner",
      """
      registry.place("detail") { (_: Int, _) in Owner() }
      registry.place("many") { (_: [String: [Int?]], _) in Owner() }
      registry.slot("pages", of: String.self)
      registry.service("clock", make: { _ in OwnerClock() }) { contract in
        contract.operation("now") { (_: OwnerClock, _: NoPayload) in 5 }
      }
      """)
  }

  @Test func eachProblemNamesTheFileTheDeclarationAndTheFix() async throws {
    let files = [
      try await owner(),
      try await plugin(
        "Guest",
        """
        registry.uses(place: "owner.detail", with: "one")
        registry.uses(place: "owner.detial", with: 1)
        registry.uses(service: "owner.clok", operation: "now")
        registry.uses(service: "owner.clock", operation: "nwo")
        registry.uses(place: "absent.place")
        registry.uses(place: "absent.place", isOptional: true)
        registry.uses(place: "owner.many", with: ["a": [1, nil]])
        registry.contribute("page", to: "owner.pagse", "Page") { _ in Guest() }
        registry.contribute("five", to: "owner.pages", 5) { _ in Guest() }
        registry.contribute("later", to: "absent.slot", 5) { _ in Guest() }
        """),
    ]
    let options = files.flatMap { ["--plugins-dir", ($0 as NSString).deletingLastPathComponent] }
    let result = try await workshop.gangway(["check", "--json"] + options)
    #expect(result.code == 1, "\(result)")
    let answer = try JSONDecoder().decode(Answer.self, from: Data(result.output.utf8))
    #expect(answer.plugins > 11)
    let expected: [(kind: String, problem: String, fix: String)] = [
      ("other-type", "shows owner.detail with the String \"one\", but owner takes Int", "Give a value of type Int"),
      ("missing-place", "the place owner.detial, but owner does not register it", "owner.detail?"),
      ("missing-service", "the service owner.clok, but owner does not offer it", "owner.clock?"),
      ("missing-operation", "calls owner.clock.nwo, but the service offers only: now", "now?"),
      ("missing-plugin", "uses absent.place, but the plugin absent is not installed", "isOptional: true"),
      ("missing-slot", "the slot owner.pagse, but owner has no such slot", "owner.pages?"),
      ("other-type", "contributes the Int 5 to owner.pages, but owner expects String", "Give a value of type String"),
    ]
    #expect(answer.findings.map(\.kind) == expected.map(\.kind), "\(result.output)")
    for (finding, expected) in zip(answer.findings, expected) {
      #expect(finding.plugin == "guest" && finding.file == files[1])
      #expect(finding.problem.contains(expected.problem), "\(finding)")
      #expect(finding.fix?.contains(expected.fix) == true, "\(finding)")
      #expect(finding.declaration?.isEmpty == false)
    }
    let text = try await workshop.gangway(["check"] + options)
    #expect(text.code == 1 && text.errors.contains("7 problems in \(answer.plugins) plugins"), "\(text)")
    #expect(text.output.contains("✗ guest: it shows owner.detail"), "\(text)")
    #expect(text.output.contains("file         \(files[1])"))
  }

  @Test func aRefusedPluginIsOneProblemAndNotOneForEachOfItsUsers() async throws {
    let files = [
      try await owner(), try await plugin("Guest", "registry.uses(place: \"owner.detail\", with: 1)"),
    ]
    let options = files.flatMap { ["--plugins-dir", ($0 as NSString).deletingLastPathComponent] }
    let good = try await workshop.gangway(["check"] + options)
    #expect(good.code == 0 && good.errors.contains("No problem was found in "), "\(good)")
    // Its file became unsafe after it was examined.
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: files[0])
    let result = try await workshop.gangway(["check", "--json"] + options)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(result.output.utf8))
    #expect(result.code == 1 && answer.findings.map(\.kind) == ["refused"], "\(result)")
    #expect(answer.findings.first?.fix?.contains("chmod go-w") == true, "\(result)")
  }

  @Test func withoutAPluginNothingIsChecked() async throws {
    let folder = workshop.path("empty")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/gangway-host", withDestinationPath: Workshop.built + "/gangway-host")
    let result = try await workshop.gangway(["check", "--host", folder + "/gangway-host"])
    #expect(result.code == 1 && result.errors.contains("no plugin was found"), "\(result)")
  }
}
