import ArgumentParser
import Dispatch
import GangwayHost
import GangwaySupervisor
import Glibc

/// `gangway run`: an application with its plugins, under a supervisor.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the app; when a feature crashes, the person stays on the screen they were on.")

  enum FrontEnd: String, ExpressibleByArgument, CaseIterable {
    case plain
  }

  @Option(
    name: .customLong("plugin"), help: ArgumentHelp("Load this plugin only; may be repeated.", valueName: "id|file"))
  var plugins: [String] = []

  @Option(help: ArgumentHelp("Leave this plugin out; may be repeated.", valueName: "id|file"))
  var without: [String] = []

  @OptionGroup var search: PluginOptions

  @Option(help: "What draws the app: \(FrontEnd.allCases.map(\.rawValue).joined(separator: ", ")).")
  var frontend = FrontEnd.plain

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

  @Flag(help: "Begin anew; what was stored is set aside.")
  var fresh = false

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    let lines: AsyncStream<String>
    do {
      lines = try LineReader.lines(of: script)
    } catch {
      throw ValidationError("\(error)")
    }
    do {
      let supervisor = try Supervisor(options)
      let code = try await drive(supervisor, lines)
      await supervisor.stop()
      throw ExitCode(code)
    } catch let failure as SupervisorFailure {
      Locations.complain("gangway: \(failure)")
      throw ExitCode(1)
    }
  }

  private var options: SupervisorOptions {
    var options = SupervisorOptions(host: search.host ?? Locations.host, logFolder: Locations.state)
    options.plugins = plugins
    options.without = without
    options.pluginFolders = search.folders
    options.stateFile = state ?? (script == nil ? Locations.state + "/session.json" : nil)
    options.isFresh = fresh
    return options
  }

  @MainActor private func drive(_ supervisor: Supervisor, _ lines: AsyncStream<String>) async throws -> Int32 {
    supervisor.onFailure = { failure in
      Locations.complain("gangway: \(failure)")
      Glibc.exit(1)
    }
    let signals = endInOrder(supervisor)
    defer { for source in signals { source.cancel() } }
    for notice in try await supervisor.start() { Locations.complain(notice.text) }
    let frontEnd = PlainFrontEnd(
      supervisor, isScript: script != nil, write: { if !Locations.output($0) { Glibc.exit(1) } },
      complain: { Locations.complain($0) })
    return await frontEnd.run(lines)
  }

  /// Stores the session before the process ends by a signal.
  @MainActor private func endInOrder(_ supervisor: Supervisor) -> [any DispatchSourceSignal] {
    [SIGTERM, SIGINT, SIGHUP].map { number in
      Glibc.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler {
        Task { @MainActor in
          await supervisor.stop()
          Glibc.exit(128 + number)
        }
      }
      source.resume()
      return source
    }
  }
}
