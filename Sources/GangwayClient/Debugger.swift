/// Detection of a debugger on a process, which suspends all deadlines.
@_spi(FrontEnd) public enum Debugger {
  /// Returns the process that traces another, from `/proc/PID/status`; nil if there is none.
  package static func tracer(of process: Int32) -> Int32? {
    ProcessStatus.field("TracerPid", of: process).flatMap { Int32($0) }.flatMap { $0 == 0 ? nil : $0 }
  }

  /// Returns whether a debugger, or another tracer, is attached to a process.
  public static func isAttached(to process: Int32) -> Bool { tracer(of: process) != nil }
}
