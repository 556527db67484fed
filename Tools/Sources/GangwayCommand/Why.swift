import ArgumentParser
import GangwayClient
import GangwayHost
import GangwayProtocol
import GangwaySupervisor

/// `gangway why`: the state of one plugin, its cause, and what mends it.
struct Why: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says why a plugin is, or is not, there: its state, one cause, and the one command that mends it.",
    discussion: "A running app is asked too. Exit 1 if the plugin cannot be had.")

  @Argument(help: ArgumentHelp("The plugin's id, or its file.", valueName: "id|file"), completion: .file())
  var name: String

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var search: PluginOptions

  private struct Answer: Codable {
    /// What a plugin is somewhere: installed, or in a running app.
    struct State: Codable {
      var place: String
      var status: HostMessage.PluginStatus
      var mend: String?
    }

    var format = 1
    var states: [State]
  }

  @MainActor func run() async throws {
    let survey = search.survey(files: UnknownName.isFile(name) ? [name] : [])
    guard let installed = survey.status(of: name) else {
      let ids = survey.plugins.compactMap(\.id)
      Locations.complain(UnknownName.plugin(name, among: ids) + "\nmend: gangway list --plugins-dir DIR")
      throw ExitCode(1)
    }
    var shown = [("installed", installed)]
    for app in RunningApps(folder: Locations.sockets).apps {
      let plugins = await app.ask(.status)?.plugins ?? []
      if let status = plugins.first(where: { $0.id == installed.id && $0.id != nil }) {
        shown.append(("in the app of process \(app.process)", status))
      }
    }
    if json {
      let answer = Answer(
        states: shown.map { .init(place: $0.0, status: $0.1, mend: Self.command($0.1)) })
      try Locations.result(String(decoding: try Line.encode(answer), as: UTF8.self))
    } else {
      for (place, status) in shown { try Locations.result(Self.lines(status, place).joined(separator: "\n") + "\n") }
    }
    if shown.contains(where: { $0.1.refusal != nil }) { throw ExitCode(1) }
  }

  static func lines(_ status: HostMessage.PluginStatus, _ place: String) -> [String] {
    var lines = ["\(status.id ?? status.file) \(status.version ?? "")".trimmed + ": \(status.state.rawValue), \(place)"]
    if let refusal = status.refusal {
      lines.append("  at     \(status.step ?? "its start") (\(status.cause ?? "no cause"))")
      lines.append("  why    \(refusal)")
    }
    lines.append("  file   \(status.file)")
    if let command = command(status) { lines.append("  mend   \(command)") }
    return lines
  }

  /// The one command that mends it; nil where nothing is to be mended.
  static func command(_ status: HostMessage.PluginStatus) -> String? {
    guard status.refusal != nil else { return nil }
    let name = status.id ?? ShellText.quoted(status.file)
    let file = ShellText.quoted(status.file)
    switch status.state {
    case .quarantined, .failed: return status.id.map { "gangway reload \(ShellText.quoted($0))" }
    case .disabled: return "gangway run"
    default: break
    }
    switch status.cause {
    case "writable-by-others": return "chmod go-w \(file) \"$(dirname \(file))\""
    case "unreadable": return "chmod u+r \(file)"
    case "foreign-owner": return "sudo chown $(id -u) \(file)"
    case "other-abi", "other-compiler", "missing-marker", "contains-framework", "missing-library", "registration",
      "load-failed", "malformed", "truncated", "empty-entry", "other-architecture", "not-elf":
      return "swift build --package-path PATH-OF-ITS-PACKAGE"
    case "crashed", "exited", "timed-out": return "gdb --args gangway-host --probe \(file)"
    case "duplicate-id", "conflict": return "gangway run --without \(file)"
    case "missing-dependency", "unsatisfied-dependency", "failed-dependency":
      return "gangway list --broken --plugins-dir DIR-OF-WHAT-IT-NEEDS"
    case "changed-contributions", "changed": return "gangway why \(name) --rescan"
    case "missing": return "ls -l \(file)"
    default: return "gangway validate \(file)"
    }
  }
}

extension String {
  /// Without spaces at its end.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
