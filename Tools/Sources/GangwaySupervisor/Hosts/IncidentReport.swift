import FoundationEssentials
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A developer's report on the end of a host.
///
/// It contains the culprit and its error message, the last steps, and a recording that reproduces the crash.
package struct IncidentReport: Sendable {
  /// The incident, in the words shown to the user.
  let what: String
  /// The cause of the end, in words.
  let cause: String
  /// Whether the host crashed, so that the call where it stopped is the same each time.
  let hasCrashed: Bool
  /// The last steps and the tree they started from; nil if no session was involved.
  let recording: Recording?
  let plugins: [HostMessage.PluginStatus]
  let uptime: Duration
  /// The path of the report, where the runtime may already have written its own.
  let path: String

  /// Returns the plugin whose code was running, according to the runtime's report.
  func culprit(in runtime: String?) -> (plugin: PluginID, frame: CrashReport.Frame)? {
    guard let runtime else { return nil }
    let files = plugins.compactMap { status in
      status.id.map { (String(status.file.split(separator: "/").last ?? ""), $0) }
    }
    return CrashReport(runtime).culprit(among: Dictionary(files, uniquingKeysWith: { first, _ in first }))
  }

  /// The runtime's report, as the file now contains it.
  var runtimeReport: String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Writes the report.
  ///
  /// - Parameters:
  ///   - words: the message of the fatal error.
  ///   - runtime: the runtime's report.
  func write(_ words: String?, _ runtime: String?) {
    var lines: [String] = []
    if let words { lines.append(words) }
    if let culprit = culprit(in: runtime) {
      lines.append(Words.Report.culprit(culprit.plugin, frame: culprit.frame.text))
    }
    lines += ["", what, Words.Report.uptime(Words.Host.uptime(uptime), cause: cause)]
    if lines.first == "" { lines.removeFirst() }
    lines += ["", Words.Report.plugins]
    for plugin in plugins.sorted(by: { ($0.id ?? "") < ($1.id ?? "") }) where plugin.state == .active {
      lines.append("  \(plugin.id?.rawValue ?? "?") \(plugin.version ?? "?")  \(plugin.file)")
    }
    let steps = recording?.entries.compactMap(\.step) ?? []
    if !steps.isEmpty {
      lines += ["", Words.Report.steps]
      lines += steps.map { "  \($0)" }
    }
    if let runtime { lines += ["", runtime] }
    var bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let call = hasCrashed ? culprit(in: runtime)?.frame.text : nil
    if let recording = recording?.failing(message: words, call: call), let encoded = try? recording.encoded() {
      bytes += Array("\n\(Words.Report.recording)\n\n".utf8) + encoded
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
  /// The duration for a message, such as "1 second", "5 seconds" or "0.2 seconds".
  var inSeconds: String { Words.Host.time(self) }
}
