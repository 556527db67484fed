import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Characters of texts, with and without the fast way for ASCII.
@Suite struct CharactersTests {
  @Test(arguments: [
    "", "a", "plain text\nwith lines", "über", "a\r\nb", "e\u{301}", "👩‍👩‍👧 family", "\r", "tab\tnul\0",
  ])
  func characterIndicesAreThoseOfTheString(_ text: String) {
    #expect(text.characterCount == text.count)
    for number in 0...text.count {
      #expect(text.index(ofCharacter: number) == text.index(text.startIndex, offsetBy: number))
    }
  }

  @Test func onlyTextsWithoutJoinedCharactersAreFast() {
    #expect("plain text\nwith lines".isPlain)
    #expect(!"a\r\nb".isPlain && !"über".isPlain)
    // Part of another string, which does not begin at its storage.
    #expect(String("über plain".dropFirst(5)).isPlain)
  }

  @Test func anEditOfALongTextIsTheSameAsOfAShortOne() {
    for start in [String(repeating: "paste me ", count: 1_000), String(repeating: "füge ein ", count: 1_000)] {
      var edit = TextEdit(text: start, cursor: 4_500)
      edit.insert("#", isTyped: true)
      #expect(edit.text == String(start.prefix(4_500)) + "#" + start.dropFirst(4_500) && edit.cursor == 4_501)
      edit.delete(0..<4_000)
      #expect(edit.cursor == 0 && edit.text.count == 5_001)
      edit.move(to: 99_999)
      edit.insert("!")
      #expect(edit.text.last == "!" && edit.cursor == 5_002)
      edit.undo()
      #expect(edit.text.count == 5_001)
    }
  }
}
