import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol

/// `gangway lock`: writes the digests of the installed plugins to a file.
struct Lock: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes plugins.lock: the id, version and SHA-256 of each plugin.",
    discussion: help(
      "With --locked, an app loads only libraries in the lock. Exit 1 if a plugin is broken; the others are locked.",
      examples: [
        "gangway lock": "all installed plugins",
        "gangway lock --plugins-dir .build/release --output app.lock": "plugins of a folder, too",
        "gangway run --locked": "then run with these plugins only",
      ]))

  @Option(
    help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
  var output = PluginOptions.defaultLock

  @OptionGroup var search: PluginOptions

  func validate() throws { try Mistake.check(written: output, of: "--output") }

  @MainActor func run() async throws {
    let survey = try search.survey()
    let lock: PluginLock
    do throws(Refusal) {
      lock = try survey.makeLock()
    } catch {
      Locations.fail(error)
      throw ExitCode(1)
    }
    guard lock.count > 0 else {
      Locations.fail(Words.Plugins.nothingToLock)
      throw ExitCode(1)
    }
    do {
      try Data(lock.text.utf8).write(to: URL(filePath: output), options: .atomic)
    } catch {
      throw Mistake.cannotCreate(Words.Files.unwritable(output, reason: error.reason)).refused()
    }
    Locations.note(Words.Plugins.locked(lock.count, file: output))
    let refused = survey.plugins.filter { $0.refusal != nil }
    guard refused.isEmpty else {
      Locations.complain(Words.Plugins.refused(refused.count))
      throw ExitCode(1)
    }
  }
}
