import ArgumentParser
import GangwayHost

/// The command `gangway`.
@main struct Gangway: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gangway",
    abstract: "Runs applications made of plugins, and keeps them running.",
    version: "gangway \(Host.version)",
    subcommands: [Run.self, List.self, Routes.self, Replay.self]
  )
}

/// Where plugins are looked for, as all commands take it.
struct PluginOptions: ParsableArguments {
  @Option(
    name: .customLong("plugins-dir"),
    help: ArgumentHelp(
      "Look for plugins in this folder first; then in GANGWAY_PLUGIN_PATH, then beside the host.", valueName: "dir"),
    completion: .directory)
  var folders: [String] = []

  @Option(
    help: ArgumentHelp("The host to run; by default the one beside this command.", valueName: "file"),
    completion: .file())
  var host: String?
}
