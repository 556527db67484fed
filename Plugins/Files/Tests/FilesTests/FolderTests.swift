import Foundation
import Glibc
import Testing

@testable import Files

@Suite struct EscapedPathTests {
  @Test(
    arguments: [
      ([47, 97], "/a"), ([47, 0xFF], "/%FF"), ([47, 97, 0x25], "/a%25"), ([47, 0x0A, 0x1B], "/%0A%1B"),
      (Array("/ä€🙂".utf8), "/ä€🙂"), (Array("/ä".utf8) + [0xC3], "/ä%C3"), ([47, 0xE2, 0x82, 97], "/%E2%82a"),
      // A character that changes the direction of a line.
      (Array("/a\u{202E}b".utf8), "/a%E2%80%AEb"),
    ] as [([UInt8], String)])
  func anyBytesAreTextAndBackAgain(_ bytes: [UInt8], _ text: String) throws {
    let path = EscapedPath(bytes: bytes)
    #expect(path.text == text)
    #expect(path.bytes == bytes)
    #expect(EscapedPath(text)?.bytes == bytes)
    #expect(try JSONDecoder().decode(EscapedPath.self, from: JSONEncoder().encode(path)) == path)
  }

  @Test func randomBytesComeBack() {
    for _ in 0..<2_000 {
      let name = (0..<Int.random(in: 1...20)).map { _ in UInt8.random(in: 1...255) }.filter { $0 != 47 }
      #expect(EscapedPath.unescape(EscapedPath.escape(name)) == name, "the bytes \(name)")
    }
  }

  @Test(arguments: [
    ("/a/../b", "/b"), ("/../..", "/"), ("/a/./b//c/", "/a/b/c"), ("/", "/"), ("a", nil), ("", nil), ("/%", nil),
    ("/%0", nil), ("/%G0", nil), ("/%00", nil), ("/%2e%2e/x", "/x"),
  ])
  func aPathIsReadAsItIsMeant(_ text: String, _ path: String?) { #expect(EscapedPath(text)?.text == path) }

  @Test func thePartsOfAPath() {
    let path = EscapedPath(bytes: Array("/a/b".utf8))
    #expect(
      (path.name, path.parent.text, path.parent.parent.text, path.parent.parent.parent.text) == ("b", "/a", "/", "/"))
    #expect(EscapedPath.root.appending("x").text == "/x")
  }
}

@Suite struct FolderTests {
  private func names(
    _ path: EscapedPath, _ order: FileOrder = .name, hidden: Bool = false, search: String = ""
  ) async throws -> [String] {
    try await FolderListing.read(path).arranged(in: path, by: order, showsHidden: hidden, search: search).map(\.id)
  }

  @Test func foldersStandFirstAndTheRestIsSorted() async throws {
    let tree = try Tree()
    try tree.file("b.txt", "22")
    try tree.file("A.txt", "1")
    try tree.file(".secret", "333")
    try tree.folder("zoo")
    tree.link("ark", to: "zoo")
    #expect(try await names(tree.path) == ["ark", "zoo", "A.txt", "b.txt"])
    #expect(try await names(tree.path, hidden: true) == ["ark", "zoo", ".secret", "A.txt", "b.txt"])
    #expect(try await names(tree.path, .largest, hidden: true).suffix(3) == [".secret", "b.txt", "A.txt"])
    #expect(try await names(tree.path, search: "TXT") == ["A.txt", "b.txt"])
    utimes(
      tree.url.path + "/A.txt",
      [timeval(tv_sec: 2_000_000_000, tv_usec: 0), timeval(tv_sec: 2_000_000_000, tv_usec: 0)])
    #expect(try await names(tree.path, .newest).suffix(2) == ["A.txt", "b.txt"])
  }

  @Test func namesThatAreNoTextAreShownAndOpened() async throws {
    let tree = try Tree()
    for name in [[0xFF, 0xFE], Array("a\nb".utf8), Array("100%".utf8)] as [[UInt8]] { tree.file(bytes: name) }
    let names = try await names(tree.path)
    #expect(Set(names) == ["%FF%FE", "a%0Ab", "100%25"])
    for name in names { #expect(try FileFacts(tree.path.appending(name)).kind == .file) }
  }

  @Test func whatCannotBeReadSaysWhy() async throws {
    let tree = try Tree()
    try tree.file("plain")
    tree.link("circle", to: "circle")
    for (name, why) in [("missing", "It is gone"), ("plain", "no longer a folder"), ("circle", "form a circle")] {
      let error = await #expect(throws: FileError.self) { try await FolderListing.read(tree.path.appending(name)) }
      #expect(error?.description.contains(why) == true, "\(name)")
    }
    let long = EscapedPath(bytes: Array(("/" + String(repeating: "a/", count: 3_000) + "b").utf8))
    let error = await #expect(throws: FileError.self) { try await FolderListing.read(long) }
    #expect(error?.description.contains("Its path is too long") == true)
    // A link to itself is a link, and not a folder.
    #expect(try await FolderListing.read(tree.path).entries.first { $0.id == "circle" }?.isFolder == false)
  }

  @Test func aHundredThousandFilesAreReadAndSortedInTime() async throws {
    let tree = try Tree()
    let clock = ContinuousClock()
    let created = clock.measure {
      for number in 0..<100_000 { tree.file(bytes: Array("File \(number * 7919 % 100_000).txt".utf8)) }
    }
    var listing: FolderListing?
    let read = try await clock.measure { listing = try await FolderListing.read(tree.path) }
    let entries = try #require(listing)
    #expect(entries.entries.count == 100_000)
    let sorted = await clock.measure {
      _ = await entries.arranged(in: tree.path, by: .name, showsHidden: false, search: "")
    }
    // Other work slows everything down, so the time to create the files is the measure.
    #expect(read < created && sorted < created, "created \(created), read \(read), sorted \(sorted)")
  }
}

@Suite struct FilePreviewTests {
  private func preview(_ name: String, _ data: Data) async throws -> FilePreview {
    let tree = try Tree()
    try tree.file(name, data)
    return try await FilePreview.read(tree.path.appending(name))
  }

  @Test func textsPicturesAndBytesAreToldApart() async throws {
    #expect(try await preview("a", Data("hello".utf8)) == .text("hello", rest: 0))
    #expect(try await preview("a", Data()) == .empty)
    #expect(try await preview("a", Data([0, 1, 65])) == .bytes("00 01 41" + String(repeating: " ", count: 41) + "..A"))
    let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
    #expect(try await preview("a.txt", Data(picture)) == .picture(picture))
  }

  @Test func theBeginningOfALongTextIsShownAndNoCharacterCut() async throws {
    let text = String(repeating: "€", count: 100_000)
    guard case .text(let shown, let rest) = try await preview("a", Data(text.utf8)) else {
      Issue.record("no text")
      return
    }
    #expect(shown.allSatisfy { $0 == "€" } && rest == Int64(300_000 - FilePreview.longestText))
  }

  @Test(.timeLimit(.minutes(1))) func pipesAndDevicesAreNotOpened() async throws {
    let tree = try Tree()
    mkfifo(tree.url.path + "/pipe", 0o600)
    guard case .nothing(let why) = try await FilePreview.read(tree.path.appending("pipe")) else {
      Issue.record("it was read")
      return
    }
    #expect(why.contains("pipe"))
    for device in ["/dev/zero", "/dev/null"] {
      let path = EscapedPath(bytes: Array(device.utf8))
      guard case .nothing = try await FilePreview.read(path) else {
        Issue.record("\(device) was read")
        continue
      }
    }
  }

  @Test func filesOfTheKernelWithoutALengthAreRead() async throws {
    guard case .text(let text, _) = try await FilePreview.read(EscapedPath(bytes: Array("/proc/version".utf8))) else {
      Issue.record("no text")
      return
    }
    #expect(text.contains("Linux"))
  }
}
