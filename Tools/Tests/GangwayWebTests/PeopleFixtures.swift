import Foundation

@_spi(FrontEnd) @testable import GangwayWeb

/// A disk that a test fills up, and whose reads a test cuts off.
@MainActor final class TroubledDisk {
  /// The number of bytes that each write may write.
  var room = Int.max
  /// The number of bytes that a read returns at most; -1 if reads fail.
  var readable = Int.max

  /// The operations of a list on this disk.
  var operations: PeopleFile.Disk {
    .init(
      read: { [self] descriptor, buffer in
        guard readable >= 0 else {
          errno = EIO
          return -1
        }
        return pread(descriptor, buffer.baseAddress, min(readable, buffer.count), 0)
      },
      write: { [self] bytes, descriptor in
        let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, min(room, $0.count)) }
        if count == bytes.count { return true }
        errno = ENOSPC
        return false
      })
  }
}

extension People {
  /// Reads the users in a file, as a site does.
  convenience init(file: String?, limits: WebLimits = WebLimits()) throws {
    try self.init(PeopleFile(path: file), limits: limits)
  }
}
