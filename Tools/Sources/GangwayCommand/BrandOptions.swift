import ArgumentParser

/// The options for the look of an app's pages.
package struct BrandOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A picture beside the app's name, at most 256 KB: PNG, JPEG, GIF, WebP or SVG.", valueName: "file"),
    completion: .file())
  package var logo: String?

  @Option(
    help: ArgumentHelp("A picture for the browser's tab, at most 256 KB. By default, the logo.", valueName: "file"),
    completion: .file())
  package var icon: String?

  @Option(
    help: ArgumentHelp(
      "The color of links and buttons, such as '#2f55d4', or two for light and dark pages, separated by a comma.",
      valueName: "color"))
  package var accent: String?

  @Option(
    help: ArgumentHelp("A style sheet for all pages, at most 256 KB.", valueName: "file"),
    completion: .file(extensions: ["css"]))
  package var style: String?

  @Option(
    help: ArgumentHelp(
      "A JSON file that replaces the framework's own texts on pages, such as with a translation.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  package var words: String?

  @Option(
    name: .customLong("frame-ancestors"),
    help: ArgumentHelp(
      "A site that may show the app in a frame, such as https://intranet.example.org; repeatable.",
      valueName: "origin"))
  package var frameAncestors: [String] = []

  package init() {}
}
