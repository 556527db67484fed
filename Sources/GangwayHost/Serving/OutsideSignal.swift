import Glibc

/// Signals from other processes, which are no evidence against plugins.
///
/// A host that receives one ends itself with `SIGKILL`, which its own code never sends. So an observer can tell such an
/// end from a crash.
enum OutsideSignal {
  /// The signals that end a process and that no fault raises.
  private static let signals = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

  /// Installs handlers that distinguish the process's own signals from those of others.
  static func install() {
    for signal in signals {
      var action = sigaction()
      // An ignored signal stays ignored.
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

  /// Ends the process if another one sent the signal. Runs in a signal handler.
  ///
  /// Source: sigaction(2): a signal that a process sent has a code of zero or less.
  static func endIfOutside(_ info: UnsafeMutablePointer<siginfo_t>?) {
    guard let info, info.pointee.si_code <= 0, info.pointee._sifields._kill.si_pid != getpid() else { return }
    kill(getpid(), SIGKILL)
  }
}
