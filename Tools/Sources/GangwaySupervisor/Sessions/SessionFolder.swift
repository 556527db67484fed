import FoundationEssentials
import Glibc

/// Where the sessions of many people are kept: a folder for each person, a file for each session; kept from growing without end.
struct SessionFolder {
  let path: String
  /// How many sessions of a person are kept; the one that was changed longest ago goes first.
  let maximum: Int

  /// The path of a session's file, which need not exist.
  func file(_ id: String, of profile: String) -> String { "\(path)/\(profile)/\(id).json" }

  /// Makes room for one more session of a person.
  ///
  /// - Parameter isOpen: says of a session's name whether it runs: those stay.
  func makeRoom(for profile: String, sparing isOpen: (String) -> Bool) {
    let ids = stored(of: profile)
    guard ids.count >= maximum else { return }
    let byAge = ids.map { (id: $0, time: Self.time(of: file($0, of: profile))) }.sorted { $0.time < $1.time }
    for (id, _) in byAge.prefix(ids.count - maximum + 1) where !isOpen(id) {
      StateFile(path: file(id, of: profile)).remove()
    }
  }

  /// How many bytes the copies take that are kept of sessions from which a host removed everything.
  var sizeOfCopies: Int { KeptSession.all(in: path).reduce(0) { $0 + $1.size } }

  /// Removes those copies, as an app does that starts.
  func removeCopies() { for copy in KeptSession.all(in: path) { copy.remove() } }

  /// Whether anything is kept of a person.
  func hasFiles(of profile: String) -> Bool { access("\(path)/\(profile)", F_OK) == 0 }

  /// Forgets a person, but for what an app has open.
  func removeAll(of profile: String) {
    for id in stored(of: profile) { StateFile(path: file(id, of: profile)).remove() }
    // It is empty, or stays.
    rmdir("\(path)/\(profile)")
  }

  /// The names of a person's sessions.
  private func stored(of profile: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(profile)")) ?? [])
      .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
  }

  /// When a file was changed, in seconds and nanoseconds.
  private static func time(of path: String) -> (Int, Int) {
    var status = stat()
    return lstat(path, &status) == 0 ? (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) : (0, 0)
  }
}
