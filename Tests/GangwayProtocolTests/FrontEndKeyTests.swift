@_spi(FrontEnd) import GangwayProtocol
import Testing

/// The keys of elements, and the keys that front ends reserve.
@Suite struct FrontEndKeyTests {
  @Test(arguments: [
    ("ctrl+s", "Ctrl-S"), ("alt+shift+x", "Alt-Shift-X"), ("shift+ctrl+x", "Ctrl-Shift-X"), ("f5", "F5"),
    ("delete", "Delete"), ("ctrl++", "Ctrl-+"), ("+", "+"), ("", ""), ("ctrl+ ", "Ctrl-Space"), ("U", "U"),
    ("ctrl+", "Ctrl+"),
  ])
  func keysAreWrittenAsPeopleWriteThem(_ text: String, _ name: String) {
    #expect(Shortcut(text).name == name)
  }

  @Test(arguments: [
    "ctrl+s", "ctrl+n", "ctrl+e", "ctrl+k", "ctrl+u", "alt+k", "alt+shift+q", "delete", "ctrl+enter", "f1", "f12",
    "ctrl++", "ctrl+alt+p", "u", "U",
  ])
  func otherKeysAreForFeatures(_ text: String) {
    #expect(FrontEndKey.owner(of: Shortcut(text)) == nil)
  }

  @Test(arguments: [
    ("ctrl+p", "go anywhere, run any command"), ("ctrl+shift+p", "go anywhere, run any command"),
    ("alt+q", "quit (Ctrl-C anywhere)"), ("alt+u", "undo a step"), ("alt+U", "redo"),
    ("alt+7", "the tab with that number"),
    ("ctrl+i", "the next element"), ("enter", "press"), ("pageup", "a page up"),
    ("x", "go to the element that begins with this letter, or type in a field"),
  ])
  func aKeyOfAFrontEndSaysWhatItIsFor(_ text: String, _ purpose: String) {
    #expect(FrontEndKey.owner(of: Shortcut(text))?.purpose == purpose)
  }

  @Test func noKeyIsThereTwice() {
    #expect(Set(FrontEndKey.all.map(\.shortcut)).count == FrontEndKey.all.count)
    #expect(FrontEndKey.all.count > 40)
  }
}
