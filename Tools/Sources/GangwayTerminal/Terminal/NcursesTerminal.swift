import CNcurses
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
import Glibc

/// A real terminal, through ncurses, that draws canvases and reads keys; ncurses writes only the cells that changed.
@MainActor final class NcursesTerminal {
  /// The error for a terminal that cannot be drawn on.
  struct Unusable: Error, CustomStringConvertible { let description: String }

  private(set) var glyphs: Glyphs
  private let screen: OpaquePointer
  private let hasColors: Bool
  private let hasBright: Bool
  private var theme: Theme
  /// Whether the terminal determines the theme, because the user has not chosen one.
  private let isThemeOpen: Bool
  private var pairs: [Theme.Pair: Int16] = [:]
  private let firstPair: Int16
  private let isSynchronized: Bool
  private let isUTF8: Bool
  /// The sequences that set the terminal's modes at the start.
  private let modes: String
  private var accent = Style.Color.cyan
  private var last: Canvas?
  /// The keyboard and mouse input.
  let input = NcursesInput()
  /// The pictures that the terminal has received, by number.
  private var pictures: [Int: Picture] = [:]

  /// Takes over the terminal.
  ///
  /// - Parameter settings: the user's settings; `GANGWAY_THEME` overrides the theme.
  /// - Throws: ``Unusable`` if standard input and output are not a terminal that ncurses knows.
  init(_ settings: TerminalSettings) throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Unusable(description: Words.Terminal.none)
    }
    isUTF8 = Self.useUTF8()
    glyphs = isUTF8 ? Glyphs() : .ascii
    TerminalRescue.remember()
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    guard let screen = Self.screen(for: name) else {
      throw Unusable(
        description: name.isEmpty ? Words.Terminal.noType : Words.Terminal.unknownType(name))
    }
    self.screen = screen
    set_term(screen)
    guard gangway_can_move() != 0 else {
      endwin()
      delscreen(screen)
      throw Unusable(description: Words.Terminal.fixedCursor(name))
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
    // NO_COLOR counts if it is set and not empty (no-color.org).
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
    // Placeholders name their picture by one of 256 colors.
    glyphs.hasPictures =
      isUTF8 && hasColors && tigetnum("colors") >= 256
      && PictureSupport.isThere { name in getenv(name).map { String(cString: $0) } }
    // Pictures use the color pairs up to 255.
    firstPair = glyphs.hasPictures ? 256 : 1
    isSynchronized = getenv("TERM").map({ String(cString: $0) })?.hasPrefix("linux") == false
    TerminalRescue.install()
    TerminalRescue.keepWatch()
    // The Linux console misreads the query for the background color.
    if isThemeOpen, getenv("TERM").map({ String(cString: $0) })?.hasPrefix("linux") == false {
      Self.write(TerminalModes.askBackground)
    }
  }

  /// Opens a terminal of a type, or of a similar type if this machine does not know it.
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

  /// Returns the theme from `COLORFGBG`, which rxvt and others set; otherwise dark, as most terminals are.
  private static func likelyTheme() -> Theme {
    let colors = getenv("COLORFGBG").map { String(cString: $0) }
    return colors?.split(separator: ";").last.flatMap { Int($0) }.map { $0 == 7 || $0 == 15 } == true ? .light : .dark
  }

  /// Writes a sequence that ncurses does not support.
  private static func write(_ sequence: String) { _ = ProcessIO.writeAll(Array(sequence.utf8), to: STDOUT_FILENO) }

  /// Copies text to the window's clipboard, if the terminal lets programs do that.
  ///
  /// Source: xterm, "Control Sequences", OSC 52.
  func copy(_ text: String) {
    Self.write("\u{1b}]52;c;\(Data(text.utf8.prefix(Self.maximumCopy)).base64EncodedString())\u{07}")
  }

  /// The most bytes that terminals accept for the clipboard.
  private static let maximumCopy = 74_000

  /// Restores the terminal.
  func close() {
    Self.write(TerminalModes.leave)
    for id in pictures.keys.sorted() { _ = ProcessIO.writeAll(Picture.removal(of: id), to: STDOUT_FILENO) }
    endwin()
    delscreen(screen)
    TerminalRescue.restore()
    TerminalRescue.endWatch()
  }

  /// The terminal's size in columns and rows.
  var size: (columns: Int, rows: Int) { (Int(getmaxx(gangway_screen())), Int(getmaxy(gangway_screen()))) }

  /// Adapts to a new size of the window.
  func resize() {
    var rows: Int32 = 0
    var columns: Int32 = 0
    guard gangway_window_size(STDOUT_FILENO, &rows, &columns) == 0 else { return }
    resizeterm(rows, columns)
    last = nil
  }

  /// Turns off the terminal's own use of Ctrl-S, Ctrl-Q, Ctrl-V and Ctrl-O; Ctrl-S, for example, stops all output.
  private static func takeControlKeys() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    settings.c_iflag &= ~tcflag_t(IXON)
    settings.c_lflag &= ~tcflag_t(IEXTEN)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    // ncurses restores these modes after the process was stopped.
    def_prog_mode()
  }

  /// Restores the terminal, stops the process, and takes over the terminal again when the process continues.
  func suspend() {
    Self.write(TerminalModes.leave)
    endwin()
    // Dispatch sets its handler only once, so the handler must be put back.
    var stopping = sigaction()
    stopping.__sigaction_handler.sa_handler = SIG_DFL
    var handler = sigaction()
    sigaction(SIGTSTP, &stopping, &handler)
    // A blocked signal would stop the process later, in the middle of other work.
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    var before = sigset_t()
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    // Dispatch would read a signal to the process, but cannot read one to this thread.
    pthread_kill(pthread_self(), SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    sigaction(SIGTSTP, &handler, nil)
    resize()
    redraw()
  }

  /// Redraws the whole terminal, for example after the process was stopped and continued.
  func redraw() {
    last = nil
    Self.write(modes)
    clearok(gangway_screen(), true)
  }

  /// The most rows that a terminal draws at once even without a synchronized update.
  private static let fewRows = 3

  /// Draws a canvas.
  func show(_ canvas: Canvas) {
    if canvas.accent != accent {
      accent = canvas.accent
      last = nil
    }
    if canvas.links != last?.links { last = nil }
    // Compare row by row, because typing a letter changes only one row.
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
    // A synchronized update shows many rows at once; a few rows arrive at once anyway.
    let isMuch = isSynchronized && (rows.count > Self.fewRows || !linkRows.isEmpty)
    if isMuch { Self.write(TerminalModes.beginUpdate) }
    refresh()
    // ncurses has no attribute for links, so links are written again.
    if isSynchronized, !linkRows.isEmpty { Self.write(linked(canvas, linkRows)) }
    if isMuch { Self.write(TerminalModes.endUpdate) }
    last = canvas
  }

  /// Returns the sequences that rewrite the link cells of some rows as links (OSC 8).
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

  /// Returns whether the terminal already shows a row of a canvas.
  private func isDrawn(_ canvas: Canvas, _ row: Int) -> Bool {
    guard let last, last.columns == canvas.columns, last.rows == canvas.rows else { return false }
    return last.row(row) == canvas.row(row)
  }

  /// Sends pictures that the terminal does not have yet.
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

  /// Returns ncurses' number of a color pair, which is created at its first use.
  private func number(of pair: Theme.Pair) -> Int32 {
    if pair.text < 0, pair.behind < 0 { return 0 }
    if let number = pairs[pair] { return Int32(number) }
    let number = firstPair + Int16(pairs.count)
    guard init_pair(number, pair.text, pair.behind) == OK else { return 0 }
    pairs[pair] = number
    return Int32(number)
  }

  /// Switches to a dark or light theme, unless the user has chosen one.
  ///
  /// - Parameter isDark: whether the terminal reports a dark background.
  func use(isDark: Bool) {
    guard isThemeOpen else { return }
    theme = isDark ? .dark : .light
    last = nil
  }

  /// Returns whether the terminal uses UTF-8, according to the locale.
  private static func useUTF8() -> Bool {
    setlocale(LC_ALL, "")
    func isUTF8() -> Bool { String(cString: gangway_codeset()) == "UTF-8" }
    // A bare "C" says nothing about the terminal, but a locale that names another encoding does. A locale that names
    // UTF-8 is enough, even if this machine never generated it.
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let named = variables.compactMap { name in getenv(name).map { String(cString: $0) } }.first { !$0.isEmpty }
    let encoding = named?.split(separator: ".").last?.lowercased().filter { $0 != "-" }
    if !isUTF8(), named == nil || named == "C" || named == "POSIX" || encoding?.hasPrefix("utf8") == true {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    return isUTF8()
  }
}
