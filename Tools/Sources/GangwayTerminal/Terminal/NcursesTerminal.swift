import CNcurses
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

  /// Gives the terminal back as it was found.
  func close() {
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

  /// The keys that have arrived; nil when the other side of the terminal is gone.
  func keys() -> [Key]? {
    var keys: [Key] = []
    while let key = nextKey() { keys.append(contentsOf: key) }
    guard keys.isEmpty else { return keys }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let isGone = poll(&input, 1, 0) > 0 && Int32(input.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
    return isGone ? nil : []
  }

  private func nextKey() -> [Key]? {
    var code: wint_t = 0
    let kind = wget_wch(gangway_screen(), &code)
    guard kind != ERR else { return nil }
    if kind == KEY_CODE_YES { return special(Int32(bitPattern: code)) }
    guard code == 27 else { return keys(for: code) }
    var next: wint_t = 0
    guard wget_wch(gangway_screen(), &next) == OK, let scalar = Unicode.Scalar(next) else { return [.escape] }
    // Alt and a key, or Escape and then the key in quick succession: a terminal sends the same for both.
    let character = Character(scalar)
    return character.isWholeNumber || character.isLetter ? [.alt(character)] : [.escape] + keys(for: next)
  }

  private func keys(for code: wint_t) -> [Key] {
    switch code {
    case 9: return [.tab]
    case 10, 13: return [.enter]
    case 8, 127: return [.backspace]
    case 27: return [.escape]
    // Control and a letter; those that mean Tab, Enter and Backspace are these. The terminal takes Ctrl-C, Ctrl-Z and Ctrl-\\.
    case 1...26: return Unicode.Scalar(UInt32(code) + 96).map { [.control(Character($0))] } ?? []
    default:
      guard code >= 32, let scalar = Unicode.Scalar(code) else { return [] }
      return [.character(Character(scalar))]
    }
  }

  private func special(_ code: Int32) -> [Key] {
    switch code {
    case KEY_UP: return [.up]
    case KEY_DOWN: return [.down]
    case KEY_LEFT: return [.left]
    case KEY_RIGHT: return [.right]
    case KEY_HOME: return [.home]
    case KEY_END: return [.end]
    case KEY_PPAGE: return [.pageUp]
    case KEY_NPAGE: return [.pageDown]
    case KEY_BACKSPACE: return [.backspace]
    case KEY_DC: return [.delete]
    case KEY_BTAB: return [.backTab]
    case KEY_F0 + 6: return [.nextPane]
    case KEY_F0 + 1...KEY_F0 + 12: return [.function(Int(code - KEY_F0))]
    case KEY_ENTER: return [.enter]
    case KEY_MOUSE: return mouse()
    default: return []
    }
  }

  private func mouse() -> [Key] {
    var event = MEVENT()
    guard getmouse(&event) == OK else { return [] }
    if gangway_is_press(event.bstate) != 0 { return [.press(row: Int(event.y), column: Int(event.x))] }
    if gangway_is_wheel_up(event.bstate) != 0 { return [.wheelUp] }
    if gangway_is_wheel_down(event.bstate) != 0 { return [.wheelDown] }
    return []
  }
}
