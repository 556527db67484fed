import CNcurses
import Foundation
import GangwayClient
import Glibc

/// The real terminal, through ncurses: draws canvases and reads keys. Only cells that changed are written.
@MainActor final class NcursesTerminal {
  /// Why there is no terminal to draw on.
  struct Unusable: Error, CustomStringConvertible { let description: String }

  private(set) var glyphs: Glyphs
  private let screen: OpaquePointer
  private let hasColors: Bool
  private let isUTF8: Bool
  private var last: Canvas?
  private var decoder = KeyDecoder()
  private var lastInput = ContinuousClock.now
  /// Whether there may be more to read than was.
  private(set) var hasMore = false
  private var lastPress: (row: Int, column: Int, time: ContinuousClock.Instant)?
  /// How long after a press another at the same place makes a double one of it.
  private static let doublePressTime: Duration = .milliseconds(400)
  /// The pictures that the terminal knows, by their numbers.
  private var pictures: [Int: Picture] = [:]

  /// Takes the terminal over.
  ///
  /// - Throws: ``Unusable`` if standard input and output are no terminal that ncurses knows.
  init() throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Unusable(description: "standard input and output are not both a terminal")
    }
    isUTF8 = Self.useUTF8()
    glyphs = isUTF8 ? Glyphs() : .ascii
    TerminalRescue.remember()
    guard let screen = gangway_open() else {
      let name = getenv("TERM").map { String(cString: $0) } ?? ""
      throw Unusable(
        description: name.isEmpty ? "TERM is not set" : "the terminal '\(name)' is not known: TERM names another")
    }
    self.screen = screen
    set_term(screen)
    cbreak()
    noecho()
    nonl()
    let window = gangway_screen()
    keypad(window, true)
    nodelay(window, true)
    set_escdelay(25)
    Self.takeControlKeys()
    gangway_mouse()
    for key in KeyDecoder.Special.allCases { define_key(key.sequence, key.rawValue) }
    Self.write(TerminalModes.enter)
    // no-color.org: set and not empty.
    hasColors = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true && has_colors()
    if hasColors {
      start_color()
      use_default_colors()
      for color in [Style.Color.red, .green, .yellow, .blue, .cyan] {
        init_pair(Int16(color.rawValue), Self.number(of: color), -1)
      }
    }
    // A picture is known by a colour of 256.
    glyphs.hasPictures =
      isUTF8 && hasColors && tigetnum("colors") >= 256
      && PictureSupport.isThere { name in getenv(name).map { String(cString: $0) } }
    TerminalRescue.install()
    TerminalRescue.keepWatch()
  }

  /// Writes a sequence that ncurses has none of.
  private static func write(_ sequence: String) { _ = ProcessIO.writeAll(Array(sequence.utf8), to: STDOUT_FILENO) }

  /// Puts text on the clipboard of the window, where the terminal lets programs do that.
  ///
  /// Source: xterm, "Control Sequences", OSC 52.
  func copy(_ text: String) {
    Self.write("\u{1b}]52;c;\(Data(text.utf8.prefix(Self.maximumCopy)).base64EncodedString())\u{07}")
  }

  /// What terminals take at the most.
  private static let maximumCopy = 74_000

  /// Gives the terminal back as it was found.
  func close() {
    Self.write(TerminalModes.leave)
    for id in pictures.keys.sorted() { _ = ProcessIO.writeAll(Picture.removal(of: id), to: STDOUT_FILENO) }
    endwin()
    delscreen(screen)
    TerminalRescue.restore()
    TerminalRescue.endWatch()
  }

  /// The size in columns and rows.
  var size: (columns: Int, rows: Int) { (Int(getmaxx(gangway_screen())), Int(getmaxy(gangway_screen()))) }

  /// Follows the window's size.
  func resize() {
    var rows: Int32 = 0
    var columns: Int32 = 0
    guard gangway_window_size(STDOUT_FILENO, &rows, &columns) == 0 else { return }
    resizeterm(rows, columns)
    last = nil
  }

  /// Has the terminal leave Ctrl-S, Ctrl-Q, Ctrl-V and Ctrl-O to the app: it would stop writing at the first.
  private static func takeControlKeys() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    settings.c_iflag &= ~tcflag_t(IXON)
    settings.c_lflag &= ~tcflag_t(IEXTEN)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    // What ncurses comes back to after the process was stopped.
    def_prog_mode()
  }

  /// Draws everything again, as after the process was stopped and goes on.
  func redraw() {
    last = nil
    Self.write(TerminalModes.enter)
    clearok(gangway_screen(), true)
  }

  /// Shows a canvas.
  func show(_ canvas: Canvas) {
    guard canvas != last else { return }
    send(canvas.pictures)
    for row in 0..<canvas.rows { draw(canvas, row) }
    if let cursor = canvas.cursor {
      curs_set(1)
      move(Int32(cursor.row), Int32(cursor.column))
    } else {
      curs_set(0)
    }
    refresh()
    last = canvas
  }

  /// Has the terminal know pictures that it does not know yet.
  private func send(_ wanted: [Int: Picture]) {
    for (id, picture) in wanted.sorted(by: { $0.key < $1.key }) where pictures[id] != picture {
      pictures[id] = picture
      if let bytes = picture.transmission(as: id) { _ = ProcessIO.writeAll(bytes, to: STDOUT_FILENO) }
    }
  }

  private func draw(_ canvas: Canvas, _ row: Int) {
    if let last, last.columns == canvas.columns, last.rows == canvas.rows {
      let range = row * canvas.columns..<(row + 1) * canvas.columns
      if last.cells[range] == canvas.cells[range] { return }
    }
    move(Int32(row), 0)
    gangway_attributes(0, 0)
    clrtoeol()
    var column = 0
    while column < canvas.columns {
      let style = canvas[row, column].style
      let start = column
      var text: [wchar_t] = []
      while column < canvas.columns, canvas[row, column].style == style {
        for scalar in canvas[row, column].text.unicodeScalars {
          text.append(isUTF8 || scalar.isASCII ? wchar_t(bitPattern: scalar.value) : 63)
        }
        column += 1
      }
      apply(style)
      gangway_add(Int32(row), Int32(start), text, Int32(text.count))
    }
  }

  private func apply(_ style: Style) {
    var attributes: UInt32 = 0
    if style.isBold { attributes |= gangway_bold() }
    if style.isDim { attributes |= gangway_dim() }
    if style.isReversed { attributes |= gangway_reverse() }
    if style.isUnderlined { attributes |= gangway_underline() }
    if let picture = style.picture { init_pair(Int16(picture), Int16(picture), -1) }
    gangway_attributes(attributes, hasColors ? Int32(style.picture ?? style.color.rawValue) : 0)
  }

  private static func number(of color: Style.Color) -> Int16 {
    switch color {
    case .standard: -1
    case .red: 1
    case .green: 2
    case .yellow: 3
    case .blue: 4
    case .cyan: 6
    }
  }

  /// Whether the terminal takes UTF-8: as the locale says.
  private static func useUTF8() -> Bool {
    setlocale(LC_ALL, "")
    func isUTF8() -> Bool { String(cString: gangway_codeset()) == "UTF-8" }
    // A bare "C" says nothing of the terminal; one that names another encoding does.
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let named = variables.compactMap { name in getenv(name).map { String(cString: $0) } }.first { !$0.isEmpty }
    if !isUTF8(), named == nil || named == "C" || named == "POSIX" { setlocale(LC_CTYPE, "C.UTF-8") }
    return isUTF8()
  }

  // MARK: Keys

  /// How much is read before what it led to is drawn.
  private static let unitsAtOnce = 100_000

  /// The keys that have arrived; nil when the other side of the terminal is gone.
  func keys() -> [Key]? {
    var keys: [Key] = []
    if decoder.isPasting, ContinuousClock.now - lastInput > .seconds(1) { keys += decoder.endPaste() }
    var isAnything = false
    hasMore = false
    for number in 0..<Self.unitsAtOnce {
      guard let next = decoder.next(read, awaitMore: awaitInput) else { break }
      isAnything = true
      hasMore = number == Self.unitsAtOnce - 1
      keys += next
    }
    if isAnything { lastInput = .now }
    guard !isAnything, keys.isEmpty else { return keys }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let isGone = poll(&input, 1, 0) > 0 && Int32(input.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
    return isGone ? nil : []
  }

  private func read() -> KeyDecoder.Unit? {
    var code: wint_t = 0
    switch wget_wch(gangway_screen(), &code) {
    case OK: return .scalar(code)
    case KEY_CODE_YES:
      guard Int32(bitPattern: code) == KEY_MOUSE else { return .special(Int32(bitPattern: code)) }
      return mouse().map { .key($0) } ?? .special(KEY_MOUSE)
    default: return nil
    }
  }

  /// Waits for the rest of a sequence that was cut in two.
  private func awaitInput() -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 25) > 0
  }

  private func mouse() -> Key? {
    var event = MEVENT()
    guard getmouse(&event) == OK else { return nil }
    if gangway_is_wheel_up(event.bstate) != 0 { return .wheelUp }
    if gangway_is_wheel_down(event.bstate) != 0 { return .wheelDown }
    guard gangway_is_press(event.bstate) != 0 else { return nil }
    let (row, column) = (Int(event.y), Int(event.x))
    let now = ContinuousClock.now
    let isDouble =
      lastPress.map { $0.row == row && $0.column == column && now - $0.time < Self.doublePressTime } ?? false
    lastPress = isDouble ? nil : (row, column, now)
    return isDouble ? .doublePress(row: row, column: column) : .press(row: row, column: column)
  }
}
