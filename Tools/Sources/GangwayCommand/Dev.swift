import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc

/// `gangway dev`: runs an app that follows the sources of some plugins.
struct Dev: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the app with a plugin from source, and rebuilds and reloads it after each change.",
    discussion: help(
      """
      The screen and typed text stay. Compiler errors appear on the feature's screens, while the previous \
      version keeps running. A package that does not build at the start appears after a change fixes it.
      """,
      examples: [
        "gangway dev .": "the package in this folder",
        "gangway dev Todos Account --plugin clock": "two packages and, of the installed plugins, only 'clock'",
      ]))

  @Argument(help: "The folder of the plugin's package; repeatable.", completion: .directory)
  var paths: [String]

  @Option(
    help: ArgumentHelp("The build folder; by default .build in each package.", valueName: "dir"),
    completion: .directory)
  var scratchPath: String?

  @OptionGroup var app: AppOptions

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    try BrowserPart.have(for: app.shown)
    let folder = "\(Locations.state)/dev/\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var followed: [DevLoop.Followed] = []
    for path in paths { followed.append(try await prepare(path, folder)) }
    var options = app.supervisorOptions
    options.launch.folders.insert(folder, at: 0)
    if !options.launch.plugins.isEmpty { options.launch.plugins += followed.map(\.installed) }
    let opensTab = app.open == nil && app.script == nil
    try await AppRun(app, options) { [followed] supervisor in
      Task { await DevLoop(followed, folder: folder, supervisor: supervisor, opensTab: opensTab).run() }
    }.run()
  }

  /// Builds a package for the first time.
  ///
  /// A package that does not build, or is not a plugin yet, is not an error.
  ///
  /// - Throws: the exit code 1 if there is nothing to build.
  @MainActor private func prepare(_ path: String, _ folder: String) async throws -> DevLoop.Followed {
    guard access(path + "/Package.swift", F_OK) == 0 else {
      let words = access(path, F_OK) == 0 ? Words.Development.noPackage : Words.Development.noFolder
      Locations.fail(words(path))
      throw ExitCode(1)
    }
    let package = PluginPackage(path: path, scratchPath: scratchPath ?? path + "/.build")
    // Changes made during the build trigger another build.
    let sources = package.sources
    do throws(PluginPackage.Failure) {
      let built = try await package.library()
      let file = built.split(separator: "/").last.map(String.init) ?? built
      var followed = DevLoop.Followed(
        package: package, built: built, installed: "\(folder)/\(file)", sources: sources)
      do throws(PluginPackage.Failure) {
        let progress = BuildProgress(package.name)
        defer { progress.end() }
        try await package.build { progress.show($0) }
        _ = try package.install(built, in: folder)
      } catch {
        followed.failure =
          [Words.Development.buildsAfterChange(package.name, error.summary)] + error.lines
        Locations.fail(followed.failure[0])
        for line in followed.failure.dropFirst() { Locations.complain(line) }
      }
      return followed
    } catch {
      Locations.fail(error)
      throw ExitCode(1)
    }
  }
}

/// The progress of a build, on one line in a terminal.
@MainActor final class BuildProgress {
  private let name: String
  private let isTerminal = isatty(STDERR_FILENO) == 1

  init(_ name: String) {
    self.name = TerminalText.fit(name)
    let text = Words.Development.building(name)
    if isTerminal { write(text) } else { Locations.complain(text) }
  }

  func show(_ progress: PluginPackage.Progress) {
    guard isTerminal else { return }
    write("\r\u{1b}[K" + Words.Development.building(name, done: progress.done, of: progress.count))
  }

  func end() {
    if isTerminal { write("\r\u{1b}[K") }
  }

  private func write(_ text: String) { _ = ProcessIO.writeAll(Array(text.utf8), to: STDERR_FILENO) }
}
