#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Synchronization

/// The folder through which files pass between front ends and features.
///
/// It belongs to this user alone. A file from the user is removed after the action that reads it. Of the files that a
/// session offers, the last ones stay. Any file may be removed after an hour without a change.
@_spi(FrontEnd) public struct HandoverFolder: Sendable {
  /// The reason why the folder, or a file in it, cannot be used.
  public struct Failure: Error, CustomStringConvertible {
    /// The problem, its reason and its fix. It may contain paths.
    public let description: String
    /// The reason of the file system, for users: without paths; nil if the description has none.
    package let reason: String?

    init(description: String, reason: String? = nil) { (self.description, self.reason) = (description, reason) }

    /// Creates the failure of a call of the C library.
    ///
    /// - Parameter number: the value of `errno`.
    init(_ problem: String, _ number: Int32) {
      let reason = number == EEXIST ? "there is a file with this name already" : String(cString: strerror(number))
      self.init(description: "\(problem): \(reason).", reason: reason)
    }
  }

  /// The path of the folder.
  public let path: String
  /// The time after which a file is removed, in seconds.
  private static let lifetime: Double = 3_600
  /// The time between two searches for old files, in seconds. A search reads the whole folder.
  private static let pause: Double = 60
  /// The times of the last searches, by folder.
  private static let searches = Mutex<[String: Double]>([:])

  /// Makes the folder, or checks the one that exists. At most once a minute, removes old files from it.
  ///
  /// - Parameter parent: the folder for temporary files; nil for the one in `TMPDIR`, or else `/tmp`.
  /// - Throws: ``Failure`` if others could read or replace the files, or the folder cannot be made.
  public init(in parent: String? = nil) throws {
    var parent = parent ?? ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
    while parent.count > 1, parent.hasSuffix("/") { parent.removeLast() }
    path = "\(parent.isEmpty ? "/tmp" : parent)/gangway-files-\(getuid())"
    mkdir(path, 0o700)
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw Failure("The folder \(path) cannot be created", errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(), status.st_mode & 0o077 == 0 else {
      throw Failure(
        description: "Other users could read or replace files in \(path). Remove it, and try again.",
        reason: "other users could open the folder for transferred files")
    }
    let (now, path) = (Date().timeIntervalSince1970, path)
    let isDue = Self.searches.withLock { searches in
      guard now - (searches[path] ?? 0) > Self.pause else { return false }
      searches[path] = now
      return true
    }
    if isDue { removeOld() }
  }

  /// Returns whether a path is one of a file in the folder.
  package func contains(_ file: String) -> Bool {
    let (bytes, folder) = (file.utf8, (path + "/").utf8)
    guard bytes.starts(with: folder) else { return false }
    let name = bytes.dropFirst(folder.count)
    return !name.isEmpty && !name.contains(UInt8(ascii: "/")) && !name.elementsEqual("..".utf8)
      && !name.elementsEqual(".".utf8)
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
      throw Failure("No file can be created in \(path)", errno)
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
      throw Failure("The file \(original) cannot be read", errno)
    }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure("\(original) is not a file.")
    }
    if let limit, Int(status.st_size) > limit { throw failure(FileSize.tooLarge(Int(status.st_size), limit: limit)) }
    let (path, target) = try make()
    defer { close(target) }
    do {
      try Self.transfer(from: source, to: target, limit: limit)
      return path
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
      throw Failure("The file cannot be written", problem)
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

  /// Moves a file, and never replaces another one.
  ///
  /// - Throws: ``Failure`` if the destination exists, or if the file cannot be written there. The file is then still in
  ///   its place.
  package static func move(_ file: String, to destination: String) throws {
    func failure(_ number: Int32) -> Failure {
      Failure("The file cannot be moved to \(destination)", number)
    }
    // Unlike rename(2), link(2) fails if the destination exists.
    if link(file, destination) == 0 {
      unlink(file)
      return
    }
    guard errno != EEXIST else { throw failure(errno) }
    // The destination is on another file system, or links are not allowed.
    let source = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard source >= 0 else { throw failure(errno) }
    defer { close(source) }
    let target = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw failure(errno) }
    defer { close(target) }
    do {
      try transfer(from: source, to: target)
    } catch {
      // Only this call has made the file.
      unlink(destination)
      throw error
    }
    unlink(file)
  }

  /// Copies all bytes from one descriptor to another.
  ///
  /// - Parameter limit: the most bytes; nil for no limit.
  /// - Throws: ``Failure`` if a byte cannot be read or written, or beyond the limit.
  package static func transfer(from source: Int32, to target: Int32, limit: Int? = nil) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var copied = 0
    while true {
      let count = read(source, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure("The file cannot be read", errno)
      }
      guard count > 0 else { return }
      copied += count
      if let limit, copied > limit { throw Failure(description: FileSize.tooLarge(copied, limit: limit)) }
      try write(buffer[..<count], to: target)
    }
  }

  /// Removes a file of the folder; does nothing for any other path.
  package func remove(_ file: String) {
    if contains(file) { unlink(file) }
  }

  /// Removes files that have not changed for an hour.
  func removeOld() {
    let oldest = Date().timeIntervalSince1970 - Self.lifetime
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      var status = stat()
      let file = "\(path)/\(name)"
      guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if Double(status.st_mtim.tv_sec) < oldest { unlink(file) }
    }
  }
}
