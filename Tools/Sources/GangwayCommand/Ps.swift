import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

/// `gangway ps`: lists the running apps of this user.
struct Ps: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists your running apps, one per line.",
    discussion: help(
      "An app that runs without a terminal, such as `gangway serve`, is in the list, too.",
      examples: [
        "gangway ps": "the process, start, sessions, front ends and screen of each app",
        "gangway ps --json": "for a script",
      ]))

  @Flag(help: "Print JSON.")
  var json = false

  /// A running app, as `--json` prints it.
  private struct Row: Encodable {
    let process: Int32
    /// The start, as an ISO 8601 time.
    let since: String?
    /// The sessions and front ends; nil if the app does not answer.
    let status: AppStatus?
  }

  private struct Listing: Encodable {
    let format = 1
    let apps: [Row]
  }

  func run() async throws {
    var rows: [Row] = []
    for app in RunningApps(folder: Locations.sockets).apps {
      let since = app.start.map { Date(timeIntervalSince1970: Double($0)).formatted(.iso8601) }
      rows.append(Row(process: app.process, since: since, status: await app.status()))
    }
    if json {
      return try Locations.result(String(decoding: try Line.encode(Listing(apps: rows)), as: UTF8.self))
    }
    guard !rows.isEmpty else { return Locations.complain(Words.Apps.none) }
    let cells = rows.map { row in
      let status = row.status
      return [
        "\(row.process)", row.since ?? "", status.map { "\($0.sessions)" } ?? "",
        status.map { "\($0.frontEnds)" } ?? "", status.map { $0.screen ?? "" } ?? Words.Apps.silent,
      ]
    }
    for line in StyledText.columns([Words.Apps.header] + cells, style: { row, _ in row == 0 ? .bold : nil }) {
      try Locations.result(line + "\n")
    }
  }
}
