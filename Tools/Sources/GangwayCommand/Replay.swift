import ArgumentParser
import FoundationEssentials
import GangwayClient
import GangwayHost
import GangwayProtocol
import GangwaySupervisor
import Glibc

/// `gangway replay`: replays a recorded session without a screen.
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Does again what was recorded with `gangway run --record`, or what led to a crash, and compares the trees.",
    discussion: help(
      "Plugins find empty folders for their data. Exit 1 at the first tree that differs, which is named, or if "
        + "nothing fails where the report of a crash says that it did.",
      examples: [
        "gangway replay session.jsonl": "what gangway run --record session.jsonl recorded",
        "gangway replay ~/.local/state/gangway/crashes/1234-1.txt": "what led to a crash",
      ]))

  @Argument(help: "The recording, or the report of a crash.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The configuration that the recorded app had.", valueName: "file"), completion: .file())
  var config: String?

  @OptionGroup var search: PluginOptions

  @MainActor func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    let folder = FileManager.default.temporaryDirectory.appending(path: "gangway-replay-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    guard access(file, R_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw Mistake.noInput("The recording '\(file)' cannot be read: \(reason).").refused()
    }
    do {
      let recording = try Recording(file: file)
      var options = SupervisorOptions(host: search.executable, logFolder: folder.path)
      options.pluginFolders = search.folders
      options.configuration = config
      options.environment = ["XDG_DATA_HOME": folder.path + "/data", "XDG_CACHE_HOME": folder.path + "/cache"]
      switch try await RecordingReplay(recording, options).run() {
      case .same(let events):
        try Locations.result("\(events) \(events == 1 ? "event" : "events"): every tree is as it was recorded.\n")
      case .failed(let events, let text):
        try Locations.result(
          "\(events) \(events == 1 ? "event" : "events"), and it fails as it did: \(text)\n")
      case .different(let text):
        Locations.complain(text)
        throw ExitCode(1)
      }
    } catch let failure as SupervisorFailure {
      Locations.complain("gangway: \(failure)")
      throw ExitCode(1)
    }
  }
}
