import ArgumentParser
import Dispatch
import GangwayClient
import GangwayHost
import GangwayProtocol
import GangwaySupervisor
import GangwayTerminal
import Glibc

/// An app from its start to its end: the supervisor, a front end, signals, and the socket by which it is reached.
@MainActor final class AppRun {
  private let options: AppOptions
  private let supervised: SupervisorOptions
  /// What runs beside the app while it does.
  private let companion: (@MainActor (Supervisor) -> Task<Void, Never>)?
  private var socket: ControlSocket?

  init(
    _ options: AppOptions, _ supervised: SupervisorOptions,
    companion: (@MainActor (Supervisor) -> Task<Void, Never>)? = nil
  ) {
    self.options = options
    self.supervised = supervised
    self.companion = companion
  }

  /// Runs the app.
  ///
  /// - Throws: the exit code.
  func run() async throws {
    try refuseUnknown()
    do {
      let supervisor = try Supervisor(supervised)
      let code = try await drive(supervisor)
      await supervisor.stop()
      throw ExitCode(code)
    } catch let failure as SupervisorFailure {
      Locations.complain("gangway: \(failure)")
      throw ExitCode(1)
    }
  }

  /// What is to be left out and is not there was a slip: the app would run with what it was to be without.
  private func refuseUnknown() throws {
    let names = options.without
    guard !names.isEmpty else { return }
    let survey = options.search.survey(files: (names + options.plugins).filter(UnknownName.isFile))
    for name in names where survey.status(of: name) == nil { try UnknownName.refuse(name, survey) }
  }

  /// Listens to other commands; an app that cannot be reached runs all the same.
  private func listen(_ supervisor: Supervisor) -> Update.Notice? {
    do {
      socket = try ControlSocket(folder: Locations.sockets) { await supervisor.answer($0) }
      return nil
    } catch {
      return Update.Notice(.information, "\(error)")
    }
  }

  private func drive(_ supervisor: Supervisor) async throws -> Int32 {
    // A script that cannot be read is told of before anything is started.
    let lines = options.script == nil ? nil : try readLines()
    supervisor.onFailure = { failure in
      Locations.complain("gangway: \(failure)")
      Glibc.exit(1)
    }
    let ending = Ending(supervisor)
    let signals = ending.follow()
    defer { for source in signals { source.cancel() } }
    var notices = try await supervisor.start() + [listen(supervisor)].compactMap(\.self)
    defer { socket?.stop() }
    let companion = self.companion?(supervisor)
    defer { companion?.cancel() }
    // A script meets the same app every time, not one whose plugins are still being looked into.
    if options.script != nil { await supervisor.listed() }
    if let open = options.open { notices += try await supervisor.send(.open(open)).notices }
    if options.wantsTerminal {
      do {
        let settings = SettingsFile.read()
        notices += settings.mistakes.map { .init(.refusal, $0) }
        let terminal = try TerminalFrontEnd(supervisor, isStored: supervised.stateFile != nil, settings: settings)
        ending.terminal = terminal
        supervisor.onFailure = { failure in
          terminal.stop(1)
          ending.lastWords = "gangway: \(failure)"
        }
        let links = offerLinks(to: terminal, supervisor)
        defer { links.cancel() }
        let code = await terminal.run(notices)
        if let words = ending.lastWords { Locations.complain(words) }
        return code
      } catch {
        Locations.complain("gangway: the terminal cannot be used, so the plain front end is: \(error).")
      }
    }
    if options.frontend == .web {
      let browser = BrowserRun(supervisor, notices)
      ending.browser = browser
      return try await browser.run()
    }
    for notice in notices { Locations.complain(notice.text) }
    // What a person types can be edited, and had again.
    let isEdited = options.script == nil && lines == nil && LineEditor.isPossible
    let editor = isEdited ? LineEditor(history: Locations.history) : nil
    defer { editor?.close() }
    ending.editor = editor
    let frontEnd = PlainFrontEnd(
      supervisor, isScript: options.script != nil, prompt: editor, speaks: options.screenReader,
      write: { if !Locations.output($0) { Glibc.exit(1) } }, complain: { Locations.complain($0) })
    let code = await frontEnd.run(try editor?.lines ?? lines ?? readLines())
    return ending.code ?? code
  }

  /// Has the terminal list the links of all plugins, as soon as those have been looked into.
  private func offerLinks(to terminal: TerminalFrontEnd, _ supervisor: Supervisor) -> Task<Void, Never> {
    let search = options.search
    return Task {
      await supervisor.listed()
      // What is known of files is read; what is not was found out by the host.
      terminal.offer(
        links: RouteListing(search.survey()).routes.filter { $0.kind == "link" }.map { "gangway://" + $0.name })
    }
  }

  private func readLines() throws -> AsyncStream<String> {
    do {
      return try LineReader.lines(of: options.script)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}

/// Ends a run in order when a signal says so: the session is stored, the terminal given back.
@MainActor private final class Ending {
  var terminal: TerminalFrontEnd?
  var browser: BrowserRun?
  var editor: LineEditor?
  /// The exit code, where a signal says that the run ends.
  var code: Int32?
  var lastWords: String?
  private let supervisor: Supervisor

  init(_ supervisor: Supervisor) { self.supervisor = supervisor }

  /// How long a process may take to end when it is asked to: it may be held up by a terminal that takes nothing.
  private nonisolated static let patience: DispatchTimeInterval = .seconds(8)

  /// Follows the signals that ask a process to end.
  func follow() -> [any DispatchSourceSignal] {
    [SIGTERM, SIGINT, SIGHUP].map { number in
      Glibc.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler {
        Task { @MainActor in
          if let terminal = self.terminal { return terminal.stop(128 + number) }
          if let browser = self.browser { return browser.stop(128 + number) }
          self.code = 128 + number
          self.editor?.close()
          await self.supervisor.stop()
          Glibc.exit(128 + number)
        }
      }
      source.resume()
      return source
    } + [SIGTERM, SIGHUP].map(Self.endInTime)
  }

  /// Ends the process some time after a signal, elsewhere than where it is drawn. The session is stored with every change.
  private nonisolated static func endInTime(_ number: Int32) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler {
      DispatchQueue.global().asyncAfter(deadline: .now() + patience) { Glibc._exit(128 + number) }
    }
    source.resume()
    return source
  }
}
