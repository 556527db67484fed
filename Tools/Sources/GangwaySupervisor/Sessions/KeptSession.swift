import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A copy of a session from which a host removed everything that was open.
///
/// The copy stays beside the session's file until the app starts again.
@_spi(FrontEnd) public struct KeptSession: Sendable {
  /// The most bytes that all copies together may take.
  static let maximumSize = 100 << 20
  private static let ending = ".removed"

  /// The session's own file.
  public let path: String

  /// Names the copy of a session, which need not exist.
  ///
  /// - Parameter path: the session's file.
  public init(of path: String) { self.path = path }

  /// The file of the copy.
  public var copy: String { path + Self.ending }

  /// Returns the copies for a single-session file and for a folder of profiles, sorted by path.
  ///
  /// - Parameters:
  ///   - file: the file of an app with one session.
  ///   - folder: a folder with a subfolder for each profile.
  public static func all(file: String, folder: String) -> [KeptSession] {
    let single = KeptSession(of: file)
    return (single.exists ? [single] : []) + all(in: folder)
  }

  static func all(in folder: String) -> [KeptSession] {
    func names(_ path: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
    return names(folder).flatMap { profile in
      names("\(folder)/\(profile)").filter { $0.hasSuffix(ending) }.map {
        KeptSession(of: "\(folder)/\(profile)/\($0.dropLast(ending.count))")
      }
    }
  }

  /// The number of open screens; nil if the copy cannot be read.
  public var screens: Int? {
    switch StateFile(path: copy).read(settingAside: false) {
    case .checkpoint(let checkpoint), .partial(let checkpoint, _): checkpoint.openCount
    case .nothing, .notNow, .setAside: nil
    }
  }

  /// The time of the copy in seconds since 1970.
  public var time: Int {
    var status = stat()
    return lstat(copy, &status) == 0 ? status.st_mtim.tv_sec : 0
  }

  /// Moves the copy to the session's path and sets an existing session aside.
  ///
  /// - Returns: the new path of the existing session; nil if there was none.
  /// - Throws: ``SupervisorFailure`` if an app has the session open, or the files cannot be moved; nothing is lost.
  public func restore() throws -> String? {
    let lock: SessionLock
    switch SessionLock.take(path) {
    case .taken(let taken): lock = taken
    case .inUse(let process):
      throw SupervisorFailure(Words.Kept.isOpen(path, process: process))
    case .impossible, .notNow:
      throw SupervisorFailure(Words.Kept.notLocked(path, reason: String(cString: strerror(errno))))
    }
    return try withExtendedLifetime(lock) {
      guard exists else { throw SupervisorFailure(Words.Kept.noCopy(path)) }
      var former: String?
      if access(path, F_OK) == 0 {
        former = StateFile(path: path).moveAside()
        guard former != nil else {
          throw SupervisorFailure(Words.Kept.notMoved(path, reason: String(cString: strerror(errno))))
        }
      }
      guard rename(copy, path) == 0 else {
        let reason = String(cString: strerror(errno))
        if let former { rename(former, path) }
        throw SupervisorFailure(Words.Kept.notMoved(copy, reason: reason))
      }
      return former
    }
  }

  // MARK: The app's side

  private var exists: Bool { access(copy, F_OK) == 0 }

  /// The size of the copy in bytes.
  var size: Int {
    var status = stat()
    return lstat(copy, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Writes a copy, unless there is already one with at least as many screens.
  ///
  /// - Parameter room: the maximum size in bytes.
  /// - Returns: whether there is a copy now.
  func keep(_ checkpoint: Checkpoint, room: Int) -> Bool {
    if exists, let screens, screens >= checkpoint.openCount { return true }
    guard let new = try? StateFile(path: copy).writeBeside(checkpoint) else { return false }
    close(new.descriptor)
    guard new.size <= room, rename(new.path, copy) == 0 else {
      unlink(new.path)
      return false
    }
    return true
  }

  /// Removes the copy.
  func remove() { unlink(copy) }
}

extension Checkpoint {
  /// The number of open screens: all entries except the root and the tabs.
  fileprivate var openCount: Int { records.values.count { $0.style != "root" && $0.style != "tab" } }

  /// Returns whether a change removes every open screen and adds none.
  func isEmptied(by change: Change) -> Bool {
    guard !change.removed.isEmpty, openCount > 0 else { return false }
    let removed = Set(change.removed)
    let isEveryScreenRemoved = records.values.allSatisfy {
      $0.style == "root" || $0.style == "tab" || removed.contains($0.id)
    }
    return isEveryScreenRemoved && change.changed.allSatisfy { records[$0.id] != nil && !removed.contains($0.id) }
  }
}
