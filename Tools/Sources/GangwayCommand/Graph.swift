import ArgumentParser
import Glibc

/// `gangway graph`: shows the dependencies between plugins.
struct Graph: AsyncParsableCommand {
  /// The output format.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, mermaid, svg
  }

  static let configuration = CommandConfiguration(
    abstract: "Shows the dependencies between plugins: in the terminal, as a picture or as a Mermaid diagram.",
    discussion: help(
      examples: [
        "gangway graph": "to read",
        "gangway graph --format svg > plugins.svg": "a picture in the viewer's colour scheme",
        "gangway graph --format mermaid": "a diagram for Markdown files (see mermaid.js.org)",
      ]))

  @Option(help: "text, svg or mermaid; by default text in a terminal and mermaid elsewhere.")
  var format: Format?

  @OptionGroup var search: PluginOptions

  @MainActor func run() async throws {
    let model = GraphModel(try search.survey())
    let lines: [StyledText] =
      switch format ?? (isatty(STDOUT_FILENO) == 1 ? .text : .mermaid) {
      case .text: model.lines
      case .mermaid: model.mermaid.map { StyledText($0) }
      case .svg: GraphDrawing(model).lines.map { StyledText($0) }
      }
    for line in lines { try Locations.result(line + "\n") }
    if model.nodes.isEmpty {
      Locations.complain(Words.Plugins.noneFound)
    }
  }
}

extension PluginOptions {
  /// Draws the dependencies between the plugins as SVG.
  package var graph: @MainActor @Sendable () async -> String {
    { (try? survey()).map { GraphDrawing(GraphModel($0)).lines.joined(separator: "\n") } ?? "" }
  }
}
