import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// `terminal.conf`: the user's colors and keys.
@Suite struct SettingsTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private let buttons = ["One", "Two", "Three"].map { Element(id: "\($0)", kind: .button, label: $0) }

  private func press(_ keys: [Key], _ settings: TerminalSettings) -> (Controller, Controller.Outcome) {
    var controller = Controller(isStored: true)
    (controller.state.keys, controller.state.accent) = (settings.keys, settings.accent)
    var outcome = Controller.Outcome.nothing
    for key in keys { outcome = controller.handle(key, view(controller)) }
    return (controller, outcome)
  }

  private func view(_ controller: Controller) -> TerminalView {
    TerminalView(TerminalViewTests.presentation(buttons), controller.state, columns: 60, rows: 24)
  }

  @Test func whatIsWrittenCounts() {
    let settings = TerminalSettings(
      """
      # Mine.
      theme = Contrast
        accent=green

      mouse = off
      key j = down
      key Ctrl-G = palette
      key F3 = messages
      key r = none
      key = = last
      """, file: "f")
    #expect(settings.mistakes.isEmpty, "\(settings.mistakes)")
    #expect(settings.theme == .contrast && settings.accent == .green && !settings.usesMouse)
    #expect(press([.character("j"), .enter], settings).1 == .send(.tap(.init(node: 4, element: "Two"))))
    #expect(press([.control("g")], settings).0.state.overlay == .list(.init(kind: .palette)))
    #expect(press([.function(3)], settings).0.state.overlay == .list(.init(kind: .messages)))
    #expect(press([.character("=")], settings).1 == .redraw)
    // An unbound key does nothing, even with Alt.
    #expect(press([.character("r")], settings).1 == .nothing)
    #expect(press([.alt("r")], settings).1 == .nothing)
    #expect(press([.character("r")], .init()).1 == .restart)
  }

  @Test func theKeysComeFromTheTableThatFeaturesAreComparedWith() {
    let bound = FrontEndKey.all.filter { !$0.isFixed }
    #expect(KeyBindings().commands.count == bound.count && bound.count > 10)
    for key in bound {
      #expect(Key(key.shortcut).flatMap { KeyBindings().command(for: $0) }?.rawValue == key.command, "\(key)")
    }
    let named = Set(FrontEndKey.all.compactMap(\.command))
    #expect(named == Set(Command.allCases.map(\.rawValue)).subtracting(["report"]))
  }

  @Test func theKeysThatArePressedAreTheKeysThatAreShown() throws {
    var settings = TerminalSettings("key g = palette\nkey Ctrl-P = none\nkey x = quit\nkey q = none", file: "f")
    #expect(settings.mistakes.isEmpty)
    let (controller, _) = press([], settings)
    let hints = view(controller).canvas.text.split(separator: "\n").last ?? ""
    #expect(hints.contains("g go to") && hints.contains("x quit") && !hints.contains("Ctrl-P"), "\(hints)")
    let help = view(controller).helpItems
    #expect(help.contains { $0.title == "g" && $0.action == .command(.palette) })
    #expect(!help.contains { $0.title.contains("Ctrl-P") || $0.title.split(separator: " ").contains("q") })
    // The palette shows the same key.
    let (open, _) = press([.character("g")], settings)
    #expect(view(open).listed.contains { $0.title == "Quit" && $0.detail == "x" })
    settings.keys.bind(.character("x"), to: nil)
    #expect(!view(press([], settings).0).canvas.text.contains("quit"))
  }

  @Test(arguments: [
    ("theme = drak", "there is no theme 'drak'; did you mean 'dark'?"), ("accent = pink", "there is no colour 'pink'"),
    ("key q = qiut", "did you mean 'quit'?"), ("key Ctrl-M = quit", "means something else to terminals"),
    ("key Hyper-x = quit", "there is no key 'Hyper-x'"), ("key F13 = quit", "there is no key 'F13'"),
    ("keys q = quit", "did you mean 'key'?"), ("theme", "has no '='"), ("theme dark = 1", "is not a setting"),
    ("key = quit", "is not a setting"), ("mouse = maybe", "there is no choice 'maybe'"),
  ])
  func aMistakeIsNamedByItsLineAndTheRestCounts(_ line: String, _ reason: String) throws {
    let settings = TerminalSettings("accent = red\n\(line)\nkey j = down", file: "/x/terminal.conf")
    let mistake = try #require(settings.mistakes.first)
    #expect(settings.mistakes.count == 1)
    #expect(mistake.hasPrefix("/x/terminal.conf, line 2: ") && mistake.contains(reason), "\(mistake)")
    #expect(settings.accent == .red && settings.keys.command(for: .character("j")) == .down)
  }

  @Test func theGuideSaysWhatThereIs() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Documentation/Terminal.md")
    let guide = try String(contentsOf: file, encoding: .utf8)
    let sample = try #require(guide.components(separatedBy: "```conf\n").last?.components(separatedBy: "```").first)
    let settings = TerminalSettings(sample, file: "f")
    #expect(settings.mistakes.isEmpty && settings.theme == .contrast, "\(settings.mistakes)")
    let list = try #require(
      guide.components(separatedBy: "Commands: ").last?.components(separatedBy: ".\n\n").first)
    let words = list.split { $0 == "," || $0.isWhitespace }.map { $0.filter { $0 != "`" } }
    #expect(words == Command.allCases.map(\.rawValue))
    // The guide's table of keys lists the default keys.
    for key in KeyBindings().commands.keys {
      let name = KeyBindings.name(of: key)
      #expect(guide.contains("`\(name)`") || guide.contains("| \(name) "), "\(name)")
    }
  }

  @Test func anyTextIsRead() {
    var random = SeededRandom(seed: 3)
    let words = ["key", "theme", "=", " ", "\n", "Ctrl-", "Alt-", "F", "é", "\u{0}", "quit", "dark", "#", "-"]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0..<20, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      _ = TerminalSettings(text.joined(), file: "f")
    }
  }

  @Test func theColourOfAFeatureIsThatOfWhatIsChosenOnItsScreens() {
    var presentation = TerminalViewTests.presentation(buttons)
    var state = ViewState()
    func accent() -> Style.Color { TerminalView(presentation, state, columns: 60, rows: 24).canvas.accent }
    #expect(accent() == .cyan)
    state.accent = .green
    #expect(accent() == .green)
    presentation.layers[0].appearance = .init(hidesBar: false, hidesBackButton: false, tint: "purple")
    #expect(accent() == .magenta)
    // An unknown color name leaves the user's accent color.
    presentation.layers[0].appearance?.tint = "tomato"
    #expect(accent() == .green)
    #expect(Theme.dark.look(of: .accent, accent: .magenta, hasBright: true).pair.text == 5)
    #expect(Theme.dark.look(of: .focused, accent: .magenta, hasBright: true).pair == .init(text: 15, behind: 5))
    #expect(Theme.light.look(of: .focused, accent: .green, hasBright: true).pair == .init(text: 0, behind: 2))
  }
}
