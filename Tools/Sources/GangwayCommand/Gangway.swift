import ArgumentParser
import GangwayHost
import GangwayProtocol
import GangwaySupervisor

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

  /// Asks what the files that a host would find are, each in a process of its own.
  ///
  /// - Throws: the exit code 1, once it is said why that cannot be known.
  func probe() async throws -> [HostMessage.PluginStatus] {
    let probe = PluginProbe(host: host ?? Locations.host)
    do {
      return try await probe.run(PluginProbe.files(in: folders, host: probe.host))
    } catch {
      Locations.complain("gangway: \(error)")
      throw ExitCode(1)
    }
  }
}
