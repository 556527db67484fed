import Glibc
import SystemPackage

/// Both ends of what a host and its supervisor say to each other, all of which are there or none.
struct HostDescriptors: Sendable {
  /// Messages to the host.
  let input: Int32
  /// Messages from the host.
  let output: Int32
  /// What the host prints.
  let printed: Int32
  let hostInput: FileDescriptor
  let hostOutput: FileDescriptor
  let hostErrors: FileDescriptor

  /// Opens them; none is left to another process.
  ///
  /// - Throws: the system's error where there are too few, and nothing stays open then.
  init() throws(Errno) {
    var opened: [Int32] = []
    func open(_ call: (UnsafeMutablePointer<Int32>) -> Int32) throws(Errno) -> (Int32, Int32) {
      var ends: [Int32] = [0, 0]
      guard call(&ends) == 0 else { throw Self.failure(closing: opened) }
      opened += ends
      return (ends[0], ends[1])
    }
    func duplicate(_ original: Int32) throws(Errno) -> Int32 {
      let copy = fcntl(original, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw Self.failure(closing: opened) }
      opened.append(copy)
      return copy
    }
    // A socket, not pipes: what a plugin sees of it in /proc cannot be opened from there.
    let (ours, theirs) = try open { socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, $0) }
    let (readEnd, writeEnd) = try open { pipe($0) }
    for end in [readEnd, writeEnd] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (output, printed) = (ours, readEnd)
    input = try duplicate(ours)
    (hostInput, hostErrors) = (FileDescriptor(rawValue: theirs), FileDescriptor(rawValue: writeEnd))
    hostOutput = FileDescriptor(rawValue: try duplicate(theirs))
  }

  private static func failure(closing opened: [Int32]) -> Errno {
    let reason = Errno(rawValue: errno)
    for descriptor in opened { close(descriptor) }
    return reason
  }
}
