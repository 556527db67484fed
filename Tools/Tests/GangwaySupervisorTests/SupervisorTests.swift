import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) import TestSupport
import Testing

@MainActor @Suite struct SupervisorTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test(arguments: ["scene 2", "sheet", "deep", "clock"])
  func aKillFromOutsideMovesNothing(_ place: String) async throws {
    let supervisor = try workshop.supervisor(["scenes", "hello", "clock"])
    _ = try await supervisor.start()
    try await supervisor.type("typed", into: "Text")
    switch place {
    case "scene 2": try await supervisor.tap("Go to Scene 2")
    case "sheet": try await supervisor.tap("Open Scene 3")
    case "deep":
      try await supervisor.tap("Greet")
      try await supervisor.tap("Greet again")
      try await supervisor.tap("Greet again")
    default:
      try await supervisor.tab("Clock")
      try await supervisor.tap("Time zones")
      try await supervisor.tab("Scenes")
    }
    let before = try await supervisor.picture()
    let first = try #require(supervisor.hostProcessID)
    let notice = await supervisor.notice { kill(first, SIGKILL) }
    try await supervisor.looks(like: before)
    #expect(supervisor.hostProcessID != first)
    #expect(
      notice.hasPrefix(
        "Another process, or the system, killed the host. Cause: it was killed by signal 9. Report: /"))
    if place == "clock" { try await supervisor.tab("Clock") } else { _ = try await supervisor.send(.back) }
    try await supervisor.shows(place == "clock" ? "Tokyo" : place == "deep" ? "Hello" : "[typed]")
    await supervisor.stop()
  }

  @Test func manyKillsInARowMoveNothing() async throws {
    let supervisor = try workshop.supervisor(["scenes", "hello"])
    _ = try await supervisor.start()
    try await supervisor.type("typed", into: "Text")
    try await supervisor.tap("Greet")
    let before = try await supervisor.picture()
    for _ in 1...10 {
      try await supervisor.restart()
      try await supervisor.looks(like: before)
    }
    await supervisor.stop()
  }

  @Test(arguments: ["Trap", "Abort", "Exit", "Recurse"])
  func aCrashNamesThePluginAndTheEventAndIsNotRepeated(_ button: String) async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble(), "scenes"])
    _ = try await supervisor.start()
    try await supervisor.tap("Note")
    let before = try await supervisor.picture()
    let answer = try await supervisor.tap(button)
    let notice = try #require(answer.notices.first)
    // An exit leaves no frame, and a full stack leaves no room for the signal handler.
    let isKnown = ["Trap", "Abort"].contains(button)
    #expect(notice.plugin == (isKnown ? "trouble" : nil))
    let words =
      isKnown
      ? "The plugin trouble stopped the host while handling tap on '\(button)'. The action was not repeated. "
      : "The host stopped while handling tap on '\(button)' (trouble was in use). The action was not repeated. "
    #expect(notice.developerText.hasPrefix(words), "\(notice.developerText)")
    try await supervisor.looks(like: before)
    try await supervisor.shows("Heard: noted\n")
    if button == "Trap" {
      let report = try #require(notice.developerText.components(separatedBy: "Report: ").last)
      try await eventually { (try? String(contentsOfFile: report, encoding: .utf8))?.contains("TroubleScreen") == true }
    }
    if button == "Exit" { #expect(notice.developerText.contains("Cause: it exited with code 0. Report: /")) }
    try await supervisor.tab("Scenes")
    try await supervisor.shows("Go to Scene 2")
    await supervisor.stop()
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGTERM, SIGINT])
  func aHostEndedByASignalFromOutsideIsReplacedAndGone(_ signal: Int32) async throws {
    let supervisor = try workshop.supervisor(["scenes"])
    _ = try await supervisor.start()
    let first = try #require(supervisor.hostProcessID)
    let notice = await supervisor.notice { kill(first, signal) }
    #expect(notice.hasPrefix("Another process, or the system, killed the host. "), "\(notice)")
    try await eventually { kill(first, 0) != 0 }
    await supervisor.stop()
  }

  @Test func aCrashInWorkThatWentOnNamesWhatStartedIt() async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble()])
    _ = try await supervisor.start()
    let answer = try await supervisor.tap("Later")
    #expect(answer.pending.map(\.plugin) == ["trouble"])
    let notice = await supervisor.notice {}
    #expect(
      notice.hasPrefix(
        "The plugin trouble stopped the host during work. The work was started by tap on 'Later', and was not finished."
      ),
      "\(notice)")
    #expect(supervisor.pending.isEmpty)
    await supervisor.stop()
  }

  @Test func aResultReachesItsHandlerAlthoughTheHostWasKilled() async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble()])
    _ = try await supervisor.start()
    try await supervisor.tap("Ask")
    let host = try #require(supervisor.hostProcessID)
    _ = await supervisor.notice { kill(host, SIGKILL) }
    try await supervisor.tap("Seven")
    try await supervisor.shows("Heard: answer 7")
    try await supervisor.restart()
    try await supervisor.shows("Heard: answer 7")
    await supervisor.stop()
  }

  @Test func eventsQueuedBehindACrashAreDroppedAndThisIsSaid() async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble()])
    _ = try await supervisor.start()
    // Immediate tasks keep the order of these lines.
    let crash = Task.immediate { try await supervisor.tap("Abort") }
    let note = Task.immediate { try await supervisor.tap("Note") }
    let answers = try await [crash.value, note.value].flatMap(\.notices).map(\.developerText)
    #expect(answers.contains { $0.contains("stopped the host while handling tap on 'Abort'") })
    #expect(
      answers.contains("The app restarted after a crash. This action was not done."), "\(answers)")
    try await supervisor.shows("Heard: \n")
    await supervisor.stop()
  }

  @Test func eventsAreHandledInTheirOrder() async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble()])
    _ = try await supervisor.start()
    let slow = Task.immediate { try await supervisor.tap("Dawdle") }
    let first = Task.immediate { try await supervisor.tap("Note") }
    let second = Task.immediate { try await supervisor.tap("Ask") }
    for task in [slow, first, second] { _ = try await task.value }
    try await supervisor.shows("(modal) Asked")
    #expect(supervisor.checkpoint.records.values.contains { $0.state == #"["noted"]"# })
    await supervisor.stop()
  }

  @Test func aPluginThatStopsTheHostWhileRestoringIsLeftOutAndItsScreensKept() async throws {
    let supervisor = try workshop.supervisor([try await workshop.trouble(), "scenes"])
    _ = try await supervisor.start()
    try await supervisor.tap("Curse")
    try await supervisor.shows("Never again")
    let path = supervisor.checkpoint.records.values.filter { $0.plugin == "trouble" }.count
    var said: [String] = []
    supervisor.onUpdate = { said += $0.notices.map(\.developerText) }
    let host = try #require(supervisor.hostProcessID)
    kill(host, SIGKILL)
    try await eventually { said.contains { $0.hasPrefix("Another process, or the system, killed the host.") } }
    try await supervisor.shows("[Trouble*] [Scenes]\n")
    try await supervisor.showsUnavailable(
      "Trouble", because: "it crashed twice while its screens were being restored")
    #expect(supervisor.checkpoint.records.values.filter { $0.plugin == "trouble" }.count == path)
    let notices = said
    #expect(
      notices.contains {
        $0.hasPrefix("The plugin trouble crashed the host twice during the restore of its screens")
      },
      "\(notices)")
    await supervisor.stop()
  }

  @Test func aHostThatIsNotThereIsAFailure() async throws {
    let supervisor = try workshop.supervisor([]) { $0.host = "/nowhere/gangway-host" }
    let failure = await #expect(throws: SupervisorFailure.self) { _ = try await supervisor.start() }
    #expect(failure?.description.contains("/nowhere/gangway-host") == true, "\(failure?.description ?? "")")
  }

  @Test func aHostOfAnotherProtocolIsRefusedNamingBoth() async throws {
    let fake = try workshop.script(
      #"echo '{"type":"hello","protocol":{"major":9,"minor":0},"pid":1}'; sleep 5"#)
    let supervisor = try workshop.supervisor([]) { $0.host = fake }
    let failure = await #expect(throws: SupervisorFailure.self) { _ = try await supervisor.start() }
    #expect(failure?.description.contains("uses protocol 9.0, but this command uses 1.0") == true)
  }

  @Test func aHostThatNeverStaysUpIsGivenUp() async throws {
    let fake = try workshop.script("exit 3")
    let supervisor = try workshop.supervisor([]) { $0.host = fake }
    let failure = await #expect(throws: SupervisorFailure.self) { _ = try await supervisor.start() }
    #expect(failure?.description.hasPrefix("The app does not stay up: it exited with code 3.") == true)
  }

  @Test func anUnknownPluginIsAFailureThatNamesThoseThereAre() async throws {
    let supervisor = try workshop.supervisor(["weather"])
    let failure = await #expect(throws: SupervisorFailure.self) { _ = try await supervisor.start() }
    #expect(failure?.description.contains("there is no plugin 'weather'") == true)
  }

  @Test func refusalsAreToldAtTheStart() async throws {
    let path = workshop.path("libBad.so")
    try "not a library".write(toFile: path, atomically: true, encoding: .utf8)
    let supervisor = try workshop.supervisor([path, "scenes"])
    var notices = try await supervisor.start().map(\.developerText)
    supervisor.onUpdate = { notices += $0.notices.map(\.developerText) }
    try await eventually { !notices.isEmpty }
    #expect(notices.first?.hasPrefix("\(path) was refused: it is not an ELF file") == true)
    await supervisor.stop()
  }
}
