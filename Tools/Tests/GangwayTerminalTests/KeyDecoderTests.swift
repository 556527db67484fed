import CNcurses
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// The decoding of terminal input, which must never yield a key that the user did not press.
@Suite struct KeyDecoderTests {
  private func units(_ text: String) -> [KeyDecoder.Unit] { text.unicodeScalars.map { .scalar($0.value) } }

  /// Returns the keys of an input that arrives in pieces.
  private func keys(_ pieces: [[KeyDecoder.Unit]]) -> [Key] {
    var decoder = KeyDecoder()
    var keys: [Key] = []
    var pieces = pieces[...]
    var now: ArraySlice<KeyDecoder.Unit> = []
    func awaitMore() -> Bool {
      guard now.isEmpty, let next = pieces.popFirst() else { return !now.isEmpty }
      now = next[...]
      return true
    }
    while awaitMore() {
      while let next = decoder.next({ now.popFirst() }, awaitMore: awaitMore) { keys += next }
    }
    return keys
  }

  private func keys(_ text: String) -> [Key] { keys([units(text)]) }

  @Test func altIsNeverEscapeAndAKey() {
    #expect(keys("\u{1b}x") == [.alt("x")])
    #expect(keys("\u{1b}.") == [.alt(".")])
    #expect(keys("\u{1b}[") == [.alt("[")])
    #expect(keys("\u{1b}\u{7f}") == [.deleteWordBefore])
    #expect(keys("\u{1b}") == [.escape])
    #expect(keys([units("\u{1b}"), units("x")]) == [.escape, .character("x")])
  }

  @Test(arguments: [
    "\u{1b}[1;6R", "\u{1b}[?62;4c", "\u{1b}OQ", "\u{1b}]0;title\u{7}", "\u{1b}P1$r0m\u{1b}\\", "\u{1b}[12;34H",
  ])
  func sequencesThatSayNothingHereAreNoKeys(_ sequence: String) {
    #expect(keys(sequence + "a") == [.character("a")])
    // Slow connections may split a sequence anywhere, except right after Escape.
    let units = units(sequence)
    for cut in 2..<units.count {
      #expect(keys([Array(units[..<cut]), units[cut...] + [.scalar(97)]]) == [.character("a")], "cut at \(cut)")
    }
  }

  @Test(arguments: [
    ("rgb:ffff/ffff/ffff\u{7}", false), ("rgb:0000/0000/0000\u{1b}\\", true), ("rgb:1e/1e/2e\u{7}", true),
    ("rgb:fdfd/f6f6/e3e3\u{7}", false),
  ])
  func theTerminalSaysHowLightItIs(_ answer: String, _ isDark: Bool) {
    #expect(keys("\u{1b}]11;\(answer)a") == [.background(isDark: isDark), .character("a")])
  }

  @Test func whatIsPastedIsNoKeys() {
    let begin = KeyDecoder.Unit.special(KeyDecoder.Special.pasteBegins.rawValue)
    let end = KeyDecoder.Unit.special(KeyDecoder.Special.pasteEnds.rawValue)
    let pasted = [begin] + units("one\rq\r\n\u{1b}two\tx\u{0}") + [.special(KEY_UP), end]
    #expect(keys([pasted + units("q")]) == [.paste("one\nq\ntwo\tx", isWhole: true), .character("q")])
    // The pasted text is the same for every split.
    for cut in 1..<pasted.count {
      #expect(keys([Array(pasted[..<cut]), Array(pasted[cut...])]) == [.paste("one\nq\ntwo\tx", isWhole: true)])
    }
  }

  @Test func whatIsPastedIsTakenManyBytesAtOnceHoweverTheyAreCut() {
    let begin = KeyDecoder.Unit.special(KeyDecoder.Special.pasteBegins.rawValue)
    let bytes = Array("one\r\ntwo é€😀\u{1b}[20 \u{1b}[201~q".utf8)
    for cut in 0...bytes.count {
      for other in cut...bytes.count {
        var decoder = KeyDecoder()
        var first: KeyDecoder.Unit? = begin
        _ = decoder.next(
          {
            defer { first = nil }; return first
          }, awaitMore: { false })
        var keys: [Key] = []
        var rest: [UInt8] = []
        for piece in [bytes[..<cut], bytes[cut..<other], bytes[other...]] {
          let taken = decoder.takePasted(Array(piece))
          keys += taken.keys
          rest += taken.rest
        }
        #expect(keys == [.paste("one\ntwo é€😀[20 ", isWhole: true)] && rest == Array("q".utf8), "\(cut), \(other)")
      }
    }
    // Invalid UTF-8 does no harm, and a paste without an end keeps its text.
    var decoder = KeyDecoder()
    var first: KeyDecoder.Unit? = begin
    _ = decoder.next(
      {
        defer { first = nil }; return first
      }, awaitMore: { false })
    _ = decoder.takePasted([97, 0xff, 0xe2, 0x82])
    #expect(decoder.endPaste() == [.paste("a\u{fffd}\u{fffd}", isWhole: true)])
  }

  @Test func twoPastesRightAfterEachOtherAreTwo() {
    // The bytes after the first paste went back to ncurses, which reports the second paste's mark as characters.
    let begin = KeyDecoder.Unit.special(KeyDecoder.Special.pasteBegins.rawValue)
    let end = KeyDecoder.Unit.special(KeyDecoder.Special.pasteEnds.rawValue)
    #expect(
      keys([[begin] + units("ls") + [end] + units("\u{1b}[200~rm\r") + [end] + units("x")]) == [
        .paste("ls", isWhole: true), .paste("rm\n", isWhole: true), .character("x"),
      ])
  }

  @Test func ofAPasteWithoutEndAMillionCharactersAreKept() {
    let much = Array(repeating: KeyDecoder.Unit.scalar(97), count: Key.maximumPaste + 5)
    let begin = KeyDecoder.Unit.special(KeyDecoder.Special.pasteBegins.rawValue)
    var decoder = KeyDecoder()
    var now = ([begin] + much)[...]
    while decoder.next({ now.popFirst() }, awaitMore: { false }) != nil {}
    #expect(decoder.isPasting)
    #expect(decoder.endPaste() == [.paste(String(repeating: "a", count: Key.maximumPaste), isWhole: false)])
    #expect(!decoder.isPasting)
  }

  @Test func anyBytesMakeKeysAndEnd() {
    var random = SeededRandom(seed: 5)
    let sequences = [
      "\u{1b}[<0;10;10M", "\u{1b}[1;5D", "\u{1b}OP", "\u{1b}]11;rgb:0/0/0\u{7}", "\u{1b}[200~", "\u{1b}\u{1b}", "a",
      "é",
    ]
    var decoder = KeyDecoder()
    var count = 0
    for _ in 0..<100_000 {
      var read = units(sequences.randomElement(using: &random) ?? "")
        .map { Int.random(in: 0..<20, using: &random) == 0 ? .scalar(.random(in: 0...0x10ffff, using: &random)) : $0 }[
          ...]
      read = read.prefix(Int.random(in: 0...read.count, using: &random))
      while let keys = decoder.next({ read.popFirst() }, awaitMore: { false }) { count += keys.count }
      // The end of the paste never arrives here.
      if decoder.isPasting { count += decoder.endPaste().count }
    }
    #expect(count > 10_000)
  }
}
