import ArgumentParser
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc

/// The command `gangway`.
package struct Gangway: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "gangway",
    abstract: "Runs apps made of plugins, and keeps them running after crashes.",
    discussion:
      "Exit: 0 success, 1 failure, 64 wrong usage, 66 a named file or folder could not be read, "
      + "73 a file or folder could not be written, 128 plus the signal's number if a signal ended the command.",
    version: "gangway \(Host.version)",
    subcommands: [
      Run.self, Serve.self, Ps.self, Attach.self, Stop.self, Open.self, Dev.self, New.self, Reload.self, List.self,
      Routes.self, Graph.self, Inspect.self, Why.self, Check.self, Validate.self, Pack.self, Install.self,
      Uninstall.self,
      Lock.self, Sign.self, Doctor.self, Env.self, Logs.self, Sessions.self,
      Replay.self, CompletionCommand.self,
    ]
  )

  package init() {}

  /// Wrong usage is reported in the style of all other errors.
  package static var _errorLabel: String { "error" }

  /// Runs the command that the process's arguments name; an unknown command is refused with the nearest known one.
  ///
  /// - Parameter browser: the part that shows apps in browsers; nil if this executable has no web server.
  @MainActor package static func main(browser: (any Browser.Type)?) async {
    BrowserPart.set(browser)
    let names = configuration.subcommands.map { $0._commandName } + ["help"]
    if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !names.contains(word) {
      let nearest = NearestMatch.of(word, among: names)
      Locations.fail(Words.Usage.unknownCommand(word, nearest: nearest, commands: names))
      Glibc.exit(ExitCode.validationFailure.rawValue)
    }
    refuseUnknownHelp(CommandLine.arguments.dropFirst())
    await main(nil)
  }

  /// Refuses help about an unknown command, for which the parser would print the help of the parent command.
  private static func refuseUnknownHelp(_ words: ArraySlice<String>) {
    guard words.first == "help" else { return }
    var command: any ParsableCommand.Type = Self.self
    for word in words.dropFirst() where !word.hasPrefix("-") && word != "help" {
      let subcommands = command.configuration.subcommands
      if let next = subcommands.first(where: { $0._commandName == word }) {
        command = next
        continue
      }
      let names = subcommands.map { $0._commandName }
      let nearest = NearestMatch.of(word, among: names)
      Locations.fail(Words.Usage.noHelp(for: word, nearest: nearest, commands: names))
      Glibc.exit(ExitCode.validationFailure.rawValue)
    }
  }
}

/// The options of all commands that search for plugins.
package struct PluginOptions: ParsableArguments {
  @Option(
    name: .customLong("plugins-dir"),
    help: ArgumentHelp(
      "Search this folder first, then GANGWAY_PLUGIN_PATH, installed plugins and the host's folder; repeatable.",
      valueName: "dir"),
    completion: .directory)
  var folders: [String] = []

  @Option(
    help: ArgumentHelp("Leave this plugin out; repeatable.", valueName: "id|file"),
    completion: Completion.plugins)
  var without: [String] = []

  @Option(
    help: ArgumentHelp("The host to run; by default the one beside this command.", valueName: "file"),
    completion: .file())
  var host: String?

  @Flag(help: "Load only libraries that the lock lists. It is plugins.lock, unless --lock names another file.")
  var locked = false

  @Option(
    help: ArgumentHelp("Load only libraries that this lock lists; `gangway lock` writes it.", valueName: "file"),
    completion: .file(extensions: ["lock"]))
  var lock: String?

  @Option(
    name: .customLong("trusted-keys"),
    help: ArgumentHelp(
      "Load only libraries that a key in this file signed; `gangway sign` signs them.", valueName: "file"),
    completion: .file(extensions: ["pub"]))
  var trustedKeys: String?

  @Flag(help: "Probe all files again.")
  var rescan = false

  @Option(
    name: .customLong("probe-timeout"),
    help: ArgumentHelp(
      "The time limit for each step of a probe; by default 10.", valueName: "seconds"
    ))
  var probeTimeout: Double?

  package init() {}

  /// Wrong usage is reported in the style of all other errors.
  package static var _errorLabel: String { "error" }

  /// The path of the host's executable.
  var executable: String { host ?? Locations.host }

  package func validate() throws {
    if let probeTimeout, !(0.01...3600).contains(probeTimeout) {
      throw ValidationError(Words.Usage.probeTimeoutOutOfRange(probeTimeout))
    }
    for folder in folders { try Mistake.check(folder: folder, of: "--plugins-dir") }
    if let file = lockFile { try Mistake.check(file: file, of: lock == nil ? "--locked" : "--lock") }
    if let trustedKeys { try Mistake.check(file: trustedKeys, of: "--trusted-keys") }
  }

  /// The lock that `gangway lock` writes and `--locked` reads, unless another one is named.
  static let defaultLock = "plugins.lock"

  /// The path of the lock; nil if any library may load.
  private var lockFile: String? { lock ?? (locked ? Self.defaultLock : nil) }

  /// The settings of a host according to the options.
  var launch: HostLaunch {
    var launch = HostLaunch()
    launch.folders = folders
    launch.leaveOut(without)
    launch.lock = lockFile.map(FilePaths.whole)
    launch.trustedKeys = trustedKeys.map(FilePaths.whole)
    launch.rescans = rescan
    if let probeTimeout { launch.probeDeadline = .seconds(probeTimeout) }
    return launch
  }

  /// The options of a host that runs for a command: what it may load.
  var hostArguments: [String] {
    folders.flatMap { ["--plugins-dir", $0] } + without.flatMap { ["--without", $0] }
      + (lockFile.map { ["--lock", $0] } ?? []) + (trustedKeys.map { ["--trusted-keys", $0] } ?? [])
  }

  /// The options as command-line arguments.
  var arguments: [String] {
    var arguments = folders.flatMap { ["--plugins-dir", $0] } + without.flatMap { ["--without", $0] }
    if let lockFile { arguments += ["--lock", lockFile] }
    if let trustedKeys { arguments += ["--trusted-keys", trustedKeys] }
    if let host { arguments += ["--host", host] }
    if let probeTimeout { arguments += ["--probe-timeout", "\(probeTimeout)"] }
    return rescan ? arguments + ["--rescan"] : arguments
  }

  /// Finds the installed plugins; files that are not in the cache are loaded by separate processes, never by this one.
  ///
  /// - Throws: the exit code 1 if `--without` names no plugin.
  @MainActor func survey(files: [String] = []) throws -> PluginSurvey {
    let survey = PluginSurvey(launch, files: files, host: executable)
    for name in without where survey.status(of: name) == nil { try UnknownName.refuse(name, survey) }
    return survey
  }
}
