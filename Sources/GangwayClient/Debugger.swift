/// Whether somebody looks into a process, in which case no deadline counts.
public enum Debugger {
  /// The process that traces another, as the kernel says in `/proc/PID/status`; nil where none does.
  public static func tracer(of process: Int32) -> Int32? {
    ProcessStatus.field("TracerPid", of: process).flatMap { Int32($0) }.flatMap { $0 == 0 ? nil : $0 }
  }

  /// Whether a debugger, or another tracer, is attached to a process.
  public static func isAttached(to process: Int32) -> Bool { tracer(of: process) != nil }
}
