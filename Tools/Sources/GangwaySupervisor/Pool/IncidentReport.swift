import FoundationEssentials
import GangwayProtocol
import Glibc

/// What a developer reads of a host's end: whose code it was and what it said, what was done last, and all that is needed to do
/// it again.
struct IncidentReport: Sendable {
  /// What happened, as the person was told.
  let what: String
  /// How the host ended, in words.
  let cause: String
  /// What the last steps were, on what tree; nil where no session had anything to do with it.
  let recording: Recording?
  let plugins: [HostMessage.PluginStatus]
  let uptime: Duration
  /// Where it goes: the runtime's own report is there, if it wrote one.
  let path: String

  /// The line before the recording.
  private static let mark =
    "The recording: `gangway replay THIS FILE` does it again, `FlowTester(replaying:)` in a test."

  /// Whose code was running, by the runtime's report.
  func culprit(in runtime: String?) -> (plugin: String, frame: CrashReport.Frame)? {
    guard let runtime else { return nil }
    let files = plugins.compactMap { status in
      status.id.map { (String(status.file.split(separator: "/").last ?? ""), $0) }
    }
    return CrashReport(runtime).culprit(among: Dictionary(files, uniquingKeysWith: { first, _ in first }))
  }

  /// The runtime's report, as it stands in the file now.
  var runtimeReport: String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Writes the report.
  ///
  /// - Parameters:
  ///   - words: what the fatal error said.
  ///   - runtime: the runtime's report.
  func write(_ words: String?, _ runtime: String?) {
    var lines: [String] = []
    if let words { lines.append(words) }
    if let culprit = culprit(in: runtime) { lines.append("In the plugin \(culprit.plugin): \(culprit.frame.text)") }
    lines += ["", what, "The host had been running for \(uptime.formatted); \(cause)."]
    if lines.first == "" { lines.removeFirst() }
    lines += ["", "Plugins:"]
    for plugin in plugins.sorted(by: { ($0.id ?? "") < ($1.id ?? "") }) where plugin.state == .active {
      lines.append("  \(plugin.id ?? "?") \(plugin.version ?? "?")  \(plugin.file)")
    }
    let steps = recording?.entries.compactMap(\.step) ?? []
    if !steps.isEmpty {
      lines += ["", "What was done in this host, the last step at the end:"]
      lines += steps.map { "  \($0)" }
    }
    if let runtime { lines += ["", runtime] }
    var bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    if let recording, let encoded = try? recording.encoded() {
      bytes += Array("\n\(Self.mark)\n\n".utf8) + encoded
    }
    let temporary = path + ".new"
    guard
      FileManager.default.createFile(
        atPath: temporary, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    else { return }
    rename(temporary, path)
  }
}

extension Duration {
  /// In words, to a tenth of a second.
  fileprivate var formatted: String { "\(Double((self / .milliseconds(100)).rounded()) / 10) s" }
}
