@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Testing

@_spi(FrontEnd) @testable import Gangway

/// The names of plugins and files cannot control the user's terminal.
@MainActor @Suite struct TerminalTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("two\nlines\tand a tab", "two\nlines\tand a tab"),
    ("\u{1b}]0;owned\u{7}", "␛]0;owned␇"), ("a\rb", "a␍b"), ("\u{9b}31m", "\u{fffd}31m"),
    ("\u{202e}gnp.exe", "\u{fffd}gnp.exe"), ("\u{7f}", "␡"), ("日本 é 👩‍🚀", "日本 é 👩‍🚀"),
  ])
  func controlCharactersAreShown(_ text: String, _ fit: String) {
    #expect(TerminalText.fit(text) == fit)
  }

  @Test func theHostsMessagesHaveNone() throws {
    let result = try BuiltHost.run(["--plugin", "\u{1b}[31mnobody", "--script", "-"])
    #expect(!(result.output + result.errors).contains("\u{1b}"))
    #expect((result.output + result.errors).contains("␛[31mnobody"))
  }

  /// A line that a plugin makes up cannot look like another plugin's.
  @Test func everyLineOfALogNamesItsPlugin() {
    let log = Log()
    let folders = PluginFolders(data: .temporaryDirectory, cache: .temporaryDirectory) { log.add($0) }
    let services = SessionServices(registry: Registry(), folders: folders)
    services.context(for: "clock").log("one\n[scenes] two")
    #expect(log.lines == ["[clock] one", "[clock] [scenes] two"])
  }

  private final class Log: @unchecked Sendable {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }
}
