import ArgumentParser
import Gangway
import GangwayHost

/// `gangway graph`: who needs and uses whom.
struct Graph: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws how the plugins hang together, as a Mermaid diagram: mermaid.js.org.")

  @OptionGroup var search: PluginOptions

  @MainActor func run() async throws {
    let survey = search.survey()
    try Locations.result(Self.lines(survey).joined(separator: "\n") + "\n")
  }

  @MainActor static func lines(_ survey: PluginSurvey) -> [String] {
    var lines = ["graph LR"]
    var edges: Set<String> = []
    var ids: Set<String> = []
    for status in survey.plugins where status.id != nil && ids.insert(status.id ?? "").inserted {
      let mark = status.refusal == nil ? "" : " (refused)"
      lines.append("  \(node(status.id ?? ""))[\"\(status.id ?? "") \(status.version ?? "")\(mark)\"]")
    }
    for manifest in survey.manifests.values {
      for dependency in manifest.dependencies {
        let label = dependency.minimum.map { "\($0)+" } ?? "needs"
        let arrow = dependency.isOptional ? "-. \(label) .->" : "-- \(label) -->"
        edges.insert("  \(node(manifest.id)) \(arrow) \(node(dependency.plugin))")
      }
      for use in manifest.records(of: .use) {
        let owner = ContributionID(use.id).plugin
        edges.insert(
          "  \(node(manifest.id)) -. \(use[.operation] == nil ? "shows" : "calls") \(use.id) .-> \(node(owner))")
      }
      for contribution in manifest.records(of: .contribution) {
        let slot = ContributionID(contribution[.slot] ?? "")
        edges.insert("  \(node(manifest.id)) == into \(slot) ==> \(node(slot.plugin))")
      }
    }
    return lines + edges.sorted()
  }

  /// `graph`, `end` and the like are words of Mermaid's own.
  private static func node(_ id: String) -> String { "p_" + id.replacing("-", with: "_") }
}

extension String {
  fileprivate func replacing(_ character: Character, with other: Character) -> String {
    String(map { $0 == character ? other : $0 })
  }
}
