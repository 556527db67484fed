import ArgumentParser
@_spi(FrontEnd) import GangwaySupervisor

/// `gangway routes`: lists the places that an app can navigate to.
struct Routes: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the links, places, tabs, slots and services of all plugins, one per line.",
    discussion: help(
      "New files are probed in a separate process. Exit 1 if links conflict.",
      examples: [
        "gangway routes": "everything",
        "gangway routes --conflicts": "links of two plugins that match the same URLs",
      ]))

  @OptionGroup var search: PluginOptions

  @Flag(help: "List only links that match the same URLs as a link of another plugin.")
  var conflicts = false

  @Flag(help: "Print JSON.")
  var json = false

  @MainActor func run() async throws {
    let listing = RouteListing(try search.survey())
    if json {
      try Locations.result(try listing.json())
    } else if conflicts {
      for conflict in listing.conflicts { try Locations.result(conflict.text + "\n") }
      if listing.conflicts.isEmpty { Locations.complain(Words.Links.noConflict) }
    } else {
      for line in listing.lines { try Locations.result(line + "\n") }
      if listing.routes.isEmpty { Locations.complain(Words.Plugins.noneFound) }
      for conflict in listing.conflicts { Locations.complain(conflict.text) }
    }
    if !listing.conflicts.isEmpty { throw ExitCode(1) }
  }
}
