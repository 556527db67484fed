import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Subprocess
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// A running session on a second front end.
@MainActor @Suite struct AttachTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Starts an app that other commands can reach, and finds it as they do.
  private func app(
    _ plugins: [String], maximumBacklog: Int = ControlSocket.maximumBacklog
  ) async throws -> (supervisor: Supervisor, socket: ControlSocket, app: RunningApps.App) {
    let supervisor = try workshop.supervisor(plugins)
    _ = try await supervisor.start()
    let folder = workshop.path("state/gangway/run")
    let socket = try ControlSocket(folder: folder, supervisor, maximumBacklog: maximumBacklog)
    let app = try #require(await Task.detached { RunningApps(folder: folder).apps }.value.first)
    return (supervisor, socket, app)
  }

  /// `gangway ps` lists the running apps.
  @Test func theRunningAppsAreListed() async throws {
    let none = try await workshop.gangway(["ps"])
    #expect(none.code == 0 && none.errors.contains("None of your apps is running."), "\(none.errors)")
    let (supervisor, socket, app) = try await app(["scenes"])
    let here = supervisor.connect()
    let there = try await RemoteSession.attach(to: app)
    #expect(supervisor.status() == AppStatus(sessions: 1, frontEnds: 2, screen: "Scene 1"))
    // The app is in this process, where other tests may keep it from answering in time.
    var list = try await workshop.gangway(["ps"])
    for _ in 0..<10 where list.output.contains("does not answer") { list = try await workshop.gangway(["ps"]) }
    #expect(list.output.contains(#/PROCESS +SINCE +SESSIONS +FRONT ENDS +SCREEN\n/#), "\(list.output)")
    #expect(list.output.contains(#/\n\d+ +20\d\d-\d\d-\d\dT[0-9:]+Z +1 +2 +Scene 1\n/#), "\(list.output)")
    var json = try await workshop.gangway(["ps", "--json"])
    for _ in 0..<10 where !json.output.contains("status") { json = try await workshop.gangway(["ps", "--json"]) }
    #expect(json.output.contains(#""status":{"frontEnds":2,"screen":"Scene 1","sessions":1}"#), "\(json.output)")
    there.detach()
    try await eventually { supervisor.status().frontEnds == 1 }
    withExtendedLifetime(here) {}
    socket.stop()
    await supervisor.stop()
  }

  @Test func whatIsDoneOnOneFrontEndTheOthersSee() async throws {
    let (supervisor, socket, app) = try await app(["scenes"])
    let (here, also) = (supervisor.connect(), supervisor.connect())
    (here.onUpdate, also.onUpdate) = ({ _ in }, { _ in })
    let there = try await RemoteSession.attach(to: app)
    there.onUpdate = { _ in }
    #expect(there.presentation == here.presentation)
    try await here.type("from here", into: "Text")
    try await there.shows("[from here]")
    try await there.type("from there", into: "Text")
    try await here.shows("[from there]")
    // The front ends receive the answers to their own events, and a navigation.
    let answer = try await there.tap("Go to Scene 2")
    #expect(answer.event != nil && there.presentation == here.presentation && also.presentation == here.presentation)
    #expect(try await there.tree() == here.tree())
    #expect(try await there.history() == here.history())
    // After a host's death, both front ends continue.
    let host = try #require(supervisor.hostProcessID)
    var told: [String] = []
    there.onUpdate = { told += $0.notices.map(\.developerText) }
    kill(host, SIGKILL)
    try await eventually { !told.isEmpty && supervisor.hostProcessID != host }
    #expect(told.first?.hasPrefix("Another process, or the system, killed the host.") == true, "\(told)")
    try await there.restart()
    #expect(try await there.reload("scenes") == "The plugin scenes 1.0.0 was reloaded.")
    let failure = await #expect(throws: SupervisorFailure.self) { try await there.reload("scens") }
    #expect(failure?.description.contains("Did you mean 'scenes'?") == true)
    try await there.shows("Scene 2")
    _ = try await there.send(.back)
    try await here.shows("[from there]")
    // A detached front end receives no updates, and does not end the session.
    there.detach()
    try await here.type("alone", into: "Text")
    #expect(!there.presentation.plainText.contains("alone"))
    socket.stop()
    await supervisor.stop()
  }

  @Test func whyOneWasRefusedTheOthersAreNotTold() async throws {
    let (supervisor, socket, app) = try await app(["scenes"])
    let here = supervisor.connect()
    var told: [String] = []
    here.onUpdate = { told += $0.notices.map(\.developerText) }
    let there = try await RemoteSession.attach(to: app)
    let answer = try await there.send(.open("gangway://nowhere/at/all"))
    #expect(answer.notices.contains { $0.kind == .refusal })
    try await there.type("seen", into: "Text")
    try await here.shows("[seen]")
    #expect(told == [])
    socket.stop()
    await supervisor.stop()
  }

  @Test func whoLooksOnChangesNothing() async throws {
    let (supervisor, socket, app) = try await app(["scenes"])
    let here = supervisor.connect()
    let there = try await RemoteSession.attach(to: app, isReadOnly: true)
    let before = try await here.picture()
    let tab = try #require(here.presentation.tabBars.first?.first?.node)
    for action in [.back, .undo, .open("gangway://scenes/2"), .tab(tab), .dismiss] as [Event.Action] {
      let answer = try await there.send(action)
      #expect(answer.notices.map(\.developerText) == [FrontEndConnection.refusal], "\(action)")
    }
    #expect(try await there.send(.focus(1, nil)).notices.isEmpty)
    await #expect(throws: SupervisorFailure(FrontEndConnection.refusal)) { try await there.restart() }
    await #expect(throws: SupervisorFailure(FrontEndConnection.refusal)) { try await there.reload("scenes") }
    #expect(try await here.picture() == before)
    try await here.type("looked at", into: "Text")
    try await there.shows("[looked at]")
    socket.stop()
    await supervisor.stop()
  }

  @Test func theEndOfTheAppIsTold() async throws {
    let (supervisor, socket, app) = try await app(["scenes"])
    let there = try await RemoteSession.attach(to: app)
    var reason: String?
    there.onEnd = { reason = $0 }
    socket.stop()
    await supervisor.stop()
    try await eventually { reason != nil }
    #expect(reason == "The app of process \(getpid()) has ended, or has disconnected this front end.")
    await #expect(throws: SupervisorFailure.self) { try await there.send(.back) }
  }

  @Test func whoIsNoFrontEndIsLetGoAndTheAppGoesOn() async throws {
    let (supervisor, socket, app) = try await app(["scenes"])
    let descriptor = try #require(app.connect(for: .seconds(10)))
    #expect(ProcessIO.writeAll(Array("nonsense\n".utf8), to: descriptor))
    // The greeting and the error arrive, and the connection ends.
    let lines = await Task.detached {
      var lines: [String] = []
      for await case .line(let bytes) in LineReader.pieces(of: descriptor) {
        lines.append(String(decoding: bytes, as: UTF8.self))
      }
      return lines
    }.value
    #expect(lines.count == 2 && lines.last?.contains(#""code":"malformed""#) == true, "\(lines)")
    close(descriptor)
    let wrong = await #expect(throws: SupervisorFailure.self) {
      try await RemoteSession.attach(to: app, session: "other")
    }
    #expect(wrong?.description == "The app has only the session 'main', not 'other'.")
    #expect(await app.plugins()?.map(\.id) == ["scenes"])
    socket.stop()
    await supervisor.stop()
  }

  @Test func whoDoesNotReadIsLetGo() async throws {
    let (supervisor, socket, app) = try await app(["scenes"], maximumBacklog: 1 << 20)
    let here = supervisor.connect()
    let descriptor = try #require(app.connect(for: .seconds(60)))
    let attach =
      #"{"type":"hello","protocol":{"major":1,"minor":0}}"# + "\n" + #"{"type":"attach","readOnly":true}"# + "\n"
    #expect(ProcessIO.writeAll(Array(attach.utf8), to: descriptor))
    let long = String(repeating: "long ", count: 1 << 15)
    // Each edit sends a screen of more than 100 KB, and the socket buffers only a few of them.
    for number in 0..<20 { try await here.type("\(number) \(long)", into: "Text") }
    let bytes = await Task.detached {
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      var all = 0
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return all }
        all += count
      }
    }.value
    // The app closed the connection and dropped its queue.
    #expect(bytes < 1 << 20)
    close(descriptor)
    try await here.type("goes on", into: "Text")
    socket.stop()
    await supervisor.stop()
  }

  @Test func theMessagesOfThePageAreThoseOfTheSocket() throws {
    let page = Workshop.root.appendingPathComponent("Documentation/PresentationProtocol.md")
    let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```jsonc\n").dropFirst()
    let lines = blocks.flatMap { $0.components(separatedBy: "\n```")[0].split(separator: "\n") }
    #expect(lines.count == 3)
    for line in lines {
      if let request = try? Line.decode(AppRequest.self, from: line.utf8) {
        #expect(try Line.decode(AppRequest.self, from: Line.encode(request)) == request)
      } else {
        let message = try Line.decode(AppMessage.self, from: line.utf8)
        #expect(try Line.decode(AppMessage.self, from: Line.encode(message)) == message)
      }
    }
  }

  /// The protocol's page is enough for a front end in another language.
  @Test func aClientInPythonGoesOnAfterAKillOfTheHost() async throws {
    let (supervisor, socket, app) = try await app(["scenes"])
    let here = supervisor.connect()
    here.onUpdate = { _ in }
    let host = try #require(supervisor.hostProcessID)
    let path = workshop.path("state/gangway/run/\(app.process).sock")
    let client = Workshop.root.appendingPathComponent("Tests/Client/client.py").path
    let result = try await Subprocess.run(
      .name("python3"), arguments: [client, path, "\(host)"], output: .string(limit: 1 << 16),
      error: .string(limit: 1 << 16))
    #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    #expect(result.standardOutput.hasPrefix("typed over a kill of the host: "), "\(result)")
    #expect(supervisor.hostProcessID != host)
    try await here.shows("[before and after]")
    socket.stop()
    await supervisor.stop()
  }

  /// A command that says success although the user is still asked would mislead a script.
  @Test func aLinkThatAsksTheUserFirstIsNotOpenYet() async throws {
    let (supervisor, socket, _) = try await app(["todos", "account", "clock"])
    let here = supervisor.connect()
    here.onUpdate = { _ in }
    // The second link replaces the first one, which was waiting.
    for title in ["Tea", "Milk"] {
      let opened = try await workshop.gangway(["open", "gangway://todos/new?title=\(title)"])
      #expect(opened.code == 1, "\(opened)")
      #expect(
        opened.errors.contains("the link did not open yet, because the app asks the user first: 'Sign in'"),
        "\(opened)")
    }
    try await here.shows("Password")
    socket.stop()
    await supervisor.stop()
  }

  @Test func commandsReachTheApp() async throws {
    let (supervisor, socket, _) = try await app(["scenes", "clock"])
    let here = supervisor.connect()
    here.onUpdate = { _ in }
    let opened = try await workshop.gangway(["open", "gangway://clock/zones"])
    #expect(opened.code == 0, "\(opened.errors)")
    #expect(opened.output == "in the app of process \(getpid()): it now shows 'Time zones'\n")
    try await here.shows("Tokyo")
    let nowhere = try await workshop.gangway(["open", "gangway://clok/zones"])
    #expect(nowhere.code == 1 && nowhere.errors.contains("clok"), "\(nowhere.errors)")
    let other = try await workshop.gangway(["open", "gangway://clock", "--process", "1"])
    #expect(other.errors.contains("process 1 is not one of your apps. Running apps: \(getpid())."))
    let attached = try await workshop.gangway(
      ["attach", "--frontend", "plain"], input: "tab Scenes\nset Text = by the other\nscreen\n")
    #expect(attached.code == 0 && attached.output.contains("[by the other]"), "\(attached)")
    try await here.shows("[by the other]")
    let looking = try await workshop.gangway(
      ["attach", "--frontend", "plain", "--read-only"], input: "tab Clock\n")
    #expect(
      looking.errors.contains("You see the app") && looking.errors.contains(FrontEndConnection.refusal), "\(looking)")
    try await here.shows("[by the other]")
    socket.stop()
    await supervisor.stop()
  }
}
