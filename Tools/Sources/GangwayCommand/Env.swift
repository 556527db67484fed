import ArgumentParser
import GangwayClient
import GangwayHost
import GangwayProtocol
import Glibc

/// `gangway env`: versions and places.
struct Env: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints versions, files and folders, as a report of a problem should have them.")

  @OptionGroup var search: PluginOptions

  func run() throws {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "(not set)" }
    let facts = try? LibraryFacts(file: HostPaths.framework)
    let lines = [
      ("gangway", Host.version), ("protocol", "\(ProtocolVersion.current)"),
      ("markers", facts?.markers.joined(separator: ", ") ?? "(unknown)"),
      ("command", ProcessIO.executable), ("host", search.executable), ("framework", HostPaths.framework),
      ("search", (search.folders + [variable("GANGWAY_PLUGIN_PATH")]).joined(separator: ":")),
      ("state", Locations.state), ("cache", HostPaths.cache), ("data", HostPaths.data),
      ("TERM", variable("TERM")), ("LANG", variable("LANG")), ("NO_COLOR", variable("NO_COLOR")),
      ("SWIFT_BACKTRACE", variable("SWIFT_BACKTRACE")),
    ]
    for (name, value) in lines {
      try Locations.result("\(name)\(String(repeating: " ", count: max(1, 16 - name.count)))\(value)\n")
    }
  }
}
