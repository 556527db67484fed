@_spi(FrontEnd) import GangwayClient
import Glibc

extension Debugger {
  /// Waits until a debugger is attached to this process.
  static func waitForOne() async {
    Console.complain(
      "gangway-host: process \(getpid()) waits for a debugger before it loads anything. "
        + "Run lldb -p \(getpid()), or gdb -p \(getpid()).")
    while !isAttached(to: getpid()) { try? await Task.sleep(for: .milliseconds(50)) }
  }
}
