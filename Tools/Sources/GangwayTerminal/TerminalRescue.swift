import Glibc

/// Gives the terminal back when ncurses no longer can: the process is dying.
///
/// The one place with escape sequences: nothing of ncurses may be called in a signal handler.
enum TerminalRescue {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

  // Written once before the handlers are installed, read in them alone.
  nonisolated(unsafe) private static var saved = termios()
  nonisolated(unsafe) private static var isSaved = false
  nonisolated(unsafe) private static var leave: UnsafeMutablePointer<UInt8>?
  nonisolated(unsafe) private static var leaveLength = 0

  /// Keeps the terminal's modes as they are found.
  static func remember() {
    isSaved = tcgetattr(STDIN_FILENO, &saved) == 0
    // Mouse reports off, attributes off, cursor on, the normal screen (xterm, "Control Sequences").
    let sequence = Array("\u{1b}[?1000l\u{1b}[?1006l\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l".utf8)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: sequence.count)
    copy.initialize(from: sequence, count: sequence.count)
    leave = copy
    leaveLength = sequence.count
  }

  /// Puts the modes back.
  static func restore() {
    guard isSaved else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &saved)
  }

  /// Gives the terminal back before the process dies of a fault.
  static func install() {
    for signal in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { TerminalRescue.handle($0) }
      action.sa_flags = Int32(SA_NODEFER)
      sigaction(signal, &action, nil)
    }
  }

  private static func handle(_ signal: Int32) {
    if let leave { _ = write(STDOUT_FILENO, leave, leaveLength) }
    restore()
    Glibc.signal(signal, SIG_DFL)
    raise(signal)
  }
}
