import CNcurses
import FoundationEssentials
import GangwayClient
import Glibc

/// The real terminal, through ncurses: draws canvases and reads keys. Only cells that changed are written.
@MainActor final class NcursesTerminal {
  /// Why there is no terminal to draw on.
  struct Unusable: Error, CustomStringConvertible { let description: String }

  private(set) var glyphs: Glyphs
  private let screen: OpaquePointer
  private let hasColors: Bool
  private let hasBright: Bool
  private var theme: Theme
  /// Whether the theme is as the terminal says, and not as the person has chosen.
  private let isThemeOpen: Bool
  private var pairs: [Theme.Pair: Int16] = [:]
  private let firstPair: Int16
  private let isSynchronized: Bool
  private let isUTF8: Bool
  /// What the terminal is told at the start.
  private let modes: String
  private var accent = Style.Color.cyan
  private var last: Canvas?
  /// What is typed and pressed.
  let input = NcursesInput()
  /// The pictures that the terminal knows, by their numbers.
  private var pictures: [Int: Picture] = [:]

  /// Takes the terminal over.
  ///
  /// - Parameter settings: how the person wants it to be; `GANGWAY_THEME` counts more.
  /// - Throws: ``Unusable`` if standard input and output are no terminal that ncurses knows.
  init(_ settings: TerminalSettings) throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Unusable(description: "standard input and output are not both a terminal")
    }
    isUTF8 = Self.useUTF8()
    glyphs = isUTF8 ? Glyphs() : .ascii
    TerminalRescue.remember()
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    guard let screen = Self.screen(for: name) else {
      throw Unusable(
        description: name.isEmpty ? "TERM is not set" : "the terminal '\(name)' is not known: TERM names another")
    }
    self.screen = screen
    set_term(screen)
    guard gangway_can_move() != 0 else {
      endwin()
      delscreen(screen)
      throw Unusable(description: "the terminal '\(name)' cannot place its cursor: TERM names another")
    }
    cbreak()
    noecho()
    nonl()
    let window = gangway_screen()
    keypad(window, true)
    nodelay(window, true)
    set_escdelay(25)
    Self.takeControlKeys()
    if settings.usesMouse { gangway_mouse() }
    modes = settings.usesMouse ? TerminalModes.enter + TerminalModes.enterMouse : TerminalModes.enter
    for key in KeyDecoder.Special.allCases { define_key(key.sequence, key.rawValue) }
    Self.write(modes)
    // no-color.org: set and not empty.
    hasColors = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true && has_colors()
    if hasColors {
      start_color()
      use_default_colors()
    }
    hasBright = hasColors && tigetnum("colors") >= 16
    let wanted = Theme.named(getenv("GANGWAY_THEME").map { String(cString: $0) }) ?? settings.theme
    theme = hasColors ? wanted ?? Self.likelyTheme() : .mono
    isThemeOpen = hasColors && wanted == nil
    glyphs.hasSurfaces = hasBright && (theme == .dark || theme == .light)
    // A picture is known by a colour of 256.
    glyphs.hasPictures =
      isUTF8 && hasColors && tigetnum("colors") >= 256
      && PictureSupport.isThere { name in getenv(name).map { String(cString: $0) } }
    // Pictures are known by the pairs up to 255.
    firstPair = glyphs.hasPictures ? 256 : 1
    isSynchronized = getenv("TERM").map({ String(cString: $0) })?.hasPrefix("linux") == false
    TerminalRescue.install()
    TerminalRescue.keepWatch()
    // The console of Linux takes what follows for something else.
    if isThemeOpen, getenv("TERM").map({ String(cString: $0) })?.hasPrefix("linux") == false {
      Self.write(TerminalModes.askBackground)
    }
  }

  /// Opens a terminal of a type, or of one that it is like where this machine knows nothing of it.
  private static func screen(for type: String) -> OpaquePointer? {
    if let screen = gangway_open(type) { return screen }
    let likeXterm = ["xterm", "alacritty", "foot", "wezterm", "ghostty", "kitty", "rio", "contour", "konsole", "st-"]
    let likeScreen = ["tmux", "screen"]
    let like: [String] =
      likeXterm.contains { type.hasPrefix($0) }
      ? ["xterm-256color", "xterm"] : likeScreen.contains { type.hasPrefix($0) } ? ["screen-256color", "screen"] : []
    for other in like {
      if let screen = gangway_open(other) { return screen }
    }
    return nil
  }

  /// What the terminal says of itself at the start: `COLORFGBG`, as rxvt and others set it; else most are dark.
  private static func likelyTheme() -> Theme {
    let colors = getenv("COLORFGBG").map { String(cString: $0) }
    return colors?.split(separator: ";").last.flatMap { Int($0) }.map { $0 == 7 || $0 == 15 } == true ? .light : .dark
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

  /// Gives the terminal back, stops the process, and takes the terminal over again when the process goes on.
  func suspend() {
    Self.write(TerminalModes.leave)
    endwin()
    // The handler is Dispatch's own, which it sets once.
    var stopping = sigaction()
    stopping.__sigaction_handler.sa_handler = SIG_DFL
    var handler = sigaction()
    sigaction(SIGTSTP, &stopping, &handler)
    // What is blocked would stop the process later, in the middle of something.
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    var before = sigset_t()
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    kill(getpid(), SIGTSTP)
    // The signal may go to another thread, which stops this one a moment later.
    usleep(1_000)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    sigaction(SIGTSTP, &handler, nil)
    resize()
    redraw()
  }

  /// Draws everything again, as after the process was stopped and goes on.
  func redraw() {
    last = nil
    Self.write(modes)
    clearok(gangway_screen(), true)
  }

  /// How many rows a terminal takes in one piece.
  private static let fewRows = 3

  /// Shows a canvas.
  func show(_ canvas: Canvas) {
    if canvas.accent != accent {
      accent = canvas.accent
      last = nil
    }
    if canvas.links != last?.links { last = nil }
    // Row by row: where a letter is typed, one of them is another.
    let rows = (0..<canvas.rows).filter { !isDrawn(canvas, $0) }
    if rows.isEmpty, let last, last.pictures == canvas.pictures, last.hasSameCursor(as: canvas) { return }
    send(canvas.pictures)
    var linkRows: [Int] = []
    for row in rows {
      draw(canvas, row)
      if !canvas.links.isEmpty, canvas.row(row).contains(where: { $0.style.link != nil }) { linkRows.append(row) }
    }
    if let cursor = canvas.cursor {
      curs_set(1)
      move(Int32(cursor.row), Int32(cursor.column))
    } else {
      curs_set(0)
    }
    // Drawn at once where the terminal can, and not while it comes in: what is little comes in at once anyway.
    let isMuch = isSynchronized && (rows.count > Self.fewRows || !linkRows.isEmpty)
    if isMuch { Self.write(TerminalModes.beginUpdate) }
    refresh()
    // ncurses has no attribute for it: what is a link is written once more.
    if isSynchronized, !linkRows.isEmpty { Self.write(linked(canvas, linkRows)) }
    if isMuch { Self.write(TerminalModes.endUpdate) }
    last = canvas
  }

  /// What writes the cells of some rows that are links as such (OSC 8).
  ///
  /// Source: "Hyperlinks (a.k.a. HTML-like anchors) in terminal emulators", Egmont Koblinger.
  private func linked(_ canvas: Canvas, _ rows: [Int]) -> String {
    var text = TerminalModes.saveCursor
    for row in rows {
      var column = 0
      let cells = Array(canvas.row(row))
      while column < cells.count {
        let style = cells[column].style
        let end = cells[column...].firstIndex { $0.style != style } ?? cells.count
        if let link = style.link {
          let look = theme.look(of: style, accent: accent, hasBright: hasBright)
          text += TerminalModes.link(
            cells[column..<end].map(\.text).joined(), to: canvas.links[link], number: link, row: row, column: column,
            look: hasColors ? look : Theme.mono.look(of: style, hasBright: false))
        }
        column = end
      }
    }
    return text + TerminalModes.restoreCursor
  }

  /// Whether a row stands there as it is to be.
  private func isDrawn(_ canvas: Canvas, _ row: Int) -> Bool {
    guard let last, last.columns == canvas.columns, last.rows == canvas.rows else { return false }
    return last.row(row) == canvas.row(row)
  }

  /// Has the terminal know pictures that it does not know yet.
  private func send(_ wanted: [Int: Picture]) {
    for (id, picture) in wanted.sorted(by: { $0.key < $1.key }) where pictures[id] != picture {
      pictures[id] = picture
      if let bytes = picture.transmission(as: id) { _ = ProcessIO.writeAll(bytes, to: STDOUT_FILENO) }
    }
  }

  private func draw(_ canvas: Canvas, _ row: Int) {
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
          let shown = isUTF8 || scalar.isASCII ? scalar : Glyphs.plain[scalar] ?? "?"
          text.append(wchar_t(bitPattern: shown.value))
        }
        column += 1
      }
      apply(style)
      gangway_add(Int32(row), Int32(start), text, Int32(text.count))
    }
  }

  private func apply(_ style: Style) {
    let look = theme.look(of: style, accent: accent, hasBright: hasBright)
    var attributes: UInt32 = 0
    if look.isBold { attributes |= gangway_bold() }
    if look.isDim { attributes |= gangway_dim() }
    if look.isReversed { attributes |= gangway_reverse() }
    if look.isUnderlined { attributes |= gangway_underline() }
    if let picture = style.picture { init_pair(Int16(picture), Int16(picture), -1) }
    gangway_attributes(attributes, hasColors ? style.picture.map { Int32($0) } ?? number(of: look.pair) : 0)
  }

  /// ncurses' number of a pair of colours, which is made when it is wanted first.
  private func number(of pair: Theme.Pair) -> Int32 {
    if pair.text < 0, pair.behind < 0 { return 0 }
    if let number = pairs[pair] { return Int32(number) }
    let number = firstPair + Int16(pairs.count)
    guard init_pair(number, pair.text, pair.behind) == OK else { return 0 }
    pairs[pair] = number
    return Int32(number)
  }

  /// Takes another theme, if the person has not chosen one.
  ///
  /// - Parameter isDark: what the terminal says of the colour behind text.
  func use(isDark: Bool) {
    guard isThemeOpen else { return }
    theme = isDark ? .dark : .light
    last = nil
  }

  /// Whether the terminal takes UTF-8: as the locale says.
  private static func useUTF8() -> Bool {
    setlocale(LC_ALL, "")
    func isUTF8() -> Bool { String(cString: gangway_codeset()) == "UTF-8" }
    // A bare "C" says nothing of the terminal; one that names another encoding does. One that names UTF-8 and was never
    // generated on this machine says all there is to know.
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let named = variables.compactMap { name in getenv(name).map { String(cString: $0) } }.first { !$0.isEmpty }
    let encoding = named?.split(separator: ".").last?.lowercased().filter { $0 != "-" }
    if !isUTF8(), named == nil || named == "C" || named == "POSIX" || encoding?.hasPrefix("utf8") == true {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    return isUTF8()
  }
}
