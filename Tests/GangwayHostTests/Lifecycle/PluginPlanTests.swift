@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
import Testing

@_spi(FrontEnd) @testable import GangwayHost

/// The plugins of a set that work together, chosen before any of them loads.
@Suite struct PluginPlanTests {
  /// Makes a member: `a>b` needs b, `a?b` works without b, `a>b:2.0.0` needs that version, and `a@1.2.0` has a version.
  private func member(_ text: String) -> PluginPlan.Member {
    let words = text.split(separator: " ").map(String.init)
    let name = words[0].split(separator: "@").map(String.init)
    var manifest = PluginManifest(id: PluginID(rawValue: name[0]), version: name.count > 1 ? name[1] : "1.0.0")
    for word in words.dropFirst() {
      let parts = word.dropFirst().split(separator: ":").map(String.init)
      manifest.dependencies.append(
        .init(
          plugin: PluginID(rawValue: parts[0]), minimum: parts.count > 1 ? PluginVersion(parts[1]) : nil,
          isOptional: word.hasPrefix("?")))
    }
    return .init(file: "/\(name[0]).so", identity: nil, manifest: manifest)
  }

  private func plan(_ texts: String...) -> PluginPlan { PluginPlan(texts.map(member)) }

  @Test func whatIsNeededComesFirst() {
    #expect(plan("a >b >c", "b >c", "c").accepted.map(\.id) == ["c", "b", "a"])
    #expect(plan("a ?b", "b").accepted.map(\.id) == ["b", "a"])
  }

  @Test func aDiamondIsLoadedOnce() {
    let plan = plan("top >left >right", "left >base", "right >base", "base")
    #expect(plan.accepted.map(\.id) == ["base", "left", "right", "top"])
    #expect(plan.refused.isEmpty)
  }

  @Test func aMissingDependencyIsNamedWithItsVersion() {
    let refusal = plan("a >b:1.2.0").refused["/a.so"]
    #expect(refusal?.code == .missingDependency)
    #expect(refusal?.reason == "it needs the plugin b 1.2.0 or later, and no plugin with that id was found")
  }

  @Test func aFileThatWasRefusedExplainsWhatIsMissing() {
    let plan = PluginPlan([member("a >b")], missing: ["b": "'/libb.so' was refused: it is empty"])
    #expect(plan.refused["/a.so"]?.reason == "it needs the plugin b, and '/libb.so' was refused: it is empty")
  }

  @Test func anOptionalDependencyMayBeMissing() {
    #expect(plan("a ?b").accepted.map(\.id) == ["a"])
  }

  @Test func anOlderVersionIsNamedWithBoth() {
    let refusal = plan("a >b:1.2.0", "b@1.1.9").refused["/a.so"]
    #expect(refusal?.code == .unsatisfiedDependency)
    #expect(refusal?.reason == "it needs the plugin b 1.2.0 or later, and 1.1.9 is installed ('/b.so')")
    #expect(plan("a >b:1.2.0", "b@1.10.0").refused.isEmpty)
  }

  @Test func theShortestChainExplainsARefusal() {
    let plan = plan("a >b >d", "b >c", "c >d", "d >e", "other")
    #expect(plan.accepted.map(\.id) == ["other"])
    #expect(
      plan.refused["/a.so"]?.reason
        == "it needs d, and d is refused: it needs the plugin e, and no plugin with that id was found")
    #expect(
      plan.refused["/b.so"]?.reason
        == "it needs c, which needs d, and d is refused: it needs the plugin e, and no plugin with that id was found")
  }

  @Test(arguments: [
    (["a >a"], "it depends on itself"),
    (["a >b", "b >a"], "its dependencies form a cycle: a → b → a"),
    (["a >b", "b >c", "c >a"], "its dependencies form a cycle: a → b → c → a"),
  ])
  func aCircleIsShown(_ members: [String], _ reason: String) {
    let plan = PluginPlan(members.map(member) + [member("other")])
    #expect(plan.accepted.map(\.id) == ["other"])
    #expect(plan.refused.count == members.count)
    #expect(plan.refused["/a.so"]?.code == .dependencyCycle)
    #expect(plan.refused["/a.so"]?.reason == reason)
  }

  @Test func aCircleOfOptionalDependenciesIsNone() {
    #expect(plan("a ?b", "b ?a").refused.isEmpty)
  }

  @Test func whoNeedsAMemberOfACircleIsRefusedToo() {
    let refusal = plan("x >a", "a >b", "b >a").refused["/x.so"]
    #expect(refusal?.code == .failedDependency)
    #expect(refusal?.reason.hasPrefix("it needs a, and a is refused: its dependencies form a cycle") == true)
  }

  @Test(arguments: [
    ("1.2.3", 1, 2, 3), ("1.2", 1, 2, 0), ("7", 7, 0, 0), ("1.2.3-beta.1", 1, 2, 3), ("1.0.0+9", 1, 0, 0),
  ])
  func aVersionIsThreeNumbers(_ text: String, _ major: Int, _ minor: Int, _ patch: Int) throws {
    let version = try #require(PluginVersion(text))
    #expect((version.major, version.minor, version.patch) == (major, minor, patch))
  }

  @Test(arguments: ["", "a", "1.x", "1.2.3.4", "-1", "1..2", "1.-2", "99999999999999999999"])
  func whatIsNoVersionIsNone(_ text: String) { #expect(PluginVersion(text) == nil) }
}
