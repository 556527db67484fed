import ArgumentParser
import FoundationEssentials
import GangwayClient
import GangwayHost
import GangwaySupervisor
import Glibc

/// `gangway dev`: an app that follows the sources of one of its plugins.
struct Dev: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the app with a plugin's package: whenever its sources change, it is built and reloaded.",
    discussion: """
      The screen and what was typed stay. What the compiler has to say appears at the place of the feature, while the \
      version before keeps running.
      """)

  @Argument(help: "The folder of the plugin's package.", completion: .directory)
  var path: String

  @Option(
    help: ArgumentHelp("Where SwiftPM builds; by default .build in the package.", valueName: "dir"),
    completion: .directory)
  var scratchPath: String?

  @OptionGroup var app: AppOptions

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    let package = PluginPackage(path: path, scratchPath: scratchPath ?? path + "/.build")
    let folder = "\(Locations.state)/dev/\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    Locations.complain("Building \(path) …")
    let built: String
    let installed: String
    do {
      try await package.build()
      built = try await package.library()
      installed = try package.install(built, in: folder)
    } catch {
      Locations.complain("gangway: \(error)")
      throw ExitCode(1)
    }
    var options = app.supervisorOptions
    options.pluginFolders.insert(folder, at: 0)
    if !options.plugins.isEmpty { options.plugins.append(installed) }
    try await AppRun(app, options) { supervisor in
      Task { await DevLoop(package, built, folder, installed, supervisor).run() }
    }.run()
  }
}

/// Follows a package's sources while its app runs.
@MainActor private final class DevLoop {
  private let package: PluginPackage
  private let built: String
  private let folder: String
  private let installed: String
  private let supervisor: Supervisor

  init(_ package: PluginPackage, _ built: String, _ folder: String, _ installed: String, _ supervisor: Supervisor) {
    self.package = package
    self.built = built
    self.folder = folder
    self.installed = installed
    self.supervisor = supervisor
  }

  func run() async {
    var seen = package.sources
    while !Task.isCancelled {
      guard (try? await Task.sleep(for: .milliseconds(150))) != nil else { return }
      let now = package.sources
      guard now != seen else { continue }
      seen = now
      await follow()
    }
  }

  /// The plugin's id, which its file has had since it first came up.
  private var plugin: String? { supervisor.statuses.values.first { $0.file == installed }?.id }

  private func follow() async {
    let name = plugin ?? package.name
    supervisor.say("Building \(name) …", plugin: plugin)
    do {
      try await package.build()
    } catch {
      return fail(error.lines)
    }
    do throws(PluginPackage.Failure) {
      _ = try package.install(built, in: folder)
    } catch {
      return fail(error.lines)
    }
    do {
      if let plugin {
        let text = try await supervisor.reload(plugin)
        supervisor.setBanner(plugin, [])
        supervisor.say(text, plugin: plugin)
      } else {
        // Until now it was never let in: the next host looks into it again.
        try await supervisor.restart()
      }
    } catch {
      fail(["\(error)"])
    }
  }

  /// Says at the place of the feature what is wrong; the version before goes on.
  private func fail(_ lines: [String]) {
    let shown = lines.prefix(8) + (lines.count > 8 ? ["… and \(lines.count - 8) more"] : [])
    guard let plugin else { return supervisor.say(shown.joined(separator: " "), plugin: nil) }
    supervisor.setBanner(plugin, Array(shown))
  }
}
