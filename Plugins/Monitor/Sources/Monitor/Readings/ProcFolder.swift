import Glibc

/// The files in which the kernel says how the machine is: `/proc`, or a folder like it.
struct ProcFolder: Sendable {
  let path: String

  init(_ path: String = "/proc") { self.path = path }

  /// What a file says now; nil where it is not there, or may not be read.
  ///
  /// Such files have no length: they are read until there is no more, 1 MiB at the most.
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
      // A process that ends while it is read.
      if read < 0 { return nil }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The numbers of the processes there are.
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

  /// Who owns a process.
  func owner(of process: Int32) -> UInt32? {
    var status = stat()
    return stat("\(path)/\(process)", &status) == 0 ? status.st_uid : nil
  }
}

extension Substring {
  /// The columns of a line.
  var columns: [Substring] { split { $0 == " " || $0 == "\t" } }
}
