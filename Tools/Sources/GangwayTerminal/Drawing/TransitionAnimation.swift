@_spi(FrontEnd) import GangwayProtocol

/// A transition between two screens, as a short sequence of pictures. The next key ends it.
struct TransitionAnimation {
  /// A kind of motion that a terminal can show.
  enum Motion: String {
    case slide
    case fade
    case pushUp = "push-up"
  }

  /// The longest duration, even if the feature asks for more, so that fast users do not wait.
  static let longest: Duration = .milliseconds(150)
  /// The duration of each picture.
  static let frameTime: Duration = .milliseconds(25)

  let motion: Motion
  let isBackward: Bool
  private let from: Canvas
  private let begin: ContinuousClock.Instant
  private let duration: Duration

  /// Creates a transition; nil if the feature asks for no motion or for none that terminals can show.
  init?(_ transition: Update.Transition, from: Canvas, at begin: ContinuousClock.Instant = .now) {
    let names = [transition.name, transition.fallback].compactMap { $0 }
    guard let motion = names.lazy.compactMap(Motion.init).first, transition.name != "none" else { return nil }
    self.motion = motion
    isBackward = transition.isBackward == true
    self.from = from
    self.begin = begin
    duration = min(Self.longest, transition.milliseconds.map { .milliseconds($0) } ?? Self.longest)
  }

  /// Returns the picture at a moment; nil once the transition is over.
  func picture(of to: Canvas, at moment: ContinuousClock.Instant = .now) -> Canvas? {
    let passed = moment - begin
    guard passed < duration, to.columns == from.columns, to.rows == from.rows else { return nil }
    return picture(of: to, share: passed / duration)
  }

  /// Returns the picture at a share of the duration, from 0 to 1.
  func picture(of to: Canvas, share: Double) -> Canvas {
    // Rows that are the same in both screens, such as tabs and hints, stay still.
    let rows = (0..<to.rows).filter { to.row($0) != from.row($0) }
    guard let first = rows.first, let last = rows.last, !from.hasPictures, !to.hasPictures else { return to }
    // The motion is fast at first, and slows down as it arrives.
    let eased = 1 - (1 - share) * (1 - share)
    var picture = to
    picture.cursor = nil
    switch motion {
    case .slide:
      let offset = Int(((1 - eased) * Double(to.columns)).rounded())
      for row in first...last {
        // Forward, the new screen slides in from the right, over the old one. Back, the old one slides out to the
        // right.
        let (below, above) = isBackward ? (to, from) : (from, to)
        let shift = isBackward ? to.columns - offset : offset
        picture.lay(below.row(row), at: row, from: 0)
        picture.lay(above.row(row).prefix(to.columns - shift), at: row, from: shift)
      }
    case .pushUp:
      let height = last - first + 1
      let offset = Int(((1 - eased) * Double(height)).rounded())
      let (below, above) = isBackward ? (to, from) : (from, to)
      let shift = isBackward ? height - offset : offset
      for row in first...last {
        let source = row - shift
        picture.lay(source >= first ? above.row(source) : below.row(row), at: row, from: 0)
      }
    case .fade:
      let shown = share < 0.5 ? from : to
      for row in first...last { picture.lay(shown.row(row), at: row, from: 0, isDim: true) }
    }
    return picture
  }
}

extension Canvas {
  /// Whether the canvas has pictures, which cannot be moved cell by cell.
  fileprivate var hasPictures: Bool { !pictures.isEmpty }

  /// Lays a row of cells over a part of a row, without cutting a wide character in half.
  fileprivate mutating func lay(_ cells: some Collection<Cell>, at row: Int, from column: Int, isDim: Bool = false) {
    guard column < columns, !cells.isEmpty else { return }
    // Covering the right half of a wide character removes its left half, too.
    if self[row, column].text.isEmpty, column > 0 { self[row, column - 1] = Cell() }
    var at = column
    for cell in cells where at < columns {
      self[row, at] = isDim ? Cell(text: cell.text, style: .dim) : cell
      at += 1
    }
    // A wide character whose right half is past the edge becomes a blank.
    if at == columns, self[row, columns - 1].text.count == 1, TextWidth.of(Character(self[row, columns - 1].text)) == 2
    {
      self[row, columns - 1] = Cell()
    }
  }
}
