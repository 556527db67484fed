import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Replacing a feature while the user stays in place.
@MainActor @Suite struct ReloadTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func build(_ word: String, register: String = "") async throws -> String {
    let path = try await workshop.plugin(
      "Edit",
      """
      import Gangway
      import Glibc
      import Observation
      @Observable final class Edit: StackCoordinator {
        enum Route: NavigationRoute { case start, next }
        let start = Route.start
        var state = ""
        func destination(for route: Route) -> Destination {
          .screen { router in EditScreen(edit: self, router: router, isNext: route == .next) }
        }
      }
      struct EditScreen: Screen {
        let edit: Edit, router: Router<Edit>, isNext: Bool
        var body: some Content {
          Text("\(word) \\(isNext ? "two" : "one")")
          TextField("Text", text: Binding(get: { edit.state }, set: { edit.state = $0 }))
          Button("Next") { try await router.show(.next) }
        }
      }
      final class EditPlugin: Plugin {
        static let id = "edit", version = "1.0.0"
        func register(in registry: Registrar) throws {
          \(register)
          registry.tab("main", title: "Edit", order: 1) { _ in Edit() }
        }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(EditPlugin.self) }
      """)
    // Install by renaming, so that a running host keeps the file that it has mapped.
    try FileManager.default.copyItem(atPath: path, toPath: workshop.path("new"))
    rename(workshop.path("new"), workshop.path("libInstalled.so"))
    return workshop.path("libInstalled.so")
  }

  private func start(_ path: String) async throws -> Supervisor {
    let supervisor = try workshop.supervisor([path, "scenes"])
    _ = try await supervisor.start()
    try await supervisor.tap("Next")
    try await supervisor.type("typed", into: "Text")
    return supervisor
  }

  @Test func theNewVersionShowsTheSameScreenWithTheSameText() async throws {
    let supervisor = try await start(try await build("First"))
    let first = try #require(supervisor.hostProcessID)
    _ = try await build("Second")
    #expect(try await supervisor.reload("edit") == "The plugin edit 1.0.0 was reloaded.")
    try await supervisor.shows("Second two\nText: [typed]")
    #expect(supervisor.hostProcessID != first)
    try await eventually { kill(first, 0) != 0 }
    _ = try await supervisor.send(.back)
    try await supervisor.shows("Second one")
    await supervisor.stop()
  }

  @Test(arguments: [
    ("abort()", "the probe of the library was killed by signal 6"),
    ("throw Trouble(); struct Trouble: Error {}", "its registration failed: Trouble()"),
    ("if !CommandLine.arguments.contains(\"--probe\") { abort() }", "the new host stopped while it was loading '"),
  ])
  func ifTheNewVersionDoesNotComeUpTheOldOneStays(_ register: String, _ reason: String) async throws {
    let supervisor = try await start(try await build("First"))
    let first = try #require(supervisor.hostProcessID)
    _ = try await build("Second", register: register)
    let failure = await #expect(throws: SupervisorFailure.self) { _ = try await supervisor.reload("edit") }
    #expect(
      failure?.description.hasPrefix("The plugin edit was not reloaded: ") == true
        && failure?.description.contains(". The previous version keeps running.") == true
        && failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
    #expect(supervisor.hostProcessID == first)
    try await supervisor.shows("First two\nText: [typed]")
    _ = try await supervisor.send(.back)
    try await supervisor.shows("First one")
    await supervisor.stop()
  }

  @Test func withoutANameItIsThePluginInFront() async throws {
    let supervisor = try await start(try await build("First"))
    #expect(try await supervisor.reload() == "The plugin edit 1.0.0 was reloaded.")
    let failure = await #expect(throws: SupervisorFailure.self) { _ = try await supervisor.reload("edti") }
    #expect(
      failure?.description == "There is no plugin 'edti' in this app. Did you mean 'edit'? Plugins: edit, scenes.")
    await supervisor.stop()
  }

  @Test func whatIsDoneMeanwhileIsDoneAfterwards() async throws {
    let supervisor = try await start(try await build("First"))
    let reload = Task.immediate { try await supervisor.reload("edit") }
    let edit = Task.immediate { try await supervisor.type("more", into: "Text") }
    _ = try await reload.value
    _ = try await edit.value
    try await supervisor.shows("Text: [more]")
    await supervisor.stop()
  }

  /// The new host's tree is checked like that of any other host.
  @Test func aHostThatTakesOverWithATreeThatIsNoneIsReplaced() async throws {
    let flag = workshop.path("flag")
    let line =
      #"{"type":"update","session":"main","update":{"revision":1,"pending":[],"notices":[],"checkpoint":"#
      + #"{"changed":[],"removed":[1,2,3,4,5,6],"nextNode":1}}}"#
    let wrapper = try workshop.host(saying: line, when: flag, isNew: true)
    let supervisor = try workshop.supervisor([try await build("first")]) { $0.host = wrapper }
    _ = try await supervisor.start()
    try await supervisor.type("kept", into: "Text")
    try await supervisor.tap("Next")
    var told: [String] = []
    supervisor.onUpdate = { told += $0.notices.map(\.developerText) }
    try Data().write(to: URL(fileURLWithPath: flag))
    _ = try await supervisor.reload("edit")
    try await eventually { told.contains { $0.contains("sent an invalid tree") } }
    try await supervisor.shows("first two")
    try await supervisor.shows("Text: [kept]")
    await supervisor.stop()
  }
}
