import Foundation

/// A headless Firefox with one page, driven by WebDriver BiDi (W3C, working draft) over a WebSocket.
///
/// The browser is Debian's `firefox-esr`. Each call blocks its thread until the answer arrives.
@_spi(FrontEnd) public final class Firefox: @unchecked Sendable {
  /// The reason why a call failed.
  public struct Failure: Error, CustomStringConvertible { public let description: String }

  private let process = Process()
  private let profile: String
  private let connection: RawConnection
  private var count = 0
  private var context = ""
  /// The page's errors and console messages.
  public private(set) var complaints: [String] = []

  /// Starts a browser with its own profile.
  ///
  /// - Parameter isDark: whether pages see a dark system.
  public init(isDark: Bool = false) throws {
    profile = FileManager.default.temporaryDirectory.appendingPathComponent("gangway-browser-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
    let settings = "user_pref(\"layout.css.prefers-color-scheme.content-override\", \(isDark ? 0 : 1));\n"
    try settings.write(toFile: profile + "/user.js", atomically: true, encoding: .utf8)
    let said = profile + "/errors.txt"
    _ = FileManager.default.createFile(atPath: said, contents: nil)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "firefox-esr", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(["HOME": profile]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(forWritingAtPath: said)
    do {
      try process.run()
    } catch {
      try? FileManager.default.removeItem(atPath: profile)
      throw Failure(description: "firefox-esr cannot be started: \(error)")
    }
    let limit = Date(timeIntervalSinceNow: 60)
    var port: Int?
    while port == nil, Date() < limit, process.isRunning {
      let text = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
      port = text.firstMatch(of: /BiDi listening on ws:\/\/127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }
      usleep(20_000)
    }
    guard let port, let connection = RawConnection(port, seconds: 60) else {
      process.terminate()
      throw Failure(
        description: "firefox-esr does not listen: \((try? String(contentsOfFile: said, encoding: .utf8)) ?? "")")
    }
    self.connection = connection
    connection.send(
      "GET /session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
    _ = connection.read(until: "\r\n\r\n")
    try call("session.new", ["capabilities": [String: String]()])
    try call("session.subscribe", ["events": ["log.entryAdded"]])
    // The initial page never gets focus, so key presses would have no effect there.
    context = try call("browsingContext.create", ["type": "tab"])["context"] as? String ?? ""
  }

  deinit {
    // After an orderly end, the browser's child processes are gone, too.
    _ = try? call("browser.close", [:])
    let limit = Date(timeIntervalSinceNow: 5)
    while process.isRunning, Date() < limit { usleep(10_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: profile)
  }

  @discardableResult private func call(_ method: String, _ parameters: [String: Any]) throws -> [String: Any] {
    count += 1
    let message: [String: Any] = ["id": count, "method": method, "params": parameters]
    connection.sendMessage(String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self))
    while let text = connection.readMessage() {
      let answer = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
      if answer["type"] as? String == "event", let entry = answer["params"] as? [String: Any] {
        complaints.append("\(entry["level"] ?? ""): \(entry["text"] ?? "")")
      }
      guard answer["id"] as? Int == count else { continue }
      if let result = answer["result"] as? [String: Any] { return result }
      throw Failure(description: "\(method): \(answer["message"] ?? answer)")
    }
    throw Failure(description: "\(method): no answer")
  }

  /// Opens an address, and waits until the page has loaded.
  public func go(_ address: String) throws {
    try call("browsingContext.navigate", ["context": context, "url": address, "wait": "complete"])
  }

  /// Sets the size of the page, in pixels.
  public func resize(_ width: Int, _ height: Int) throws {
    try call("browsingContext.setViewport", ["context": context, "viewport": ["width": width, "height": height]])
  }

  /// Returns the value of a JavaScript expression, or of the promise that it returns, as text.
  public func text(_ expression: String) throws -> String {
    let answer = try call(
      "script.evaluate",
      [
        "expression": "(async () => String(await (\(expression))))()", "target": ["context": context],
        "awaitPromise": true,
      ])
    guard let value = (answer["result"] as? [String: Any])?["value"] as? String else {
      throw Failure(description: "\(expression): \(answer)")
    }
    return value
  }

  /// Waits until an expression is true.
  public func wait(_ expression: String, seconds: Double = 20) throws {
    let limit = Date(timeIntervalSinceNow: seconds)
    // A page that is being replaced gives no answer.
    while (try? text(expression)) != "true" {
      guard Date() < limit else {
        throw Failure(
          description:
            "not within \(seconds) s: \(expression), on the page: \((try? text("document.body.innerText")) ?? "")")
      }
      usleep(10_000)
    }
  }

  /// Presses keys, named by their characters or by names such as `Tab`.
  public func press(_ keys: String...) throws {
    let codes = ["Tab": "\u{e004}", "Enter": "\u{e007}", "Escape": "\u{e00c}", "ArrowRight": "\u{e014}"]
    let actions = keys.flatMap { key in
      ["keyDown", "keyUp"].map { ["type": $0, "value": codes[key] ?? key] }
    }
    try call(
      "input.performActions", ["context": context, "actions": [["type": "key", "id": "keyboard", "actions": actions]]])
  }

  /// Types a text into the focused element.
  public func type(_ text: String) throws { for character in text { try press(String(character)) } }

  /// Moves to a control with Tab, as a user without a mouse would.
  ///
  /// - Parameter name: the text of the control, or of its label.
  public func tab(to name: String) throws {
    try wait("!document.documentElement.hasAttribute('data-busy')")
    let control = "(document.activeElement.labels?.[0] ?? document.activeElement)"
    // After the last control, the browser's own controls have the focus, and the body is the active element.
    let focused = "(e => e == document.body ? '' : (e.querySelector('.label') ?? e).textContent.trim())\(control)"
    for _ in 0..<100 {
      try press("Tab")
      if try text(focused) == name { return }
    }
    throw Failure(description: "Tab leads to no '\(name)'.")
  }

  /// Returns a screenshot, in PNG format.
  public func picture() throws -> Data {
    let answer = try call("browsingContext.captureScreenshot", ["context": context])
    return Data(base64Encoded: answer["data"] as? String ?? "") ?? Data()
  }
}
