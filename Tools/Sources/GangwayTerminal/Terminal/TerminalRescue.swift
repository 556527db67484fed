import Glibc

/// Gives the terminal back when ncurses no longer can: the process is dying, or has been killed.
///
/// Nothing of ncurses may be called in a signal handler.
enum TerminalRescue {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

  // Written once before the handlers are installed, read in them alone.
  nonisolated(unsafe) private static var saved = termios()
  nonisolated(unsafe) private static var isSaved = false
  nonisolated(unsafe) private static var leave: UnsafeMutablePointer<UInt8>?
  nonisolated(unsafe) private static var leaveLength = 0
  nonisolated(unsafe) private static var leaving = ""
  /// The end of the pipe that the shell reads which is left when this process is killed; -1 for none.
  nonisolated(unsafe) private static var watch: Int32 = -1
  nonisolated(unsafe) private static var watcher: pid_t = 0

  /// Keeps the terminal's modes as they are found.
  ///
  /// - Parameter leaving: what is written when they are put back.
  static func remember(leaving: String = TerminalModes.leave + TerminalModes.leaveNcurses) {
    isSaved = tcgetattr(STDIN_FILENO, &saved) == 0
    self.leaving = leaving
    let sequence = Array(leaving.utf8)
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

  /// Starts a shell that waits for the end of this process, and gives the terminal back where that has not done so itself:
  /// nothing that was killed can. It is told so when it need not.
  static func keepWatch() {
    guard isSaved, watch < 0 else { return }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let script = """
      trap '' HUP INT QUIT TERM TSTP TTOU TTIN; read -r line; [ "$line" = done ] && exit; \
      stty "$1" <&3 2>/dev/null; printf '%b' "$2"
      """
    let leave = leaving.replacing("\u{1b}", with: "\\033")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, 3)
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own: what ends the one in front does not end it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var arguments =
      ["sh", "-c", script, "gangway", modes, leave].map { (argument: String) in strdup(argument) } + [nil]
    defer { for argument in arguments { free(argument) } }
    guard posix_spawn(&watcher, "/bin/sh", &actions, &attributes, &arguments, environ) == 0 else {
      close(ends[1])
      return
    }
    watch = ends[1]
  }

  /// Ends the shell: the terminal has been given back.
  static func endWatch() {
    guard watch >= 0 else { return }
    tellWatch()
    close(watch)
    watch = -1
    waitpid(watcher, nil, 0)
  }

  /// In signal handlers, too.
  private static func tellWatch() {
    let word: StaticString = "done\n"
    if watch >= 0 { _ = write(watch, word.utf8Start, word.utf8CodeUnitCount) }
  }

  /// The modes as `stty` takes them: coreutils' and busybox's `stty -g`.
  private static var modes: String {
    let flags = [saved.c_iflag, saved.c_oflag, saved.c_cflag, saved.c_lflag]
    let characters = withUnsafeBytes(of: saved.c_cc) { Array($0) }
    return (flags.map { String($0, radix: 16) } + characters.map { String($0, radix: 16) }).joined(separator: ":")
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
    tellWatch()
    Glibc.signal(signal, SIG_DFL)
    raise(signal)
  }
}
