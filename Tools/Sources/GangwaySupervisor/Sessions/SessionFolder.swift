@_spi(FrontEnd) import GangwayProtocol
import FoundationEssentials
import Glibc

/// The folder for the sessions of many users, which is limited in size.
///
/// Each profile has a subfolder, and each session has a file.
struct SessionFolder {
  let path: String
  /// The most stored sessions of a profile; the least recently changed one is removed first.
  let maximum: Int

  /// Returns the path of a session's file, which need not exist.
  func file(_ id: SessionID, of profile: String) -> String { "\(path)/\(profile)/\(id).json" }

  /// Makes room for one more session of a profile.
  ///
  /// - Parameter isOpen: returns whether a session is open; open sessions stay.
  func makeRoom(for profile: String, sparing isOpen: (SessionID) -> Bool) {
    let ids = stored(of: profile)
    guard ids.count >= maximum else { return }
    let byAge = ids.map { (id: $0, time: Self.time(of: file($0, of: profile))) }.sorted { $0.time < $1.time }
    for (id, _) in byAge.prefix(ids.count - maximum + 1) where !isOpen(id) {
      StateFile(path: file(id, of: profile)).remove()
    }
  }

  /// The total size in bytes of the copies of sessions from which a host removed everything.
  var sizeOfCopies: Int { KeptSession.all(in: path).reduce(0) { $0 + $1.size } }

  /// Removes these copies, when an app starts.
  func removeCopies() { for copy in KeptSession.all(in: path) { copy.remove() } }

  /// Returns whether a profile has any stored data.
  func hasFiles(of profile: String) -> Bool { access("\(path)/\(profile)", F_OK) == 0 }

  /// Removes all sessions of a profile, except those that an app has open.
  func removeAll(of profile: String) {
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
