@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Comparison of screens with files.
extension FlowTester {
  /// Compares the visible screen, as text, with its recorded file.
  ///
  /// The file is beside the test's own, in `Snapshots/TESTFILE/TEST.NAME.txt`. If the environment variable
  /// `RECORD_SNAPSHOTS` is 1, the file is written instead.
  ///
  /// - Parameter name: distinguishes several snapshots of one test.
  /// - Throws: ``FlowFailure`` with the differing lines.
  public func snapshot(
    _ name: String? = nil, path: String = #filePath, function: String = #function, file: String = #fileID,
    line: Int = #line
  ) throws {
    let place = SourcePlace(file: file, line: line)
    let test = URL(filePath: path)
    let title = String(function.prefix { $0 != "(" }) + (name.map { ".\($0)" } ?? "")
    let folder = test.deletingLastPathComponent()
      .appending(path: "Snapshots").appending(path: test.deletingPathExtension().lastPathComponent)
    let snapshot = folder.appending(path: "\(title).txt")
    let now = screen + "\n"
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(now.utf8).write(to: snapshot, options: .atomic)
      } catch {
        throw FlowFailure("The snapshot \(snapshot.path) cannot be written: \(error.reason)", at: place)
      }
      return
    }
    guard let data = try? Data(contentsOf: snapshot) else {
      throw FlowFailure(
        "There is no snapshot \(snapshot.path). Check the screen below, and record it with "
          + "RECORD_SNAPSHOTS=1.\n\(screen)",
        at: place)
    }
    let recorded = String(decoding: data, as: UTF8.self)
    guard recorded != now else { return }
    throw FlowFailure(
      "The screen differs from \(snapshot.path) (- recorded, + now):\n" + Self.difference(recorded, now)
        + "\nIf the change is right, record it with RECORD_SNAPSHOTS=1.", at: place)
  }

  /// Returns the lines of both texts, and marks those of only one.
  static func difference(_ first: String, _ second: String) -> String {
    let old = first.split(separator: "\n", omittingEmptySubsequences: false)
    let new = second.split(separator: "\n", omittingEmptySubsequences: false)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [String] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if i < old.count, removed.contains(i) {
        lines.append("- \(old[i])")
        i += 1
      } else if j < new.count, inserted.contains(j) {
        lines.append("+ \(new[j])")
        j += 1
      } else {
        if j < new.count { lines.append("  \(new[j])") }
        (i, j) = (i + 1, j + 1)
      }
    }
    while lines.last == "  " { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}
