import ArgumentParser
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc

/// `gangway install`: installs a packed plugin, and shows it in running apps.
struct Install: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Installs a packed plugin, and reloads it in running apps.",
    discussion: help(
      "The archive is checked before anything is installed. If the check fails, the installed plugin stays as it was.",
      examples: [
        "gangway install Todos-1.2.0-linux-x86_64.gangway": "for this user",
        "gangway install Todos-1.1.0-linux-x86_64.gangway --downgrade": "back to an older version",
      ]))

  @Argument(
    help: ArgumentHelp("The archive that `gangway pack` wrote.", valueName: "file"),
    completion: .file(extensions: ["gangway"]))
  var file: String

  @Flag(help: "Replace a newer version.")
  var downgrade = false

  @OptionGroup var target: InstallFolder
  @OptionGroup var search: PluginOptions

  func validate() throws {
    guard access(file, R_OK) != 0 else { return }
    let reason = String(cString: strerror(errno))
    throw Mistake.noInput(Words.Packing.unreadable(file, reason: reason)).refused()
  }

  @MainActor func run() async throws {
    do {
      let done = try await InstalledPlugins(folder: target.folder, search: search)
        .install(FilePaths.whole(file), allowsOlder: downgrade)
      let text = Words.Packing.installed(done.id, done.version, file: done.file, previous: done.previous)
      try Locations.result(text + "\n")
      try await Self.reload(done.id)
    } catch let failure as InstalledPlugins.Failure {
      throw Self.failed(failure)
    } catch let failure as PluginArchive.Failure {
      throw Self.failed(failure)
    }
  }

  static func failed(_ failure: any Error) -> ExitCode {
    Locations.fail(failure)
    return ExitCode(1)
  }

  /// Reloads the plugin in all running apps.
  ///
  /// - Throws: the exit code 1 if an app keeps the old version.
  private static func reload(_ id: PluginID) async throws {
    var isDone = true
    for app in RunningApps(folder: Locations.sockets).apps {
      // An app that does not know the plugin cannot reload it.
      if let plugins = await app.plugins(), !plugins.contains(where: { $0.id == id }) {
        Locations.note(Words.Packing.laterIn(app.process))
        continue
      }
      isDone = try await Reload.reload(id, in: app) && isDone
    }
    if !isDone { throw ExitCode(1) }
  }
}

/// `gangway uninstall`: removes an installed plugin.
struct Uninstall: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Removes a plugin that `gangway install` installed. Its data stays.",
    discussion: help(
      "Running apps may keep the plugin until their next start.",
      examples: ["gangway uninstall todos": "removes the library"]))

  @Argument(help: "The plugin's id.", completion: Completion.ids)
  var id: String

  @OptionGroup var target: InstallFolder
  @OptionGroup var search: PluginOptions

  @MainActor func run() async throws {
    do {
      let file = try InstalledPlugins(folder: target.folder, search: search).uninstall(PluginID(rawValue: id))
      try Locations.result(Words.Packing.uninstalled(PluginID(rawValue: id), file: file) + "\n")
    } catch let failure as InstalledPlugins.Failure {
      throw Install.failed(failure)
    }
  }
}

/// The option of commands that install plugins.
struct InstallFolder: ParsableArguments {
  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "The folder of the plugins. By default ~/.local/lib/gangway/plugins, which hosts search.", valueName: "dir"),
    completion: .directory)
  var chosen: String?

  /// The path of the folder.
  var folder: String { chosen.map { $0.hasPrefix("/") ? $0 : FilePaths.whole(".") + "/" + $0 } ?? HostPaths.plugins }
}
