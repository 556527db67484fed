import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Crash reports: the responsible plugin, its output, the events, and everything that a replay needs.
@MainActor @Suite struct CrashReportTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Returns the path of the report in a notification.
  private func report(in notices: [Update.Notice]) throws -> String {
    try #require(notices.compactMap { $0.developerText.components(separatedBy: "Report: ").dropFirst().first }.first)
  }

  private func text(_ path: String) async throws -> String {
    try await eventually {
      (try? String(contentsOfFile: path, encoding: .utf8))?.contains("gangway replay THIS FILE") == true
    }
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func aReportBeginsWithTheReasonAndTheFeaturesFrameAndSaysWhatWasDone() async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble(), "scenes"])
    _ = try await supervisor.start()
    try await supervisor.tab("Scenes")
    try await supervisor.type("typed", into: "Text")
    try await supervisor.tab("Trouble")
    try await supervisor.tap("Note")
    let path = try report(in: try await supervisor.tap("Trap").notices)
    let lines = try await text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0].hasSuffix("Fatal error: Index out of range"), "\(lines[0])")
    #expect(lines[1].hasPrefix("In the plugin trouble: closure #"), "\(lines[1])")
    #expect(lines[1].contains("TroubleScreen.body.getter"), "\(lines[1])")
    #expect(lines[3].hasPrefix("The plugin trouble stopped the host while handling tap on 'Trap'"))
    let steps = lines.drop { $0 != "The steps in this host, oldest first:" }.dropFirst().prefix(5)
    #expect(
      Array(steps) == [
        "  tab on 'Scenes'", "  edit on 'Text'", "  tab on 'Trouble'", "  tap on 'Note'", "  tap on 'Trap'",
      ])
    #expect(lines.contains { $0.hasPrefix("*** Program crashed:") })
    let status = try FileManager.default.attributesOfItem(atPath: path)
    #expect(status[.posixPermissions] as? Int == 0o600)
    await supervisor.stop()
  }

  /// The report exists even if the app ends right after its message.
  @Test func theReportOfACrashIsThereWhenTheAppHasEnded() async throws {
    let result = try await workshop.gangway(
      ["run", "--plugin", try await workshop.trouble(), "--plugin", "scenes", "--script", "-"],
      input: "tap Note\ntap Trap\n")
    let path = try #require(
      result.errors.split(separator: "\n").first { $0.contains("Report: ") }?
        .components(separatedBy: "Report: ").last)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("Fatal error: Index out of range"))
    #expect(text.contains("TroubleScreen"))
  }

  @Test func aReportIsReplayedUntilTheSameFailure() async throws {
    let library = try await workshop.trouble()
    let supervisor = try workshop.supervisor([library, "scenes"])
    _ = try await supervisor.start()
    try await supervisor.tap("Note")
    // Events before the host's start are part of its first checkpoint.
    try await supervisor.restart()
    try await supervisor.tap("Note")
    let path = try report(in: try await supervisor.tap("Trap").notices)
    _ = try await text(path)
    await supervisor.stop()
    let recording = try Recording(file: path)
    #expect(recording.header.checkpoint?.records.values.contains { $0.state == #"["noted"]"# } == true)
    #expect(
      recording.failure?.hasPrefix("The plugin trouble stopped the host while handling tap on 'Trap'") == true)
    // The plugin is found by its id.
    let folder = workshop.path("plugins")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: library, toPath: folder + "/libTrouble.so")
    let again = try await workshop.gangway(["replay", path, "--plugins-dir", folder, "--plugins-dir", Workshop.built])
    #expect(again.code == 0, "\(again.errors)")
    #expect(
      again.output.hasPrefix(
        "2 events: the replay fails as recorded: The plugin trouble stopped the host while handling tap on"))
    // A crash in the same step with another message is another crash.
    let other = Workshop.troubleSource.replacingOccurrences(
      of: "_ = nothing[trouble.state.count]", with: #"fatalError("it has another reason")"#)
    #expect(other != Workshop.troubleSource)
    _ = try await workshop.plugin("Trouble", other)
    try FileManager.default.removeItem(atPath: folder + "/libTrouble.so")
    try FileManager.default.copyItem(atPath: library, toPath: folder + "/libTrouble.so")
    let otherwise = try await workshop.gangway(
      ["replay", path, "--plugins-dir", folder, "--plugins-dir", Workshop.built])
    #expect(otherwise.code == 1)
    #expect(otherwise.errors.contains("The replay crashed with another message.\n  recorded: "), "\(otherwise.errors)")
    #expect(otherwise.errors.contains("Fatal error: it has another reason"), "\(otherwise.errors)")
    // With the fault fixed, the replay says that nothing failed.
    let fixed = Workshop.troubleSource.replacingOccurrences(of: "_ = nothing[", with: "_ = nothing.prefix(")
      .replacingOccurrences(of: "trouble.state.count]", with: "trouble.state.count)")
    _ = try await workshop.plugin("Trouble", fixed)
    try FileManager.default.removeItem(atPath: folder + "/libTrouble.so")
    try FileManager.default.copyItem(atPath: library, toPath: folder + "/libTrouble.so")
    let after = try await workshop.gangway(["replay", path, "--plugins-dir", folder, "--plugins-dir", Workshop.built])
    #expect(after.code == 1)
    let words =
      "The replay did not fail after event 2, tap on 'Trap', but the recorded run failed there: The plugin trouble "
      + "stopped"
    #expect(after.errors.contains(words), "\(after.errors)")
  }

  /// With the feature's code in the process, a debugger stops at the line.
  @Test func theFeaturesOwnTestFailsTheWayItFailedForThePerson() async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble(), "scenes"])
    _ = try await supervisor.start()
    try await supervisor.tap("Note")
    try await supervisor.tap("Note")
    let path = try report(in: try await supervisor.tap("Trap").notices)
    let words = try #require(try await text(path).split(separator: "\n").first)
    await supervisor.stop()
    let main = """
      import GangwayTesting
      @main struct Main {
        @MainActor static func main() async throws {
          let flow = try await FlowTester(replaying: "\(path)", plugins: [TroublePlugin.self])
          print(flow.screen)
        }
      }
      """
    let test = try await workshop.program("TroubleTests", [Workshop.troubleSource, main])
    let failed = try await workshop.run(test)
    #expect(failed.status != .exited(0))
    #expect(failed.errors.contains(words), "\(failed.errors)")
    // With the fault fixed, the flow reaches the next screen.
    let fixed = Workshop.troubleSource.replacingOccurrences(of: "_ = nothing[", with: "_ = nothing.prefix(")
      .replacingOccurrences(of: "trouble.state.count]", with: "trouble.state.count)")
    let passed = try await workshop.run(try await workshop.program("MendedTests", [fixed, main]))
    #expect(passed.status == .exited(0), "\(passed.errors)")
    #expect(passed.output.contains("Heard: noted, noted, trapping"))
  }

  /// After more steps than are kept, the recording starts with the tree before the oldest step.
  @Test func theLastTwoHundredStepsAreKeptWithTheTreeBeforeThem() throws {
    var ring = StepRing(maximum: 200)
    var expected = Checkpoint(nextNode: 2, records: [1: .init(id: 1, parent: nil, position: 0, style: "root")])
    ring.begin(from: expected)
    let first = expected
    for number in 1...500 {
      var record = Checkpoint.Record(id: 1, parent: nil, position: 0, style: "root")
      record.state = "\(number)"
      ring.note(.init(change: .init(changed: [record], removed: [], nextNode: 2)))
    }
    #expect(ring.steps.count == 200)
    #expect(ring.base.records[1]?.state == "300")
    expected = ring.base
    for step in ring.steps { if let change = step.change { expected.fold(change) } }
    #expect(expected.records[1]?.state == "500")
    ring.begin(from: first)
    #expect(ring.steps.isEmpty && ring.base == first)
  }

  private static let secureField: Element = {
    var field = Element(id: "password", kind: .field, label: "Password")
    field.role = .secure
    return field
  }()

  @Test func whatIsTypedIntoASecureFieldIsNotInIt() {
    let entry = Recording.Entry(
      Event(id: 1, revision: 1, action: .edit(.init(node: 1, element: "password"), text: "secret")), on: "edit",
      Self.secureField)
    #expect(entry.event?.action == .edit(.init(node: 1, element: "password"), text: ""))
    #expect(entry.step == "edit (its text was left out)")
  }

  /// A guard of one feature crashes while the user is in another one.
  @Test func whoseCodeRanIsBlamedAndNotWhoseScreenItWas() async throws {
    let supervisor = try workshop.supervisor([
      try await workshop.plugin("Warden", Self.wardenSource), try await workshop.trouble(),
    ])
    _ = try await supervisor.start()
    for number in 1...3 {
      let notice = try #require(try await supervisor.tap("Ask").notices.first)
      #expect(notice.plugin == "warden")
      #expect(
        notice.developerText.hasPrefix(
          "The plugin warden stopped the host while handling tap on 'Ask' (trouble was in use)."),
        "\(notice.developerText)")
      #expect(supervisor.quarantined.keys.sorted() == (number < 3 ? [] : ["warden"]))
    }
    try await supervisor.shows("Heard: ")
    await supervisor.stop()
  }

  private static let wardenSource = """
    import Gangway
    final class WardenPlugin: Plugin {
      static let id = "warden", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.guard("fatal") { (request: NavigationRequest) in
          if "\\(request.target)".contains("question") { fatalError("the warden fell asleep") }
          return .allow
        }
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(WardenPlugin.self) }
    """
}
