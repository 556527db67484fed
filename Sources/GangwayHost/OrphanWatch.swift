import FoundationEssentials
import GangwayClient
import Glibc

/// Waits for the end of a supervisor, and then ends what its hosts and their plugins left behind.
///
/// The supervisor has the other end of standard input, and nobody else has: it closes however the supervisor ends.
enum OrphanWatch {
  /// How long hosts have to end by themselves when their supervisor is gone: as long as on `quit`.
  private static let grace: Duration = .seconds(1)

  /// Watches until the end.
  ///
  /// - Parameters:
  ///   - marker: the value of ``OrphanProcesses/hostVariable`` that the processes have.
  ///   - group: the group that they are in, where there is one.
  static func run(_ marker: String, _ group: ControlGroup?) -> Int32 {
    // A signal for all processes of an app is for its supervisor: the watcher goes on until that has ended.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_IGN) }
    // Nothing is kept open or in use for whoever started the supervisor.
    closeOthers()
    chdir("/")
    waitForEnd()
    let orphans = OrphanProcesses(variable: OrphanProcesses.hostVariable, marker: marker)
    let deadline = ContinuousClock.now + grace
    while ContinuousClock.now < deadline, group?.isPopulated ?? false || orphans.exist { usleep(20_000) }
    group?.end()
    orphans.end()
    return 0
  }

  private static func closeOthers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for number in names.compactMap({ Int32($0) }) where number > STDERR_FILENO { close(number) }
  }

  private static func waitForEnd() {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 0 || (count < 0 && errno != EINTR) { return }
    }
  }
}
