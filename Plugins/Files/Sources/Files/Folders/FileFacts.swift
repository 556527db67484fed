import Foundation
import Glibc

/// The kind of a file.
enum FileKind: Codable, Hashable, Sendable {
  case folder
  case file
  case link
  case pipe
  case socket
  case device
  case unknown

  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFDIR: self = .folder
    case S_IFREG: self = .file
    case S_IFLNK: self = .link
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    case S_IFBLK, S_IFCHR: self = .device
    default: self = .unknown
    }
  }

  /// Makes a kind from the type that `readdir` returns.
  init(entry: UInt8) {
    switch Int(entry) {
    case Int(DT_DIR): self = .folder
    case Int(DT_REG): self = .file
    case Int(DT_LNK): self = .link
    case Int(DT_FIFO): self = .pipe
    case Int(DT_SOCK): self = .socket
    case Int(DT_BLK), Int(DT_CHR): self = .device
    default: self = .unknown
    }
  }

  var word: String {
    switch self {
    case .folder: "folder"
    case .file: "file"
    case .link: "link"
    case .pipe: "pipe"
    case .socket: "socket"
    case .device: "device"
    case .unknown: "something else"
    }
  }

  var symbol: String {
    switch self {
    case .folder: "▸"
    case .file: "·"
    case .link: "→"
    case .pipe, .socket: "="
    case .device, .unknown: "*"
    }
  }
}

/// The system's data about a file.
struct FileFacts: Sendable, Equatable {
  let kind: FileKind
  let size: Int64
  let changed: Date
  let mode: mode_t
  let owner: UInt32

  /// Reads the data of a file.
  ///
  /// - Parameter follows: whether to read the target if the file is a link.
  /// - Throws: ``FileError``.
  init(_ path: EscapedPath, follows: Bool = false) throws {
    var status = stat()
    guard path.withPointer({ follows ? stat($0, &status) : lstat($0, &status) }) == 0 else {
      throw FileError(errno, path)
    }
    self.init(status)
  }

  init(_ status: stat) {
    kind = FileKind(mode: status.st_mode)
    size = Int64(status.st_size)
    let time = status.st_mtim
    changed = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    mode = status.st_mode
    owner = status.st_uid
  }

  /// The permissions in the format of `ls`: rwxr-x---.
  var rights: String {
    (0..<9).map { bit in mode & (0o400 >> bit) != 0 ? ["r", "w", "x"][bit % 3] : "-" }.joined()
  }

  var ownerName: String { getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "\(owner)" }

  /// Returns a number of bytes as text for users.
  static func bytes(_ count: Int64) -> String {
    var value = Double(count)
    for unit in ["B", "kB", "MB", "GB", "TB"] {
      if value < 999.5 {
        if unit == "B" { return "\(count) B" }
        let tenths = Int((value * 10).rounded())
        return value < 9.95 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(value.rounded())) \(unit)"
      }
      value /= 1_000
    }
    return "\(Int(value.rounded())) PB"
  }
}

/// An error, with the reason why a file cannot be read, for the user.
struct FileError: Error, CustomStringConvertible, Equatable {
  let description: String
  /// Whether the file is gone.
  let isGone: Bool

  init(_ code: Int32, _ path: EscapedPath) {
    isGone = code == ENOENT || code == ENOTDIR
    let why =
      switch code {
      case EACCES, EPERM: "You don't have permission."
      case ENOENT: "It is gone."
      case ENOTDIR: "It is no longer a folder."
      case ELOOP: "Its links form a circle."
      case ENAMETOOLONG: "Its path is too long. Move it to a folder with a shorter path."
      case EMFILE, ENFILE: "Too many files are open. Close some apps."
      default: "\(String(cString: strerror(code)))."
      }
    description = "Could not read '\(path.name)': \(why)"
  }

  init(_ path: EscapedPath, _ why: String) {
    (description, isGone) = ("Could not show '\(path.name)': \(why)", false)
  }
}
