@_spi(FrontEnd) import GangwayProtocol
import FoundationEssentials
import Glibc

/// Sessions of many users in a folder of limited size.
///
/// Each profile has a subfolder, and each session has a file.
final class FileStorage: SessionStorage {
  private let path: String
  /// The most stored sessions of a profile; the least recently changed one is removed first.
  private let maximum: Int
  /// Returns the operations that store one session.
  private let disk: @MainActor () -> SessionDisk

  /// Stores sessions in a folder, which need not exist.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - maximum: the most stored sessions of a profile; a new one replaces the least recently changed one.
  ///   - disk: returns the operations that store one session.
  init(path: String, maximum: Int, disk: @escaping @MainActor () -> SessionDisk = { SessionDisk() }) {
    (self.path, self.maximum, self.disk) = (path, maximum, disk)
  }

  private func file(_ id: SessionID, of profile: String) -> String { "\(path)/\(profile)/\(id).json" }

  func open(_ id: SessionID, of profile: String) async throws(SupervisorFailure) -> OpenedSession {
    try begin(id, of: profile)
  }

  func begin(_ id: SessionID, of profile: String) throws(SupervisorFailure) -> OpenedSession {
    let file = file(id, of: profile)
    if access(file, F_OK) != 0 { makeRoom(for: profile) }
    var disk = disk()
    disk.roomForCopy = { [weak self] in KeptSession.maximumSize - (self?.sizeOfCopies ?? 0) }
    return try SessionStore.open(file, isFresh: false, disk)
  }

  func isStored(_ id: SessionID, of profile: String) -> Bool { access(file(id, of: profile), F_OK) == 0 }

  /// Makes room for one more session of a profile. Sessions that an app has open stay.
  private func makeRoom(for profile: String) {
    let ids = stored(of: profile)
    guard ids.count >= maximum else { return }
    let byAge = ids.map { (id: $0, time: Self.time(of: file($0, of: profile))) }.sorted { $0.time < $1.time }
    for (id, _) in byAge.prefix(ids.count - maximum + 1) { StateFile(path: file(id, of: profile)).remove() }
  }

  /// The total size in bytes of the copies of sessions from which a host removed everything.
  private var sizeOfCopies: Int { KeptSession.all(in: path).reduce(0) { $0 + $1.size } }

  func removeCopies() { for copy in KeptSession.all(in: path) { copy.remove() } }

  func hasSessions(of profile: String) -> Bool { access("\(path)/\(profile)", F_OK) == 0 }

  func removeSessions(of profile: String) {
    for id in stored(of: profile) { StateFile(path: file(id, of: profile)).remove() }
    // The folder stays if it is not empty.
    rmdir("\(path)/\(profile)")
  }

  /// Returns the names of a profile's sessions.
  private func stored(of profile: String) -> [SessionID] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(profile)")) ?? [])
      .filter { $0.hasSuffix(".json") }.map { SessionID(rawValue: String($0.dropLast(5))) }
  }

  /// Returns the modification time of a file, in seconds and nanoseconds.
  private static func time(of path: String) -> (Int, Int) {
    var status = stat()
    return lstat(path, &status) == 0 ? (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) : (0, 0)
  }
}
