import Glibc

/// Restores the terminal when ncurses cannot: while the process crashes, or after it was killed.
///
/// A signal handler must not call ncurses.
enum TerminalRescue {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

  // Written once before the handlers are installed, and read only by them.
  nonisolated(unsafe) private static var saved = termios()
  nonisolated(unsafe) private static var isSaved = false
  nonisolated(unsafe) private static var leave: UnsafeMutablePointer<UInt8>?
  nonisolated(unsafe) private static var leaveLength = 0
  nonisolated(unsafe) private static var leaving = ""
  /// The write end of the pipe to the watching shell, which outlives a kill of this process; -1 for none.
  nonisolated(unsafe) private static var watch: Int32 = -1
  nonisolated(unsafe) private static var watcher: pid_t = 0

  /// Saves the terminal's current modes.
  ///
  /// - Parameter leaving: the sequences to write when the modes are restored.
  static func remember(leaving: String = TerminalModes.leave + TerminalModes.leaveNcurses) {
    isSaved = tcgetattr(STDIN_FILENO, &saved) == 0
    self.leaving = leaving
    let sequence = Array(leaving.utf8)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: sequence.count)
    copy.initialize(from: sequence, count: sequence.count)
    leave = copy
    leaveLength = sequence.count
  }

  /// Restores the saved modes.
  static func restore() {
    guard isSaved else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &saved)
  }

  /// Starts a shell that waits for the end of this process and then restores the terminal.
  ///
  /// A killed process cannot do that itself. ``endWatch()`` ends the shell without the restore.
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
    // The shell has a process group of its own, so a signal to the foreground group does not end it.
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

  /// Ends the shell after the terminal was restored.
  static func endWatch() {
    guard watch >= 0 else { return }
    tellWatch()
    close(watch)
    watch = -1
    waitpid(watcher, nil, 0)
  }

  /// Tells the shell that the terminal was restored; safe in signal handlers.
  private static func tellWatch() {
    let word: StaticString = "done\n"
    if watch >= 0 { _ = write(watch, word.utf8Start, word.utf8CodeUnitCount) }
  }

  /// The saved modes, in the format of `stty -g` of coreutils and busybox.
  private static var modes: String {
    let flags = [saved.c_iflag, saved.c_oflag, saved.c_cflag, saved.c_lflag]
    let characters = withUnsafeBytes(of: saved.c_cc) { Array($0) }
    return (flags.map { String($0, radix: 16) } + characters.map { String($0, radix: 16) }).joined(separator: ":")
  }

  /// Installs signal handlers that restore the terminal before the process dies of a crash.
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
