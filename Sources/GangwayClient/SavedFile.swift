@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Saving of files that features offer, for front ends on the user's machine.
@_spi(FrontEnd) public enum SavedFile {
  /// The reason why a file is not saved, for the user.
  public struct Failure: Error, CustomStringConvertible {
    /// The problem and its reason.
    public let description: String
  }

  /// Saves a copy of a file; an existing file is never replaced.
  ///
  /// - Parameters:
  ///   - file: the offered file.
  ///   - destination: a folder, or the path of the new file; nil for the user's folder for downloads.
  ///   - environment: the variables that name the folder: `XDG_DOWNLOAD_DIR`, `XDG_CONFIG_HOME` and `HOME`.
  /// - Returns: the path of the new file. In a folder, a name that exists gets a number: `list (2).csv`.
  /// - Throws: ``Failure``.
  public static func save(
    _ file: HandedFile, to destination: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> String {
    // Opening a pipe without O_NONBLOCK would block.
    let source = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    var status = stat()
    guard source >= 0, fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if source >= 0 { close(source) }
      throw Failure(
        description:
          "'\(file.name)' could not be saved, because the app has already deleted it. Get it in the app again.")
    }
    defer { close(source) }
    let (target, path) = try create(file.name, at: destination ?? folder(environment))
    defer { close(target) }
    do {
      try HandoverFolder.transfer(from: source, to: target)
      return path
    } catch {
      unlink(path)
      throw Failure(description: "'\(file.name)' was not saved. \(error)")
    }
  }

  private static func create(_ name: String, at destination: String) throws -> (descriptor: Int32, path: String) {
    var status = stat()
    let isFolder = stat(destination, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    for number in 1...(isFolder ? 1_000 : 1) {
      let path = !isFolder ? destination : "\(destination)/\(number == 1 ? name : HandedFile.numbered(name, number))"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (descriptor, path) }
      guard errno == EEXIST, isFolder else {
        throw Failure(description: "'\(name)' was not saved at \(path): \(String(cString: strerror(errno))).")
      }
    }
    throw Failure(description: "'\(name)' was not saved: \(destination) has 1,000 files of this name.")
  }

  /// Returns the user's folder for downloads: the one of the desktop, or `Downloads`, or the home folder.
  ///
  /// Source: xdg-user-dirs, `user-dirs.dirs(5)`.
  static func folder(_ environment: [String: String]) -> String {
    func isFolder(_ path: String) -> Bool {
      var status = stat()
      return path.hasPrefix("/") && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
    let home = environment["HOME"] ?? "/"
    if let named = environment["XDG_DOWNLOAD_DIR"], isFolder(named) { return named }
    let settings = (environment["XDG_CONFIG_HOME"] ?? "\(home)/.config") + "/user-dirs.dirs"
    let text = (try? String(contentsOfFile: settings, encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("XDG_DOWNLOAD_DIR=\"") && line.hasSuffix("\"") {
      let value = line.dropFirst("XDG_DOWNLOAD_DIR=\"".count).dropLast()
      let path = value.hasPrefix("$HOME") ? home + value.dropFirst("$HOME".count) : String(value)
      if isFolder(path) { return path }
    }
    return isFolder("\(home)/Downloads") ? "\(home)/Downloads" : home
  }
}
