import ArgumentParser
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// `gangway env`: prints versions and locations.
struct Env: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints versions, files and folders for a problem report.",
    discussion: help(examples: ["gangway env": "to read", "gangway env --json": "for a script"]))

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var search: PluginOptions

  private struct Answer: Codable {
    var format = 1
    var values: [String: String]
  }

  func run() async throws {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? Words.Environment.notSet }
    let facts = try? LibraryFacts(file: HostPaths.framework)
    let lines = [
      ("gangway", Host.version), ("protocol", "\(ProtocolVersion.current)"),
      ("markers", facts?.markers.joined(separator: ", ") ?? Words.Environment.unknown),
      ("command", ProcessIO.executable), ("host", search.executable), ("framework", HostPaths.framework),
      ("search", (search.folders + [variable("GANGWAY_PLUGIN_PATH")]).joined(separator: ":")),
      ("state", Locations.state), ("cache", HostPaths.cache), ("data", HostPaths.data),
      ("settings", Locations.settings),
      ("TERM", variable("TERM")), ("LANG", variable("LANG")), ("NO_COLOR", variable("NO_COLOR")),
      ("SWIFT_BACKTRACE", variable("SWIFT_BACKTRACE")),
    ]
    if json {
      let values = Dictionary(lines.map { ($0.0, $0.1) }, uniquingKeysWith: { $1 })
      try Locations.result(String(decoding: try Line.encode(Answer(values: values)), as: UTF8.self))
    } else {
      for line in StyledText.columns(lines.map { [$0.0, $0.1] }) { try Locations.result(line + "\n") }
    }
  }
}
