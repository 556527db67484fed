import Glibc
import SystemPackage

/// Both ends of the channels between a host and its supervisor; creation opens all of them or none.
struct HostDescriptors: Sendable {
  /// Messages to the host.
  let input: Int32
  /// Messages from the host.
  let output: Int32
  /// The host's standard error.
  let printed: Int32
  let hostInput: FileDescriptor
  let hostOutput: FileDescriptor
  let hostErrors: FileDescriptor

  /// Opens the descriptors so that no other process inherits them.
  ///
  /// - Throws: the system's error if a descriptor cannot be opened; nothing stays open then.
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
    // A socket, not pipes: a plugin cannot open a socket through its entry in /proc.
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
