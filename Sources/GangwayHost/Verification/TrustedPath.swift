import Glibc

/// A path without links, which only root and this user can direct to another file.
///
/// Root or this user owns every folder and every link on the way. Other users can write only to sticky folders, where
/// they can neither rename nor remove files that are not theirs.
///
/// This type follows links one by one, instead of the system, so a checked target of a link stays valid. Nobody else
/// can change anything between a check of ``resolved`` and its load.
///
/// Sources of the rules: inode(7) on sticky folders (`S_ISVTX`), path_resolution(7) on links.
struct TrustedPath {
  /// The path without links, from the root folder.
  let resolved: String
  /// The most links in a path, the same as the system's limit.
  private static let maximumLinks = 40

  /// Follows a path.
  ///
  /// - Parameters:
  ///   - path: the path of a file or folder. A relative path begins in the working folder.
  ///   - isFolder: whether the path names a folder, which then gets the same checks as the folders on the way.
  /// - Throws: a refusal at the step `find` if nothing is there, and at `trust` if another user can change the way.
  init(_ path: String, isFolder: Bool = false) throws(Refusal) {
    var rest = Self.components(path)
    if !path.hasPrefix("/") { rest += Self.components(try Self.workingFolder(path)) }
    var walked = ""
    var links = 0
    try Self.checkFolder("/", Self.status(of: "/", in: path), isNearest: rest.count == (isFolder ? 0 : 1))
    while let next = rest.popLast() {
      if next == ".." {
        walked = String(walked[..<(walked.lastIndex(of: "/") ?? walked.startIndex)])
        continue
      }
      let place = "\(walked)/\(next)"
      let status = try Self.status(of: place, in: path)
      if status.st_mode & S_IFMT == S_IFLNK {
        try TrustedFile.checkOwner(status, "the link '\(place)'")
        links += 1
        guard links <= Self.maximumLinks else { throw TrustedFile.cannotOpen(path, ELOOP) }
        let target = try Self.target(of: place, in: path)
        if target.hasPrefix("/") { walked = "" }
        rest += Self.components(target)
        continue
      }
      walked = place
      guard isFolder || !rest.isEmpty else { break }
      try Self.checkFolder(place, status, isNearest: rest.count == (isFolder ? 0 : 1))
    }
    resolved = walked.isEmpty ? "/" : walked
  }

  private static func checkFolder(_ folder: String, _ status: stat, isNearest: Bool) throws(Refusal) {
    try TrustedFile.checkOwner(status, isNearest ? "its folder '\(folder)'" : "the folder '\(folder)' above it")
  }

  /// Returns the parts of a path, the last one first.
  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").reversed().filter { $0 != "." }.map(String.init)
  }

  private static func status(of place: String, in path: String) throws(Refusal) -> stat {
    var status = stat()
    guard lstat(place, &status) == 0 else { throw TrustedFile.cannotOpen(path, errno) }
    return status
  }

  private static func target(of link: String, in path: String) throws(Refusal) -> String {
    try text(path) { readlink(link, $0, $1) }
  }

  private static func workingFolder(_ path: String) throws(Refusal) -> String {
    try text(path) { getcwd($0, $1).map { strlen($0) } ?? -1 }
  }

  private static func text(
    _ path: String, _ fill: (UnsafeMutablePointer<CChar>, Int) -> Int
  ) throws(Refusal) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = buffer.withUnsafeMutableBufferPointer { $0.baseAddress.map { fill($0, Int(PATH_MAX)) } ?? -1 }
    guard length > 0 else { throw TrustedFile.cannotOpen(path, length == 0 ? ENOENT : errno) }
    return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
