@_spi(FrontEnd) import GangwayHost
import ArgumentParser
import Dispatch
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc

/// A run of an app from start to end: the supervisor, a front end, signals and the control socket.
@MainActor final class AppRun {
  private let options: AppOptions
  private let supervised: SupervisorOptions
  /// Whether the app has no front end of its own.
  private let isDetached: Bool
  /// Starts a task that runs beside the app.
  private let companion: (@MainActor (Supervisor) -> Task<Void, Never>)?
  private var socket: ControlSocket?

  init(
    _ options: AppOptions, _ supervised: SupervisorOptions, isDetached: Bool = false,
    companion: (@MainActor (Supervisor) -> Task<Void, Never>)? = nil
  ) {
    self.options = options
    self.supervised = supervised
    self.isDetached = isDetached
    self.companion = companion
  }

  /// Runs the app.
  ///
  /// - Throws: the exit code.
  func run() async throws {
    try refuseUnknown()
    // An unreadable script is reported before anything starts.
    let frontEnd = try FrontEndRun(options.shown, script: options.script, isDetached: isDetached)
    do {
      let supervisor = try Supervisor(supervised)
      let code = try await drive(supervisor, frontEnd)
      await supervisor.stop()
      throw ExitCode(code)
    } catch let failure as SupervisorFailure {
      Locations.fail(failure)
      throw ExitCode(1)
    }
  }

  /// Refuses unknown names in `--without`, because the app would run with the plugin that a misspelled name meant.
  private func refuseUnknown() throws {
    let names = options.search.without
    guard !names.isEmpty else { return }
    _ = try options.search.survey(files: (names + options.plugins).filter(UnknownName.isFile))
  }

  /// Listens for other commands.
  ///
  /// The app also runs if they cannot reach it, unless they are the only way to it.
  private func listen(_ supervisor: Supervisor) throws -> Update.Notice? {
    do {
      socket = try ControlSocket(folder: Locations.sockets, supervisor)
      return nil
    } catch {
      guard isDetached else { return Update.Notice(.information, "\(error)") }
      Locations.fail("\(error)")
      throw ExitCode(1)
    }
  }

  private func drive(_ supervisor: Supervisor, _ frontEnd: FrontEndRun) async throws -> Int32 {
    supervisor.onFailure = { failure in
      if !frontEnd.stop(1, saying: "error: \(failure)") { Glibc.exit(1) }
    }
    let signals = TerminationSignals.follow { number in
      guard !frontEnd.stop(128 + number) else { return }
      await supervisor.stop()
      Glibc.exit(128 + number)
    }
    defer { for source in signals { source.cancel() } }
    var notices = try await supervisor.start()
    // The command that started an app in the background waits for the socket, and then prints the notices.
    var opened: [Update.Notice] = []
    if isDetached {
      opened = try await open(supervisor)
      for notice in notices + opened { Locations.complain(notice.developerText) }
    }
    if let notice = try listen(supervisor) { notices.append(notice) }
    defer { socket?.stop() }
    let companion = self.companion?(supervisor)
    defer { companion?.cancel() }
    // A script needs the same app every time, so it starts after all plugins have been scanned.
    if options.script != nil { await supervisor.listed() }
    if !isDetached { opened = try await open(supervisor) }
    notices += opened
    let isRefused = opened.contains { $0.kind == .refusal }
    // For a script, the link is its first command, so the script fails. For a user, the app shows the problem.
    if isRefused, options.script != nil {
      for notice in notices { Locations.complain(notice.kind == .refusal ? notice.text : notice.developerText) }
      return 1
    }
    let search = options.search
    let links: @MainActor () async -> [String] = {
      // The host has scanned unknown files by then, so this survey uses cached results.
      await supervisor.listed()
      guard let survey = try? search.survey() else { return [] }
      return RouteListing(survey).routes.filter { $0.kind == "link" }.map { "gangway://" + $0.name }
    }
    let code = try await frontEnd.show(
      supervisor.connect(), notices, isStored: supervised.stateFile != nil, isLinkOpen: options.open != nil,
      links: links, graph: search.graph)
    return code == 0 && isRefused ? 1 : code
  }

  /// Opens the link of `--open`.
  ///
  /// - Returns: the notifications for the user.
  private func open(_ supervisor: Supervisor) async throws -> [Update.Notice] {
    guard let link = options.open else { return [] }
    return try await supervisor.send(.open(link)).notices
  }
}
