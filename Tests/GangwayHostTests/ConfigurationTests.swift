import Foundation
@_spi(FrontEnd) @testable import GangwayHost
import Testing

@Suite struct ConfigurationTests {
  @Test func everyFieldIsRead() throws {
    let configuration = try HostConfiguration(
      """
      {
        "tabs": {
          "order": ["clock.time", "scenes.main"],
          "hidden": ["blither.main"],
          "groups": [{"title": "Spiel \\u0026 Spaß \\ud83c\\udfb2", "tabs": ["scenes.main"]}],
          "expected": [{"tab": "todos.main", "title": "Todos", "symbol": "✓", "text": "Building…"}, \
      {"tab": "a.b", "title": "A"}]
        },
        "start": "gangway://clock/zones",
        "links": {"schemes": ["Gangway", "myapp"], "origins": ["https://example.org"], "ignoresCase": true}
      }
      """)
    #expect(configuration.placement.order == ["clock.time", "scenes.main"])
    #expect(configuration.placement.hidden == ["blither.main"])
    #expect(configuration.placement.groups == [.init(title: "Spiel & Spaß 🎲", tabs: ["scenes.main"])])
    #expect(
      configuration.expected == [
        .init(tab: "todos.main", title: "Todos", symbol: "✓", text: "Building…"),
        .init(tab: "a.b", title: "A", symbol: nil, text: "A isn't available yet"),
      ])
    #expect(configuration.placement.start == "gangway://clock/zones")
    #expect(configuration.schemes == ["gangway", "myapp"])
    #expect(configuration.origins == ["https://example.org"])
    #expect(configuration.linksIgnoreCase)
  }

  @Test func theExampleInTheDocumentationIsOne() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Documentation/Configuration.md")
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```")
    let example = try #require(parts.first { $0.hasPrefix("json\n") }).dropFirst(5)
    #expect(try HostConfiguration(String(example)).placement.start == "gangway://clock/zones")
  }

  @Test(arguments: [
    ("", "line 1, column 1: a value is missing at the end of the text"),
    ("{", "line 1, column 2: a name in quotes is missing"),
    ("[1]", "line 1, column 1: an object is needed here, not a list"),
    ("{\n  \"start\": 5\n}", "line 2, column 12: a text is needed here, not a number"),
    ("{\"tabs\": {\"order\": [\"a\",\n null]}}", "line 2, column 2: a text is needed here, not null"),
    ("{\"tabs\": {\"oder\": []}}", "line 1, column 11: there is no field 'oder' here. Did you mean 'order'? "),
    ("{\"start\": \"a\", \"start\": \"b\"}", "line 1, column 16: 'start' occurs twice"),
    ("{\"start\": \"a}", "line 1, column 14: a '\"' is missing at the end of the text"),
    ("{\"start\": \"a\nb\"}", "line 1, column 13: a '\"' is missing at the end of the line"),
    ("{\"start\": \"\\q\"}", "line 1, column 12: this is not an escape"),
    ("{\"start\": \"\\ud83c\"}", "line 1, column 12: this is not an escape"),
    ("{\"start\": tru}", "line 1, column 11: 'tru' is not a value"),
    ("{\"start\": \"a\"} x", "line 1, column 16: unexpected text after the end: 'x'"),
    ("{\"links\": {\"schemes\": []}}", "line 1, column 23: there must be a scheme"),
    ("{\"links\": {\"origins\": [\"example.org\"]}}", "line 1, column 24: 'example.org' is not a web address"),
    ("{\"links\": {\"ignoresCase\": 1}}", "line 1, column 27: true or false is needed here, not a number"),
    ("{\"tabs\": {\"groups\": [\n{\"title\": \"A\"}]}}", "line 2, column 1: a group needs a title and its tabs"),
    (
      "{\"tabs\": {\"expected\": [{\"tab\": \"clock.time\"}]}}",
      "line 1, column 24: an expected tab needs an id (plugin.name)"
    ),
    (
      "{\"tabs\": {\"expected\": [{\"tab\": \"clock\", \"title\": \"Clock\"}]}}",
      "line 1, column 24: an expected tab needs"
    ),
  ])
  func aMistakeIsNamedByLineAndColumn(_ text: String, _ message: String) {
    let mistake = #expect(throws: JSONDocument.Mistake.self) { try HostConfiguration(text) }
    #expect(mistake?.description.hasPrefix(message) == true, "\(mistake?.description ?? "")")
  }

  @Test func valuesNestedTooDeepAreRefused() {
    let text = String(repeating: "[", count: 100_000)
    let mistake = #expect(throws: JSONDocument.Mistake.self) { try JSONDocument.read(text) }
    #expect(mistake?.description == "line 1, column 65: values are nested deeper than 64")
  }

  @Test func aHostPlacesItsTabsAsItsConfigurationSays() throws {
    let scratch = try Scratch()
    let file = try scratch.file(
      "app.json",
      Data(
        #"""
        {"tabs": {"order": ["clock.time"], "hidden": ["blither.main", "gallery.main", "todos.main", "shapes.main", \#
        "files.main", "monitor.main", "account.main", "welcome.main"], \#
        "groups": [{"title": "Play", "tabs": ["scenes.main"]}]},
         "start": "gangway://scenes/2?text=hi"}
        """#.utf8))
    let result = try BuiltHost.run(["--config", file.path, "--script", "-"], input: "screen\n")
    #expect(result.output == "[Clock] | [Scenes*]\nScene 1 > Scene 2\nYou typed: hi\n", "\(result.errors)")
  }

  @Test func aConfigurationThatIsNoneStopsTheHostWithItsPlace() throws {
    let scratch = try Scratch()
    let file = try scratch.file("app.json", Data("{\n  \"tab\": {}\n}".utf8))
    let result = try BuiltHost.run(["--config", file.path, "--script", "-"], input: "screen\n")
    #expect(result.status == 1)
    #expect(result.errors.contains("app.json', line 2, column 3: there is no field 'tab' here. Did you mean 'tabs'?"))
    let missing = try BuiltHost.run(["--config", "/nowhere/app.json"])
    #expect(
      missing.errors.contains("The configuration '/nowhere/app.json' could not be read: No such file or directory."))
    let folder = try BuiltHost.run(["--config", scratch.folder.path])
    #expect(folder.errors.contains("could not be read: Is a directory."), "\(folder.errors)")
  }

  @Test func aTabThatNobodyRegistersIsAWarning() throws {
    let scratch = try Scratch()
    let file = try scratch.file("app.json", Data(#"{"start": "clock.tim"}"#.utf8))
    let result = try BuiltHost.run(["--plugin", "clock", "--config", file.path, "--script", "-"], input: "screen\n")
    #expect(result.status == 0)
    #expect(
      result.errors.contains("names the tab 'clock.tim', which no loaded plugin registers. Did you mean 'clock.time'?"))
  }

  @Test func aFeatureGetsItsSection() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(atPath: scratch.path("shown/only this"), withIntermediateDirectories: true)
    let text = #"{"plugins": {"files": {"root": "\#(scratch.path("shown"))"}, "fils": {}}, "ownerOnly": ["files"]}"#
    let file = try scratch.file("app.json", Data(text.utf8))
    let result = try BuiltHost.run(
      ["--plugin", "files", "--config", file.path, "--script", "-"], input: "expect only this\nrefuse Up\n")
    #expect(result.status == 0, "\(result)")
    #expect(
      result.errors.contains("has a section for the plugin 'fils', which is not installed. Did you mean 'files'?"))
    let wrong = try scratch.file("wrong.json", Data(#"{"plugins": {"files": ["root"]}}"#.utf8))
    let refused = try BuiltHost.run(["--plugin", "files", "--config", wrong.path])
    #expect(refused.errors.contains("wrong.json', line 1, column 23: an object is needed here, not a list"))
  }

  @Test func aSectionIsTheSameJSONText() throws {
    let text = #"{"a":["\"\\\u000a\u001f é😀",-1.5e3,true,false,null,{},[]],"b":{"c":"d"}}"#
    let value = try JSONDocument.read(text)
    #expect(value.json == text)
    #expect(try JSONDocument.read(value.json).json == text)
  }

  @Test func aHostOpensALinkAndSaysWhatIsWrongWithOne() throws {
    let fine = try BuiltHost.run(["--open", "gangway://clock/zones", "--script", "-"], input: "expect Kathmandu\n")
    #expect(fine.status == 0, "\(fine.errors)")
    let wrong = try BuiltHost.run(["--open", "gangway://%", "--script", "-"], input: "screen\n")
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("'gangway://%' is not a valid link"))
    let script = "open gangway://scenes/greet/Bob\nexpect Hello, Bob!\nundo\nrefuse Hello\nredo\nhistory\n"
    let result = try BuiltHost.run(["--script", "-"], input: script)
    #expect(result.output == "1  link  show greeting(name: \"Bob\") (end of a plan)\n", "\(result.errors)")
  }

  @Test func theScriptOfTheScenesRunsWithTheLoadedLibrary() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Plugins/Scenes/Tests/Scripts/scenes.txt")
    let result = try BuiltHost.run(["--plugin", "scenes", "--script", script.path])
    #expect(result.status == 0, "\(result.errors)")
  }
}
