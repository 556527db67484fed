import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// Files between a browser and a feature.
@MainActor @Suite(.serialized) struct FileTests {
  @Test func aBrowserSendsAFileAndSavesOne() async throws {
    let serving = try await Serving(["gallery"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    let folder = serving.workshop.path("files")
    try FileManager.default.createDirectory(atPath: folder + "/saved", withIntermediateDirectories: true)
    try Data("one\ntwo\nthree".utf8).write(to: URL(filePath: folder + "/ü list.txt"))
    try Data(repeating: 65, count: 1_000_001).write(to: URL(filePath: folder + "/large.txt"))
    try Data("x".utf8).write(to: URL(filePath: folder + "/photo.png"))
    try await elsewhere {
      try page.call("Browser.setDownloadBehavior", ["behavior": "allow", "downloadPath": folder + "/saved"])
      try page.run(script: "open gangway://gallery/files")
      try page.wait("document.querySelector('h1')?.textContent == 'Files'")
      try page.wait(for: "Lines: 1")
      // The picker has the name of its button.
      #expect(try page.accessible().contains { $0.name == "Import" })
      try page.run(script: "file Import = \(folder)/ü list.txt")
      try page.wait(for: "Lines: 3")
      try page.wait("document.querySelector('.file > progress').hidden")
      // A refusal of the feature's rules is read as any message.
      try page.run(script: "file Import = \(folder)/photo.png")
      try page.wait(for: "'photo.png' was not accepted. Choose a file of one of these types: .txt, .csv.")
      try page.run(script: "file Import = \(folder)/large.txt")
      try page.wait(for: "The file was not sent, because it is too large.")
      try page.wait(for: "Lines: 3")
      try page.run(script: "tap Export")
      try page.wait(for: "'lines.txt' is ready.")
      try page.wait("!!document.querySelector('a[download=\"lines.txt\"]')")
    }
    try await eventually {
      (try? String(contentsOfFile: folder + "/saved/lines.txt", encoding: .utf8)) == "one\ntwo\nthree"
    }
    #expect(browser.takeComplaints() == [])
    await serving.stop()
  }

  /// The request of a page that sends a file, with its parts to change.
  private struct Request: Sendable {
    var name = "list.txt"
    var content = "one"
    var token = ""
    var element = ""
    var headers = ""
    /// The length that the request claims; nil for its own.
    var length: Int?

    func head(_ visitor: Visitor, session: String? = nil) -> String {
      "POST /~\(session ?? "\(visitor.session)")/_upload?do=\(element)&name=\(name) HTTP/1.1\r\n"
        + "Host: 127.0.0.1:\(visitor.port)\r\nCookie: \(visitor.cookie)\r\nX-Gangway-Token: \(token)\r\n\(headers)"
        + (headers.contains("chunked") ? "" : "Content-Length: \(length ?? content.utf8.count)\r\n") + "\r\n"
    }

    /// Returns the answer to the request.
    func answer(_ visitor: Visitor, session: String? = nil) -> String {
      guard let connection = RawConnection(visitor.port) else { return "" }
      connection.send(head(visitor, session: session) + content)
      return connection.read(until: "\r\n\r\n")
    }
  }

  /// Opens the sample in a session, and returns the request of its page.
  private func request(_ visitor: Visitor) async throws -> Request {
    try await elsewhere {
      let page = visitor.page("gallery/files")
      var request = Request()
      request.token = String(try #require(page.firstMatch(of: /name="token" value="([^"]+)"/)?.1))
      let element = try #require(page.firstMatch(of: /data-file="([^"]+)"/)?.1)
      request.element = String(element).replacing(" ", with: "%20")
      return request
    }
  }

  /// Returns the files in the folder for handed-over files that contain a text.
  nonisolated private static func files(containing text: String) throws -> [String] {
    let folder = try HandoverFolder().path
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      FileManager.default.contents(atPath: "\(folder)/\(name)")?.firstRange(of: Data(text.utf8)) != nil
    }
  }

  @Test func whoMayNotSendAFileDoesNot() async throws {
    let serving = try await Serving(["gallery"])
    let (visitor, stranger) = (try await serving.visitor(), try await serving.visitor())
    let good = try await request(visitor)
    try await elsewhere {
      func answer(
        session: String? = nil, of sender: Visitor? = nil, _ change: (inout Request) -> Void
      ) -> String {
        var request = good
        change(&request)
        return request.answer(sender ?? visitor, session: session)
      }
      #expect(answer { $0.token = "" }.contains(" 403 "))
      #expect(answer { $0.headers = "Origin: http://evil.example\r\n" }.contains(" 421 "))
      // The token of another user's page, and another user's session.
      #expect(answer(of: stranger) { _ in }.contains(" 403 "))
      #expect(answer(session: "\(stranger.session)") { _ in }.contains(" 409 "))
      #expect(answer { $0.element = "tap%201%200" }.contains(" 409 "))
      #expect(answer { $0.element = "file%20999999%20x" }.contains(" 409 "))
      #expect(answer { $0.length = 1_000_001 }.contains(" 413 "))
      #expect(visitor.page().contains("Lines: 1"))
      #expect(answer { $0.content = "one\ntwo" }.contains(" 204 "))
      #expect(visitor.page(with: "Lines: 2").contains("Lines: 2"))
      #expect(answer { ($0.name, $0.content) = ("..%2F..%2Fa%0Ab.txt", "1\n2\n3\n4") }.contains(" 204 "))
      #expect(visitor.page(with: "Lines: 4").contains("Lines: 4"))
    }
    await serving.stop()
  }

  @Test func aFileThatBreaksOffOrIsTooLongLeavesNothingBehind() async throws {
    let serving = try await Serving(["gallery"])
    let visitor = try await serving.visitor()
    var request = try await request(visitor)
    let mark = UUID().uuidString
    request.content = String(repeating: mark + "\n", count: 2_000)
    try await elsewhere { [request] in
      // Half of the file, and then the end of the connection.
      var half = request
      half.length = request.content.utf8.count * 2
      do {
        let connection = try #require(RawConnection(visitor.port))
        connection.send(half.head(visitor) + half.content)
        let patience = Patience(.seconds(10))
        while try Self.files(containing: mark).isEmpty, !patience.hasEnded { usleep(20_000) }
        #expect(try Self.files(containing: mark).count == 1)
      }
      let patience = Patience(.seconds(10))
      while try !Self.files(containing: mark).isEmpty, !patience.hasEnded { usleep(20_000) }
      #expect(try Self.files(containing: mark).isEmpty)
      // More bytes than the element takes, without a length in advance.
      var long = request
      long.headers = "Transfer-Encoding: chunked\r\n"
      let connection = try #require(RawConnection(visitor.port))
      connection.send(long.head(visitor))
      let part = String(request.content.prefix(40_000))
      for _ in 0..<30 { connection.send("\(String(part.utf8.count, radix: 16))\r\n\(part)\r\n") }
      connection.send("0\r\n\r\n")
      #expect(connection.read(until: "\r\n\r\n").contains(" 413 "))
      #expect(try Self.files(containing: mark).isEmpty)
      #expect(visitor.page().contains("Lines: 1"))
    }
    await serving.stop()
  }

  @Test func oneUserSendsOnlyAFewFilesAtOnce() async throws {
    let serving = try await Serving(["gallery"]) { $0.limits.files.uploadsPerPerson = 2 }
    let visitor = try await serving.visitor()
    let request = try await request(visitor)
    try await elsewhere {
      let open = (0..<2).compactMap { _ in RawConnection(visitor.port) }
      for connection in open { connection.send(request.head(visitor)) }
      let patience = Patience(.seconds(10))
      var last = ""
      // The server may see the third request first.
      while !last.contains(" 429 "), !patience.hasEnded { last = request.answer(visitor) }
      #expect(last.contains(" 429 "))
      for connection in open {
        connection.send(request.content)
        #expect(connection.read(until: "\r\n\r\n").contains(" 204 "))
      }
      #expect(request.answer(visitor).contains(" 204 "))
    }
    await serving.stop()
  }

  @Test func anOfferedFileIsOnlyForItsUserAndMayBeGone() async throws {
    let serving = try await Serving(["gallery"])
    let (visitor, stranger) = (try await serving.visitor(), try await serving.visitor())
    _ = try await request(visitor)
    try await elsewhere {
      let page = visitor.page()
      let token = try #require(page.firstMatch(of: /name="token" value="([^"]+)"/)?.1)
      let export = try #require(page.firstMatch(of: /value="(tap [^"]+)"[^>]*><span class="label">Export/)?.1)
      let body = "token=\(token)&do=\(export.replacing(" ", with: "+"))"
      let type = "Content-Type: application/x-www-form-urlencoded\r\n"
      _ = visitor.ask("POST", "/~\(visitor.session)/", headers: type, body: body)
      let after = visitor.page(with: "/_file/")
      let address = String(try #require(after.firstMatch(of: /href="([^"]+\/_file\/\d+)"/)?.1))
      let answer = visitor.ask("GET", address)
      #expect(answer.hasSuffix("\r\n\r\nStarted."))
      for header in [
        "Content-Disposition: attachment; filename=\"lines.txt\"; filename*=UTF-8''lines.txt",
        "Content-Type: text/plain", "Content-Length: 8", "X-Content-Type-Options: nosniff",
        "Content-Security-Policy: default-src 'none'; sandbox",
      ] { #expect(answer.contains(header)) }
      #expect(!stranger.ask("GET", address).contains("Started."))
      #expect(visitor.ask("GET", address + "9").contains(" 404 "))
      let folder = try HandoverFolder()
      for name in try Self.files(containing: "Started.") { unlink("\(folder.path)/\(name)") }
      #expect(visitor.ask("GET", address).contains(" 404 "))
    }
    await serving.stop()
  }

  /// The browser must see that it has only a part of the file.
  @Test func aFileThatBecomesShorterEndsTheConnection() async throws {
    let serving = try await Serving(["gallery"])
    let visitor = try await serving.visitor()
    _ = try await request(visitor)
    let path = serving.workshop.path("long")
    try Data(repeating: 65, count: 50_000_000).write(to: URL(filePath: path))
    let session = try #require(serving.site.sessions.all[visitor.session])
    let address = session.address(of: HandedFile(name: "long", type: nil, path: path))
    let answer = try await elsewhere {
      guard let connection = RawConnection(visitor.port) else { return "" }
      connection.send(
        "GET \(address) HTTP/1.1\r\nHost: 127.0.0.1:\(visitor.port)\r\nCookie: \(visitor.cookie)\r\n\r\n")
      let first = connection.read(until: "\r\n\r\n")
      truncate(path, 100)
      return first + connection.readAll()
    }
    #expect(answer.contains("Content-Length: 50000000"))
    #expect(answer.utf8.count < 50_000_000)
    await serving.stop()
  }

  /// A few bytes now and then would keep others from sending.
  @Test func aFileThatArrivesTooSlowlyIsGivenUp() async throws {
    let serving = try await Serving(["gallery"]) { $0.limits.requestSeconds = 2 }
    let visitor = try await serving.visitor()
    let request = try await request(visitor)
    try await elsewhere {
      var slow = request
      slow.length = 1_000
      let connection = try #require(RawConnection(visitor.port))
      connection.send(slow.head(visitor))
      let patience = Patience(.seconds(10))
      while !connection.isClosed, !patience.hasEnded {
        connection.send("x")
        usleep(200_000)
      }
      #expect(connection.isClosed)
    }
    await serving.stop()
  }

  /// Otherwise the browser would not show why.
  @Test func theReasonOfARefusalArrivesAlthoughTheFileIsNotRead() async throws {
    let serving = try await Serving(["gallery"])
    let visitor = try await serving.visitor()
    var request = try await request(visitor)
    request.content = String(repeating: "x", count: 900_000)
    request.token = ""
    try await elsewhere { [request] in
      let connection = try #require(RawConnection(visitor.port))
      #expect(connection.send(request.head(visitor) + request.content))
      let answer = connection.readAll()
      #expect(answer.contains(" 403 ") && answer.hasSuffix("Reload the page."))
    }
    await serving.stop()
  }

  @Test func oneUserLoadsOnlyAFewFilesAtOnce() async throws {
    let serving = try await Serving(["gallery"]) { $0.limits.files.downloadsPerPerson = 1 }
    let visitor = try await serving.visitor()
    _ = try await request(visitor)
    let path = serving.workshop.path("long")
    try Data(repeating: 65, count: 50_000_000).write(to: URL(filePath: path))
    let session = try #require(serving.site.sessions.all[visitor.session])
    let address = session.address(of: HandedFile(name: "long", type: nil, path: path))
    try await elsewhere {
      do {
        let connection = try #require(RawConnection(visitor.port))
        connection.send(
          "GET \(address) HTTP/1.1\r\nHost: 127.0.0.1:\(visitor.port)\r\nCookie: \(visitor.cookie)\r\n\r\n")
        #expect(connection.read(until: "\r\n\r\n").contains(" 200 "))
        #expect(visitor.ask("GET", address).contains(" 429 "))
      }
      let patience = Patience(.seconds(10))
      var answer = ""
      while !answer.contains(" 200 "), !patience.hasEnded {
        answer = String(visitor.ask("GET", address).prefix(100))
        usleep(50_000)
      }
      #expect(answer.contains(" 200 "))
    }
    await serving.stop()
  }
}
