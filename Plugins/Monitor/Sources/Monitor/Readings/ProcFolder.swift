import Glibc

/// The folder with the kernel's data about the machine: `/proc`, or a folder like it.
struct ProcFolder: Sendable {
  let path: String

  init(_ path: String = "/proc") { self.path = path }

  /// Returns the content of a file; nil if it does not exist or is unreadable.
  ///
  /// Such files have no length. So they are read to their end, at most 1 MiB.
  func text(_ name: String) -> String? {
    let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    while bytes.count < 1 << 20 {
      let read = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
        let count = Glibc.read(file, buffer.baseAddress, buffer.count)
        if count > 0 { bytes.append(contentsOf: buffer.prefix(count)) }
        return count
      }
      if read == 0 { break }
      // The process ended during the read.
      if read < 0 { return nil }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The ids of all processes.
  var processes: [Int32] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let first = entry.pointee.d_name.0
      guard first >= 48, first <= 57 else { continue }
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = Int32(name) { found.append(number) }
    }
    return found
  }

  /// Returns the owner of a process.
  func owner(of process: Int32) -> UInt32? {
    var status = stat()
    return stat("\(path)/\(process)", &status) == 0 ? status.st_uid : nil
  }
}

extension Substring {
  /// The columns of a line.
  var columns: [Substring] { split { $0 == " " || $0 == "\t" } }
}
