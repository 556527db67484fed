import ArgumentParser
import GangwayProtocol
import GangwaySupervisor

/// `gangway list`: what is installed.
struct List: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the plugins that are found, a line each.",
    discussion: "What is not known of a file is asked for in a process of its own. Exit 1 if a plugin is broken.")

  @OptionGroup var search: PluginOptions

  @Flag(help: "List the refused files instead, with their reasons.")
  var broken = false

  @Flag(help: "Print JSON.")
  var json = false

  @MainActor func run() async throws {
    let found = search.survey().plugins
    let refused = found.filter { $0.refusal != nil }
    let shown = broken ? refused : found.filter { $0.refusal == nil }
    if json {
      try Locations.result(PluginListing(plugins: shown).json())
    } else {
      for plugin in shown { try Locations.result(plugin.line + "\n") }
      if shown.isEmpty {
        Locations.complain(broken ? "No plugin is broken." : "No plugin was found. Name a folder with --plugins-dir.")
      }
    }
    if !refused.isEmpty {
      if !broken { Locations.complain("\(refused.count) refused: see gangway list --broken") }
      throw ExitCode(1)
    }
  }
}
