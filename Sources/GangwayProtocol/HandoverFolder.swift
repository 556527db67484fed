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

/// The folder through which files pass between front ends and features.
///
/// It belongs to this user alone. A file there is removed by its reader, or after an hour without a change.
@_spi(FrontEnd) public struct HandoverFolder: Sendable {
  /// The reason why the folder, or a file in it, cannot be used.
  public struct Failure: Error, CustomStringConvertible {
    /// The problem, its reason and its fix.
    public let description: String
  }

  /// The path of the folder.
  public let path: String
  /// The time after which a file is removed, in seconds.
  private static let lifetime: Double = 3_600

  /// Makes the folder, or checks the one that exists, and removes old files from it.
  ///
  /// - Parameter parent: the folder for temporary files; nil for the one in `TMPDIR`, or else `/tmp`.
  /// - Throws: ``Failure`` if others could read or replace the files, or the folder cannot be made.
  public init(in parent: String? = nil) throws {
    let files = FileManager.default
    var parent = parent ?? ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
    while parent.count > 1, parent.hasSuffix("/") { parent.removeLast() }
    path = "\(parent.isEmpty ? "/tmp" : parent)/gangway-files-\(getuid())"
    try? files.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw Failure(description: "The folder \(path) cannot be made: \(String(cString: strerror(errno))).")
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(), status.st_mode & 0o077 == 0 else {
      throw Failure(
        description: "Other users could read or replace files in \(path). Remove it, and try again.")
    }
    removeOld()
  }

  /// Returns whether a path is one of a file in the folder.
  package func contains(_ file: String) -> Bool {
    guard file.hasPrefix(path + "/") else { return false }
    let name = file.dropFirst(path.utf8.count + 1)
    return !name.isEmpty && !name.contains("/") && name != ".." && name != "."
  }

  /// Makes an empty file with a name that nobody can guess.
  ///
  /// - Returns: its path, and a descriptor to write with, which the caller closes.
  /// - Throws: ``Failure`` if the file cannot be made.
  public func make() throws -> (path: String, descriptor: Int32) {
    let numbers = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }
    let file = "\(path)/\(numbers.joined())"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw Failure(description: "No file can be made in \(path): \(String(cString: strerror(errno))).")
    }
    return (file, descriptor)
  }

  /// Makes a file with a content.
  ///
  /// - Returns: its path.
  /// - Throws: ``Failure`` if the file cannot be made or written.
  package func make(holding bytes: [UInt8]) throws -> String {
    let (path, descriptor) = try make()
    defer { close(descriptor) }
    do {
      try Self.write(bytes, to: descriptor)
    } catch {
      unlink(path)
      throw error
    }
    return path
  }

  /// Returns the number of bytes of a regular file; nil if there is none at the path.
  package static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Returns the first bytes of a file, at most 4,096; empty if the file cannot be read.
  package static func beginning(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(descriptor, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }

  /// Copies a file into the folder, and never links to it, so that a feature cannot change the original.
  ///
  /// - Parameters:
  ///   - original: the path of a regular file.
  ///   - limit: the most bytes to copy; nil for no limit.
  /// - Returns: the path of the copy.
  /// - Throws: ``Failure`` if there is no such file, if it is too long, or if it cannot be read or written.
  public func copy(_ original: String, limit: Int?) throws -> String {
    func failure(_ reason: String) -> Failure { Failure(description: reason) }
    // Opening a pipe without O_NONBLOCK would block.
    let source = open(original, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard source >= 0 else {
      throw failure("The file \(original) cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure("\(original) is not a file.")
    }
    if let limit, Int(status.st_size) > limit { throw failure(FileSize.tooLarge(Int(status.st_size), limit: limit)) }
    let (path, target) = try make()
    defer { close(target) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var copied = 0
    do {
      while true {
        let count = read(source, &buffer, buffer.count)
        guard count >= 0 else {
          throw failure("The file \(original) cannot be read: \(String(cString: strerror(errno))).")
        }
        guard count > 0 else { return path }
        copied += count
        if let limit, copied > limit { throw failure(FileSize.tooLarge(copied, limit: limit)) }
        try Self.write(buffer[..<count], to: target)
      }
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Writes all bytes to a descriptor.
  ///
  /// - Throws: ``Failure`` if the disk is full, or for another error of the file system.
  package static func write(_ bytes: some ContiguousBytes, to descriptor: Int32) throws {
    let problem = bytes.withUnsafeBytes { bytes -> Int32? in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Self.writeSome(descriptor, rest)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return errno }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return nil
    }
    if let problem {
      throw Failure(description: "The file cannot be written: \(String(cString: strerror(problem))).")
    }
  }

  private static func writeSome(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Removes a file of the folder; does nothing for any other path.
  package func remove(_ file: String) {
    if contains(file) { unlink(file) }
  }

  private func removeOld() {
    let oldest = Date().timeIntervalSince1970 - Self.lifetime
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      var status = stat()
      let file = "\(path)/\(name)"
      guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if Double(status.st_mtim.tv_sec) < oldest { unlink(file) }
    }
  }
}
