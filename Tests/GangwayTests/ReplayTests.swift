import Foundation
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// The steps before a crash, replayed in the feature's own test.
@MainActor @Suite struct ReplayTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "gangway-replay-\(UUID().uuidString)")

  /// Returns a report as the supervisor writes it: text for users, then the recording.
  private func report(_ recording: Recording) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "report.log")
    var bytes = Data("Fatal error: the till is empty\n{ not a recording }\n\nThe recording:\n\n".utf8)
    try bytes.append(contentsOf: recording.encoded())
    try bytes.write(to: file)
    return file.path
  }

  /// Returns a recording of a user's actions with a till, and of the tree at the start.
  private func recording(_ labels: [String], plugins: [any Plugin.Type] = [Till.self]) async throws -> Recording {
    let flow = try await FlowTester(plugins: plugins)
    let beginning = Checkpoint.Change(
      changed: Array(flow.checkpoint.records.values), removed: [], nextNode: flow.checkpoint.nextNode)
    var entries = [Recording.Entry(change: beginning)]
    for (number, label) in labels.enumerated() {
      let element = try ElementLookup(label, kinds: [.button]).find(in: flow.presentation)
      let node = try #require(flow.presentation.top?.node)
      entries.append(
        Recording.Entry(
          event: Event(
            id: EventID(rawValue: number + 1), revision: 1, action: .tap(.init(node: node, element: element.id))),
          on: "tap on '\(label)'"))
    }
    entries.append(
      Recording.Entry(
        failure: "The plugin till stopped the host while handling tap on '\(labels.last ?? "")'."))
    return Recording(header: .init(plugins: ["till": "1.0.0"], checkpoint: nil, asksGuards: false), entries: entries)
  }

  @Test func theStepsOfAReportAreDoneAgainTheLastOneIncluded() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try report(try await recording(["Take", "Take", "Count"]))
    let flow = try await FlowTester(replaying: report, plugins: [Till.self])
    #expect(flow.screen.contains("Taken: 2"))
    #expect(flow.screen.contains("Counted"))
  }

  @Test func theProcessEndsWhereTheHostDid() async throws {
    let path = try report(try await recording(["Take", "Smash"]))
    defer { try? FileManager.default.removeItem(at: folder) }
    setenv("GANGWAY_REPORT", path, 1)
    defer { unsetenv("GANGWAY_REPORT") }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let report = String(cString: getenv("GANGWAY_REPORT"))
      _ = try await FlowTester(replaying: report, plugins: [Till.self])
    }
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(errors.contains("the till is empty"), "\(errors)")
  }

  /// The ids of entries are those of the app that crashed, whichever plugins the test has.
  @Test func featuresInWhichNothingWasDoneNeedNotBeGiven() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try report(try await recording(["Take"], plugins: [Castle.self, Warden.self, Lodge.self, Till.self]))
    let flow = try await FlowTester(replaying: report, plugins: [Till.self])
    #expect(flow.screen.contains("Taken: 1"))
  }

  @Test func aFeatureInWhichSomethingWasDoneMustBeGiven() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try report(try await recording(["Take"], plugins: [Lodge.self, Till.self]))
    let failure = await #expect(throws: FlowFailure.self) {
      _ = try await FlowTester(replaying: report, plugins: [Lodge.self])
    }
    #expect(
      failure?.message.contains("belongs to the feature 'till', which the test does not have") == true,
      "\(failure?.message ?? "")")
  }

  /// A button that was deleted must not be mistaken for the one that took its place.
  @Test func aStepWhoseElementIsAnotherOneNowFails() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var recording = try await recording(["Take", "Count"])
    let entries = recording.entries.map { entry in
      guard let event = entry.event else { return entry }
      let label = entry.on == "tap on 'Count'" ? "Close" : "Take"
      return Recording.Entry(
        event, on: "tap on '\(label)'", Element(id: event.element ?? "", kind: .button, label: label))
    }
    recording = Recording(header: recording.header, entries: entries)
    let path = try report(recording)
    let failure = await #expect(throws: FlowFailure.self) {
      _ = try await FlowTester(replaying: path, plugins: [Till.self])
    }
    #expect(
      failure?.message.contains("was the button 'Close', and is the button 'Count' now") == true,
      "\(failure?.message ?? "")")
  }

  @Test func aStepWaitsForItsElementAndFailsIfItDoesNotCome() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let recording = try await recording(["Take"])
    let entries = recording.entries.map { entry in
      guard case .tap(let target)? = entry.event?.action else { return entry }
      return Recording.Entry(
        event: Event(id: 1, revision: 1, action: .tap(.init(node: target.node, element: "nowhere"))),
        on: "tap on 'Gone'")
    }
    let path = try report(Recording(header: recording.header, entries: entries))
    let failure = await #expect(throws: FlowFailure.self) {
      _ = try await FlowTester(replaying: path, plugins: [Till.self])
    }
    #expect(failure?.message.contains("element #nowhere is not on the screen") == true, "\(failure?.message ?? "")")
  }

  @Test func aRecordingWithoutAStepFails() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let header = Recording.Header(plugins: ["till": "1.0.0"], checkpoint: nil)
    let path = try report(Recording(header: header, entries: []))
    let failure = await #expect(throws: FlowFailure.self) {
      _ = try await FlowTester(replaying: path, plugins: [Till.self])
    }
    #expect(failure?.message.contains("has no step") == true, "\(failure?.message ?? "")")
  }

  @Test(arguments: [
    ("nothing here\n", "contains no recording"), ("{}\n", "has an invalid entry in line 1"),
  ])
  func aFileWithoutARecordingSaysSo(_ text: String, _ reason: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "report.log")
    try Data(text.utf8).write(to: file)
    let failure = await #expect(throws: FlowFailure.self) {
      _ = try await FlowTester(replaying: file.path, plugins: [Till.self])
    }
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
  }
}

@Observable private final class TillFlow: StackCoordinator {
  enum Route: NavigationRoute { case home }
  let start = Route.home
  var state = 0
  var isCounted = false
  func destination(for route: Route) -> Destination { .screen { TillScreen(till: self) } }
}

private struct TillScreen: Screen {
  let till: TillFlow
  var body: some Content {
    Text("Taken: \(till.state)")
    if till.isCounted { Text("Counted") }
    Button("Take") { till.state += 1 }
    Button("Count") { till.isCounted = true }
    Button("Smash") { fatalError("the till is empty") }
  }
}

private final class Till: Plugin {
  static let id = "till", version = "1.0.0"
  func register(in registry: Registrar) { registry.tab("main", title: "Till", order: -1) { _ in TillFlow() } }
}
