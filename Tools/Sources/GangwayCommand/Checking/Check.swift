import ArgumentParser
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

/// `gangway check`: compares the plugins of an app by their manifests.
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks that the plugins of an app fit together, and prints the fixes.",
    discussion: help(
      "The command compares the ids that plugins declare and register. A declared use may have an example. If the "
        + "other plugin's type is a type of the standard library, such as String, the command compares the example "
        + "with this type. New files are probed in a separate process. Apart from these probes, no code of a plugin "
        + "runs. `gangway doctor` also loads the plugins, and tries every declared example. Exit 1 if there is a "
        + "problem, or no plugin.",
      examples: [
        "gangway check": "all installed plugins",
        "gangway check --plugins-dir .build/release": "before a release",
        "gangway check --json": "for a script",
      ]))

  private struct Answer: Codable {
    var format = 1
    var plugins: Int
    /// The places, operations and slots whose types a manifest does not describe.
    var uncompared: [String]
    var findings: [ProductCheck.Finding]
  }

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var search: PluginOptions

  @MainActor func run() async throws {
    let survey = try search.survey()
    let plugins = survey.plugins.map { ProductCheck.Plugin($0, survey.manifests[$0.file]) }
    let product = ProductCheck(plugins) { id in survey.status(of: id)?.state == .refused }
    let findings = product.findings
    if json {
      let answer = Answer(plugins: plugins.count, uncompared: product.uncompared, findings: findings)
      try Locations.result(String(decoding: try Line.encode(answer), as: UTF8.self))
    } else {
      for finding in findings { try Locations.result(Self.text(finding)) }
    }
    guard !plugins.isEmpty else {
      Locations.fail(Words.Checking.noPlugin)
      throw ExitCode(1)
    }
    guard findings.isEmpty else {
      Locations.complain(Words.Checking.problems(findings.count, plugins: plugins.count))
      throw ExitCode(1)
    }
    Locations.note(Words.Checking.fine(plugins: plugins.count, uncompared: product.uncompared))
  }

  private static func text(_ finding: ProductCheck.Finding) -> StyledText {
    let declaration = finding.declaration.map { "    declaration  \($0)\n" } ?? ""
    let file = "    file         \(finding.file)\n"
    let fix = finding.fix.map { "    fix          \($0)\n" } ?? ""
    return "\("✗", .red) \(finding.plugin, .bold): \(finding.problem)\n\(declaration + file + fix)"
  }
}
