import Glibc

/// Signals of other processes: they say nothing of plugins.
///
/// A host that gets one ends by `SIGKILL`, which no code of its own sends. So whoever watches it can tell such an end from a crash.
enum OutsideSignal {
  /// Those that end a process and that no fault raises.
  private static let signals = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

  /// Tells those that the process sends to itself from those of others.
  static func install() {
    for signal in signals {
      var action = sigaction()
      // What is ignored stays so.
      guard sigaction(signal, nil, &action) == 0, action.sa_flags & SA_SIGINFO == 0,
        action.__sigaction_handler.sa_handler == nil
      else { continue }
      action = sigaction()
      action.__sigaction_handler.sa_sigaction = { signal, info, _ in
        OutsideSignal.endIfOutside(info)
        Glibc.signal(signal, SIG_DFL)
        raise(signal)
      }
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER
      sigemptyset(&action.sa_mask)
      sigaction(signal, &action, nil)
    }
  }

  /// Ends the process where another one sent the signal; in a signal handler.
  ///
  /// Source: sigaction(2): a code of zero or less is that of a signal that a process sent.
  static func endIfOutside(_ info: UnsafeMutablePointer<siginfo_t>?) {
    guard let info, info.pointee.si_code <= 0, info.pointee._sifields._kill.si_pid != getpid() else { return }
    kill(getpid(), SIGKILL)
  }
}
