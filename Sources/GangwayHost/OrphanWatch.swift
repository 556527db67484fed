import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
import Glibc

/// A watcher that waits for the end of a supervisor, then ends the processes that its hosts and plugins left behind.
///
/// Only the supervisor holds the other end of standard input, so the input closes however the supervisor ends.
enum OrphanWatch {
  /// The time for hosts to end by themselves after the end of their supervisor: the same as after `quit`.
  private static let grace: Duration = .seconds(1)

  /// Watches until the supervisor ends, then ends the processes left behind.
  ///
  /// - Parameters:
  ///   - marker: the value of ``OrphanProcesses/hostVariable`` in the processes.
  ///   - group: the control group of the processes, if there is one.
  static func run(_ marker: String, _ group: ControlGroup?) -> Int32 {
    // A signal to all processes of an app is meant for its supervisor. The watcher continues until the supervisor ends.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_IGN) }
    // Keep no file open and no folder in use for the process that started the supervisor.
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
