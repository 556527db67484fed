@_spi(FrontEnd) import GangwayHost
import ArgumentParser
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

/// `gangway list`: lists the installed plugins.
struct List: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the plugins, one per line.",
    discussion: help(
      "New files are probed in a separate process. Exit 1 if a plugin is broken.",
      examples: [
        "gangway list": "all plugins",
        "gangway list --broken": "refused files with their reasons",
        "gangway list --json --plugins-dir .build/debug": "for a script",
      ]))

  @OptionGroup var search: PluginOptions

  @Flag(help: "List the refused files instead, with their reasons.")
  var broken = false

  @Flag(help: "Print JSON.")
  var json = false

  @MainActor func run() async throws {
    let found = try search.survey().plugins
    let refused = found.filter { $0.refusal != nil }
    let shown = broken ? refused : found.filter { $0.refusal == nil }
    if json {
      try Locations.result(PluginListing(plugins: shown).json())
    } else {
      for line in broken ? shown.map({ StyledText($0.line) }) : Self.table(shown) { try Locations.result(line + "\n") }
      if shown.isEmpty {
        Locations.complain(broken ? Words.Plugins.noneBroken : Words.Plugins.noneFound)
      }
    }
    if !refused.isEmpty {
      if !broken { Locations.complain(Words.Plugins.refused(refused.count)) }
      throw ExitCode(1)
    }
  }

  /// Returns a header, and the plugins, one a line.
  private static func table(_ plugins: [HostMessage.PluginStatus]) -> [StyledText] {
    guard !plugins.isEmpty else { return [] }
    let rows = plugins.map { plugin in
      [
        plugin.id?.rawValue ?? "?", plugin.version ?? "?", plugin.state.rawValue,
        plugin.contributions.joined(separator: ", "),
        plugin.file,
      ]
    }
    return StyledText.columns([Words.Plugins.header] + rows) { row, column in
      if row == 0 { return .bold }
      return switch column {
      case 0: .bold
      case 2: plugins[row - 1].refusal == nil ? .green : .red
      case 3, 4: .dim
      default: nil
      }
    }
  }
}
