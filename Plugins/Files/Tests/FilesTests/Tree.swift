import Foundation
import Glibc

@testable import Files

/// A folder with files for a test.
final class Tree {
  /// A folder of this tree alone, so that the parent of the tree changes only by the test.
  private let parent = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)")
  let url: URL
  var path: EscapedPath { EscapedPath(bytes: url.path.utf8) }

  init() throws {
    url = parent.appending(path: "tree")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: parent) }

  func file(_ name: String, _ data: Data = Data()) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  func file(_ name: String, _ text: String) throws { try file(name, Data(text.utf8)) }

  func folder(_ name: String) throws {
    try FileManager.default.createDirectory(at: url.appending(path: name), withIntermediateDirectories: true)
  }

  func link(_ name: String, to target: String) { symlink(target, url.path + "/" + name) }

  /// Creates a file with any bytes as its name.
  func file(bytes name: [UInt8]) {
    let path = Array(url.path.utf8) + [47] + name + [0]
    close(open(path.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600))
  }
}
