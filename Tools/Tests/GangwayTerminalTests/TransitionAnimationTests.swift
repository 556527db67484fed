@_spi(FrontEnd) import GangwayProtocol
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Transitions between screens: the pictures in between, and the cases without any.
@Suite struct TransitionAnimationTests {
  private func canvas(_ lines: [String]) -> Canvas {
    var canvas = Canvas(columns: 10, rows: lines.count)
    for (row, line) in lines.enumerated() { canvas.put(line, row, 0) }
    return canvas
  }

  private let old = ["tabs", "aaaaaaaaaa", "aaaaaaaaaa", "hints"]
  private let new = ["tabs", "bbbbbbbbbb", "bbbbbbbbbb", "hints"]

  private func picture(_ name: String, _ share: Double, back: Bool = false) throws -> String {
    let transition = Update.Transition(.push, from: 1, to: 2, isBackward: back, name: name)
    return try #require(TransitionAnimation(transition, from: canvas(old))).picture(of: canvas(new), share: share).text
  }

  @Test func theNewScreenComesFromTheEndAndTheOldOneLeavesThere() throws {
    #expect(try picture("slide", 0) == "tabs\naaaaaaaaaa\naaaaaaaaaa\nhints")
    // At half of the time, the motion is three quarters done.
    #expect(try picture("slide", 0.5) == "tabs\naaabbbbbbb\naaabbbbbbb\nhints")
    #expect(try picture("slide", 1) == "tabs\nbbbbbbbbbb\nbbbbbbbbbb\nhints")
    #expect(try picture("slide", 0.5, back: true) == "tabs\nbbbbbbbaaa\nbbbbbbbaaa\nhints")
    #expect(try picture("slide", 1, back: true) == "tabs\nbbbbbbbbbb\nbbbbbbbbbb\nhints")
  }

  @Test func whatIsPushedUpComesFromBelow() throws {
    #expect(try picture("push-up", 0.1) == "tabs\naaaaaaaaaa\naaaaaaaaaa\nhints")
    #expect(try picture("push-up", 0.4) == "tabs\naaaaaaaaaa\nbbbbbbbbbb\nhints")
    #expect(try picture("push-up", 0.4, back: true) == "tabs\nbbbbbbbbbb\naaaaaaaaaa\nhints")
  }

  @Test func whatFadesIsDimBothTimes() throws {
    let transition = Update.Transition(.push, from: 1, to: 2, name: "fade")
    let animation = try #require(TransitionAnimation(transition, from: canvas(old)))
    for (share, letter) in [(0.2, "a"), (0.8, "b")] {
      let picture = animation.picture(of: canvas(new), share: share)
      #expect(picture[1, 3].text == letter && picture[1, 3].style == .dim)
      #expect(picture[0, 0].style == .plain && picture[3, 0].style == .plain)
    }
  }

  @Test(
    arguments: [
      (nil, nil, nil), ("none", nil, nil), ("none", "fade", nil), ("unfold", nil, nil), ("unfold", "slide", "slide"),
      ("slide", nil, "slide"), ("push-up", nil, "push-up"), ("", "", nil),
    ] as [(String?, String?, String?)])
  func whoKnowsTheNameShowsItAndOthersWhatItIsLike(_ name: String?, _ fallback: String?, _ shown: String?) {
    let transition = Update.Transition(.push, from: 1, to: 2, name: name, fallback: fallback)
    #expect(TransitionAnimation(transition, from: canvas(old))?.motion.rawValue == shown)
  }

  @Test func itIsShortWhateverAFeatureWantsAndOverWhenTheWindowHasAnotherSize() throws {
    let begin = ContinuousClock.now
    let endless = Update.Transition(.push, from: 1, to: 2, name: "slide", milliseconds: .max)
    let animation = try #require(TransitionAnimation(endless, from: canvas(old), at: begin))
    #expect(animation.picture(of: canvas(new), at: begin + .milliseconds(149)) != nil)
    #expect(animation.picture(of: canvas(new), at: begin + .milliseconds(150)) == nil)
    #expect(animation.picture(of: canvas(new + ["more"]), at: begin) == nil)
    let negative = Update.Transition(.push, from: 1, to: 2, name: "slide", milliseconds: -5)
    #expect(
      try #require(TransitionAnimation(negative, from: canvas(old), at: begin)).picture(of: canvas(new), at: begin)
        == nil)
  }

  @Test func noCharacterIsCutInHalf() throws {
    let wide = ["日本語日本語", "a日本語日本語", "🙂🙂🙂🙂🙂", "plain", "a🙂b🙂c🙂d"]
    for name in ["slide", "push-up", "fade"] {
      for isBackward in [true, false] {
        for share in stride(from: 0.0, through: 1, by: 0.05) {
          for shift in 1..<wide.count {
            let other = Array(wide[shift...] + wide[..<shift])
            let transition = Update.Transition(.push, from: 1, to: 2, isBackward: isBackward, name: name)
            let picture = try #require(TransitionAnimation(transition, from: canvas(wide))).picture(
              of: canvas(other), share: share)
            for row in 0..<picture.rows { try checkCells(Array(picture.row(row)), "\(name) \(share) \(shift)") }
          }
        }
      }
    }
  }

  private func checkCells(_ cells: [Canvas.Cell], _ what: String) throws {
    for (column, cell) in cells.enumerated() {
      let isWide = cell.text.first.map { TextWidth.of($0) == 2 } ?? false
      let next = column + 1 < cells.count ? cells[column + 1].text : nil
      try #require(!isWide || next == "", "\(what): a wide character without its right half in column \(column)")
      let before = column > 0 ? cells[column - 1].text.first : nil
      try #require(!cell.text.isEmpty || before.map { TextWidth.of($0) == 2 } == true, "\(what): half a character")
    }
  }
}
