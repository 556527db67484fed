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
    let folder = "\(path)/\(profile)"
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }
    guard names.count >= maximum else { return }
    let byAge = names.map { (path: "\(folder)/\($0)", id: String($0.dropLast(5))) }
      .map { (file: $0, time: Self.time(of: $0.path)) }.sorted { $0.time < $1.time }
    for (file, _) in byAge.prefix(names.count - maximum + 1) where !isOpen(file.id) {
      StateFile(path: file.path).remove()
    }
  }

  /// When a file was changed, in seconds and nanoseconds.
  private static func time(of path: String) -> (Int, Int) {
    var status = stat()
    return lstat(path, &status) == 0 ? (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) : (0, 0)
  }
}
