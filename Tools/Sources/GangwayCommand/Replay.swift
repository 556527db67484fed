import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc

/// `gangway replay`: replays a recorded session without a screen.
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Replays a recording or a crash report, and compares the navigation trees.",
    discussion: help(
      "Uses the plugins, their library files and the configuration that the recording names. Plugins get empty data "
        + "folders, unless you pass --data. Exit 1 at the first tree that differs, or if "
        + "the crash in the report does not recur.",
      examples: [
        "gangway replay session.jsonl": "a recording of gangway run --record session.jsonl",
        "gangway replay ~/.local/state/gangway/crashes/1234-1.log": "a crash report",
      ]))

  @Argument(help: "The recording or crash report.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The app's configuration; by default, the file that the recording names.", valueName: "file"),
    completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The app's initial data folder, such as a copy of ~/.local/share/gangway. The replay works on a copy.",
      valueName: "folder"), completion: .directory)
  var data: String?

  @OptionGroup var search: PluginOptions

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    let folder = FileManager.default.temporaryDirectory.appending(path: "gangway-replay-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    guard access(file, R_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw Mistake.noInput(Words.Files.recordingUnreadable(file, reason: reason)).refused()
    }
    do {
      let recording = try Recording(file: file)
      if let data { try copy(data, to: folder) }
      var options = SupervisorOptions(host: search.executable, logFolder: folder.path)
      options.launch.folders = search.folders
      options.launch.leaveOut(search.without)
      options.launch.configuration = config
      options.environment = ["XDG_DATA_HOME": folder.path + "/data", "XDG_CACHE_HOME": folder.path + "/cache"]
      switch try await RecordingReplay(recording, options).run() {
      case .same(0):
        Locations.complain(Words.Replaying.noStep)
        throw ExitCode(1)
      case .same(let events):
        try Locations.result(Words.Replaying.same(events: events) + "\n")
      case .failed(let events, let text):
        try Locations.result(Words.Replaying.failedAsRecorded(events: events, text) + "\n")
      case .different(let text):
        Locations.complain(text + (data == nil ? "\n" + Words.Replaying.withoutData : ""))
        throw ExitCode(1)
      }
    } catch let failure as SupervisorFailure {
      Locations.fail(failure)
      throw ExitCode(1)
    }
  }

  /// Copies the data of the app for the replay.
  private func copy(_ data: String, to folder: URL) throws {
    do {
      let target = folder.appending(path: "data")
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      try DataCopy.make(of: data, at: target.appending(path: "gangway").path)
    } catch {
      throw Mistake.noInput(Words.Replaying.dataNotCopied(data, reason: error.reason)).refused()
    }
  }
}
