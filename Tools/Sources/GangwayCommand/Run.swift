import ArgumentParser
import Dispatch
import GangwayHost
import GangwaySupervisor
import GangwayTerminal
import Glibc

/// `gangway run`: an application with its plugins, under a supervisor.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the app; when a feature crashes, the person stays on the screen they were on.")

  enum FrontEnd: String, ExpressibleByArgument, CaseIterable {
    case terminal, plain
  }

  @Option(
    name: .customLong("plugin"), help: ArgumentHelp("Load this plugin only; may be repeated.", valueName: "id|file"))
  var plugins: [String] = []

  @Option(help: ArgumentHelp("Leave this plugin out; may be repeated.", valueName: "id|file"))
  var without: [String] = []

  @OptionGroup var search: PluginOptions

  @Option(
    help: "What draws the app: terminal or plain; by default terminal, where output is one and there is no script.")
  var frontend: FrontEnd?

  @Option(
    help: ArgumentHelp("Run commands from a file, or - for standard input.", valueName: "file"),
    completion: .file())
  var script: String?

  @Option(
    help: ArgumentHelp(
      "Keep the session in this file between runs. Without it, one under XDG_STATE_HOME; with --script, none.",
      valueName: "file"),
    completion: .file())
  var state: String?

  @Option(
    help: ArgumentHelp("Order, group and hide tabs as this file says.", valueName: "file"), completion: .file())
  var config: String?

  @Option(help: ArgumentHelp("Go where this link leads once the app has started.", valueName: "url"))
  var open: String?

  @Option(
    help: ArgumentHelp("Record the session in this file, for `gangway replay`.", valueName: "file"),
    completion: .file())
  var record: String?

  @Flag(help: "Begin anew; what was stored is set aside.")
  var fresh = false

  @Flag(name: .customLong("safe-mode"), help: "Show what is installed, and load no plugin before you ask for it.")
  var safeMode = false

  @Flag(name: .customLong("wait-for-debugger"), help: "Let hosts wait for a debugger before they load anything.")
  var waitForDebugger = false

  @Option(
    help: ArgumentHelp(
      "Ask whether to go on waiting when an event is not answered within this time; 0 for never.", valueName: "seconds"))
  var patience: Double = 5

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    do {
      let supervisor = try Supervisor(options)
      let code = try await drive(supervisor)
      await supervisor.stop()
      throw ExitCode(code)
    } catch let failure as SupervisorFailure {
      Locations.complain("gangway: \(failure)")
      throw ExitCode(1)
    }
  }

  private var options: SupervisorOptions {
    var options = SupervisorOptions(host: search.executable, logFolder: Locations.state)
    options.plugins = plugins
    options.without = without
    options.pluginFolders = search.folders
    options.stateFile = state ?? (script == nil ? Locations.state + "/session.json" : nil)
    options.isFresh = fresh
    options.configuration = config
    options.recording = record
    options.isSafe = safeMode
    options.waitsForDebugger = waitForDebugger
    options.rescans = search.rescan
    options.probeTimeout = search.probeTimeout
    options.patience = patience > 0 ? .seconds(patience) : nil
    return options
  }

  @MainActor private func drive(_ supervisor: Supervisor) async throws -> Int32 {
    let lines = wantsTerminal ? nil : try readLines()
    supervisor.onFailure = { failure in
      Locations.complain("gangway: \(failure)")
      Glibc.exit(1)
    }
    let ending = Ending(supervisor)
    let signals = ending.follow()
    defer { for source in signals { source.cancel() } }
    var notices = try await supervisor.start()
    if let open { notices += try await supervisor.send(.open(open)).notices }
    if wantsTerminal {
      do {
        let terminal = try TerminalFrontEnd(supervisor, isStored: options.stateFile != nil)
        ending.terminal = terminal
        supervisor.onFailure = { failure in
          terminal.stop(1)
          ending.lastWords = "gangway: \(failure)"
        }
        let code = await terminal.run(notices)
        if let words = ending.lastWords { Locations.complain(words) }
        return code
      } catch {
        Locations.complain("gangway: the terminal cannot be used, so the plain front end is: \(error).")
      }
    }
    for notice in notices { Locations.complain(notice.text) }
    let frontEnd = PlainFrontEnd(
      supervisor, isScript: script != nil, write: { if !Locations.output($0) { Glibc.exit(1) } },
      complain: { Locations.complain($0) })
    return await frontEnd.run(try lines ?? readLines())
  }

  private var wantsTerminal: Bool {
    switch frontend {
    case .terminal: true
    case .plain: false
    case nil: script == nil && isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1
    }
  }

  private func readLines() throws -> AsyncStream<String> {
    do {
      return try LineReader.lines(of: script)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}

/// Ends a run in order when a signal says so: the session is stored, the terminal given back.
@MainActor private final class Ending {
  var terminal: TerminalFrontEnd?
  var lastWords: String?
  private let supervisor: Supervisor

  init(_ supervisor: Supervisor) { self.supervisor = supervisor }

  /// Follows the signals that ask a process to end.
  func follow() -> [any DispatchSourceSignal] {
    [SIGTERM, SIGINT, SIGHUP].map { number in
      Glibc.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler {
        Task { @MainActor in
          if let terminal = self.terminal { return terminal.stop(128 + number) }
          await self.supervisor.stop()
          Glibc.exit(128 + number)
        }
      }
      source.resume()
      return source
    }
  }
}
