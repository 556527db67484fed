import Foundation
@_spi(FrontEnd) @testable import GangwayProtocol
import Testing

@Suite struct HandedFileTests {
  @Test(arguments: [
    ("list.csv", "list.csv"), ("/etc/passwd", "passwd"), ("..", "file"), ("../../x", "x"),
    ("C:\\Users\\a.txt", "a.txt"),
    (".bashrc", "bashrc"), ("", "file"), (" . ", "file"), ("a\u{0}b\n.txt", "ab.txt"), ("gpj.\u{202E}exe", "gpj.exe"),
    (String(repeating: "ü", count: 300) + ".pdf", String(repeating: "ü", count: 125) + ".pdf"),
    ("a." + String(repeating: "x", count: 300), "a." + String(repeating: "x", count: 253)), ("漢字.txt", "漢字.txt"),
    ("a b.txt ", "a b.txt"),
  ])
  func aNameIsSafe(_ name: String, _ safe: String) {
    #expect(HandedFile.safeName(name) == safe)
    #expect(HandedFile.safeName(safe) == safe)
  }

  @Test func aNumberGoesBeforeTheExtension() {
    #expect(HandedFile.numbered("list.csv", 2) == "list (2).csv")
    #expect(HandedFile.numbered("list", 3) == "list (3)")
  }

  @Test(
    arguments: [
      ("text/CSV; charset=utf-8", "text/csv"), ("image/svg+xml", "image/svg+xml"), ("text", nil), ("a/b/c", nil),
      ("text/ü", nil), ("a/b\r\nX: y", nil), ("/csv", nil), (String(repeating: "a", count: 200) + "/b", nil),
    ] as [(String, String?)])
  func aTypeIsAMediaType(_ text: String, _ type: String?) {
    #expect(HandedFile(name: "a", type: text, path: "").type == type)
  }

  @Test func sizesAreReadable() {
    #expect(
      [0, 1, 999, 1_000, 1_549, 999_949, 999_951, 10_000_000, 2_500_000_000].map(FileSize.text) == [
        "0 bytes", "1 byte", "999 bytes", "1 KB", "1.5 KB", "999.9 KB", "1 MB", "10 MB", "2.5 GB",
      ])
  }

  @Test func theFolderIsPrivateAndForgetsOldFiles() throws {
    let parent = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    let folder = try HandoverFolder(in: parent.path)
    let old = try folder.make(holding: [1])
    let new = try folder.make(holding: [2])
    #expect(folder.contains(old) && !folder.contains(folder.path + "/a/b") && !folder.contains(folder.path + "/.."))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_700)], ofItemAtPath: old)
    folder.removeOld()
    #expect(!FileManager.default.fileExists(atPath: old) && FileManager.default.fileExists(atPath: new))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    #expect(throws: HandoverFolder.Failure.self) { try HandoverFolder(in: parent.path) }
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: "/tmp")
    #expect(throws: HandoverFolder.Failure.self) { try HandoverFolder(in: parent.path) }
  }

  @Test func aCopyStopsAtItsLimit() throws {
    let parent = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    let folder = try HandoverFolder(in: parent.path)
    let own = parent.appending(path: "own").path
    try Data(repeating: 3, count: 3_000_000).write(to: URL(filePath: own))
    let copy = try folder.copy(own, limit: 3_000_000)
    #expect(FileManager.default.contents(atPath: copy)?.count == 3_000_000)
    #expect(throws: HandoverFolder.Failure.self) { try folder.copy(own, limit: 2_999_999) }
    // A file without an end, and a pipe.
    #expect(throws: HandoverFolder.Failure.self) { try folder.copy("/dev/zero", limit: 10) }
    #expect(mkfifo(own + "2", 0o600) == 0)
    #expect(throws: HandoverFolder.Failure.self) { try folder.copy(own + "2", limit: 10) }
  }

  @Test func aFileIsMovedAndReplacesNoOther() throws {
    let parent = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    let folder = try HandoverFolder(in: parent.path)
    let (first, second) = (try folder.make(holding: [1]), try folder.make(holding: [2]))
    // Also to another file system.
    for place in [parent.path + "/kept", "/dev/shm/gangway-\(UUID().uuidString)"] {
      let file = try folder.make(holding: [3])
      try HandoverFolder.move(file, to: place)
      #expect(FileManager.default.contents(atPath: place) == Data([3]))
      #expect(!FileManager.default.fileExists(atPath: file))
      #expect(throws: HandoverFolder.Failure.self) { try HandoverFolder.move(first, to: place) }
      #expect(throws: HandoverFolder.Failure.self) { try HandoverFolder.move(second, to: parent.path + "/none/kept") }
      #expect(FileManager.default.contents(atPath: place) == Data([3]))
      #expect(FileManager.default.contents(atPath: first) == Data([1]))
      try FileManager.default.removeItem(atPath: place)
    }
  }

  @Test func aFolderWithLongLettersContainsItsFiles() throws {
    let parent = FileManager.default.temporaryDirectory.appending(path: "一个很长的临时文件夹名字\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    let folder = try HandoverFolder(in: parent.path)
    #expect(folder.contains(try folder.make().path) && !folder.contains(folder.path + "/../x"))
  }

  @Test func aNameInAMessageIsMadeSafe() throws {
    let file = try Line.decode(HandedFile.self, from: Array(#"{"name":"../../x","type":"a\r\nb/c","path":"/p"}"#.utf8))
    #expect((file.name, file.type, file.path) == ("x", nil, "/p"))
  }

  @Test func theEventIsOneFlatRecord() throws {
    let event = Event(
      id: 1, revision: 2,
      action: .file(.init(node: 3, element: "a"), HandedFile(name: "a.csv", type: "text/csv", path: "/tmp/x")))
    let text = String(decoding: try Line.encode(event), as: UTF8.self)
    #expect(
      text == #"{"action":"file","element":"a","file":{"name":"a.csv","path":"/tmp/x","type":"text/csv"},"#
        + #""id":1,"node":3,"revision":2}"# + "\n")
    #expect(try Line.decode(Event.self, from: Array(text.utf8)) == event)
  }
}
