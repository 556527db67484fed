import Foundation

/// A headless Chromium, driven over two pipes with the Chrome DevTools Protocol.
///
/// The browser is Debian's `chromium-headless-shell`. Each call blocks its thread until the answer arrives.
@_spi(FrontEnd) public final class Chromium: @unchecked Sendable {
  /// The reason why a call failed.
  public struct Failure: Error, CustomStringConvertible { public let description: String }

  /// A page of the browser.
  public final class Page: @unchecked Sendable {
    fileprivate let browser: Chromium
    fileprivate let session: String

    fileprivate init(_ browser: Chromium, _ session: String) { (self.browser, self.session) = (browser, session) }
  }

  private let processID: pid_t
  private let input: Int32
  private let output: Int32
  private let profile: String
  private let lock = NSRecursiveLock()
  private var buffer: [UInt8] = []
  private var count = 0
  /// The errors and console messages of the pages.
  private var complaints: [String] = []
  /// The kinds of the dialogs that the browser showed; each was answered with yes.
  private var dialogs: [String] = []

  /// Starts a browser with its own profile.
  ///
  /// - Parameter host: the name of a server on this machine, whose certificate no authority has signed; nil for
  ///   addresses of this machine only.
  public init(trusting host: String? = nil) throws {
    var (toBrowser, fromBrowser): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&toBrowser) == 0, pipe(&fromBrowser) == 0 else {
      throw Failure(description: "no pipes are to be had")
    }
    for descriptor in toBrowser + fromBrowser { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    profile = FileManager.default.temporaryDirectory.appendingPathComponent("gangway-browser-\(UUID().uuidString)").path
    // The browser expects the pipes as its descriptors 3 and 4.
    let (high, higher) = (fcntl(toBrowser[0], F_DUPFD_CLOEXEC, 200), fcntl(fromBrowser[1], F_DUPFD_CLOEXEC, 200))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, high, 3)
    posix_spawn_file_actions_adddup2(&actions, higher, 4)
    // The browser must not inherit descriptors, such as the port of a server under test.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let words =
      [
        "chromium-headless-shell", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage",
        "--user-data-dir=\(profile)",
      ] + (host.map { ["--ignore-certificate-errors", "--host-resolver-rules=MAP \($0) 127.0.0.1"] } ?? [])
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var started: pid_t = 0
    let status = posix_spawnp(&started, "chromium-headless-shell", &actions, nil, &arguments, environ)
    for descriptor in [toBrowser[0], fromBrowser[1], high, higher] { close(descriptor) }
    (input, output) = (toBrowser[1], fromBrowser[0])
    processID = started
    guard status == 0 else {
      throw Failure(description: "chromium-headless-shell cannot be started: \(String(cString: strerror(status)))")
    }
  }

  deinit {
    // After an orderly end, the browser's child processes, which write to the profile, are gone, too.
    var status: Int32 = 0
    let hasEnded = waitpid(processID, &status, WNOHANG) != 0
    if !hasEnded { try? write([UInt8](#"{"id":0,"method":"Browser.close"}"#.utf8) + [0]) }
    close(input)
    let limit = Date(timeIntervalSinceNow: 5)
    while !hasEnded, waitpid(processID, &status, WNOHANG) == 0 {
      if Date() > limit { kill(processID, SIGKILL) }
      usleep(5_000)
    }
    close(output)
    try? FileManager.default.removeItem(atPath: profile)
  }

  /// Opens a page.
  ///
  /// - Parameters:
  ///   - width: the width of the window, in pixels.
  ///   - height: the height of the window, in pixels.
  ///   - runsScripts: false for a browser without scripts.
  public func open(width: Int = 1280, height: Int = 900, runsScripts: Bool = true) throws -> Page {
    let target = try call("Target.createTarget", ["url": "about:blank"], nil)
    let attached = try call(
      "Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true], nil)
    let page = Page(self, attached["sessionId"] as? String ?? "")
    for domain in ["Page", "Runtime", "Log", "DOM", "Accessibility", "Network"] { try page.call(domain + ".enable") }
    try page.resize(width, height)
    if !runsScripts { try page.call("Emulation.setScriptExecutionDisabled", ["value": true]) }
    return page
  }

  /// Returns the kinds of dialogs since the last call, such as `beforeunload`; each was answered with yes.
  public func takeDialogs() -> [String] {
    lock.withLock {
      defer { dialogs = [] }
      return dialogs
    }
  }

  /// Returns the pages' errors and console messages since the last call.
  public func takeComplaints() -> [String] {
    lock.withLock {
      defer { complaints = [] }
      return complaints
    }
  }

  @discardableResult fileprivate func call(
    _ method: String, _ parameters: [String: Any], _ session: String?
  ) throws -> [String: Any] {
    try lock.withLock {
      count += 1
      let number = count
      var message: [String: Any] = ["id": number, "method": method, "params": parameters]
      message["sessionId"] = session
      try write([UInt8](JSONSerialization.data(withJSONObject: message)) + [0])
      let limit = Date(timeIntervalSinceNow: 60)
      while Date() < limit {
        let answer = try read()
        guard answer["id"] as? Int == number else {
          note(answer)
          continue
        }
        if let error = answer["error"] as? [String: Any] {
          throw Failure(description: "\(method): \(error["message"] ?? error)")
        }
        return answer["result"] as? [String: Any] ?? [:]
      }
      throw Failure(description: "\(method): no answer within a minute")
    }
  }

  private func note(_ event: [String: Any]) {
    guard let parameters = event["params"] as? [String: Any] else { return }
    switch event["method"] as? String {
    case "Runtime.exceptionThrown": complaints.append("\(parameters["exceptionDetails"] ?? "")")
    case "Runtime.consoleAPICalled": complaints.append("\(parameters["args"] ?? "")")
    case "Log.entryAdded":
      let entry = parameters["entry"] as? [String: Any]
      complaints.append("\(entry?["text"] ?? "") \(entry?["url"] ?? "")")
    case "Page.javascriptDialogOpening":
      dialogs.append("\(parameters["type"] ?? "")")
      // Send the answer without waiting, because the caller already waits for what the dialog blocks.
      count += 1
      let answer: [String: Any] = [
        "id": count, "method": "Page.handleJavaScriptDialog", "params": ["accept": true],
        "sessionId": event["sessionId"] ?? "",
      ]
      if let line = try? JSONSerialization.data(withJSONObject: answer) { try? write([UInt8](line) + [0]) }
    default: break
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw Failure(description: "the browser has ended") }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private func read() throws -> [String: Any] {
    while true {
      if let end = buffer.firstIndex(of: 0) {
        let message = Data(buffer[..<end])
        buffer.removeSubrange(...end)
        return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
      }
      var part = [UInt8](repeating: 0, count: 1 << 16)
      let count = Glibc.read(output, &part, part.count)
      guard count > 0 || errno == EINTR else { throw Failure(description: "the browser has ended") }
      buffer += part.prefix(max(0, count))
    }
  }
}

extension Chromium.Page {
  @_spi(FrontEnd) @discardableResult public func call(_ method: String, _ parameters: [String: Any] = [:]) throws
    -> [String: Any]
  {
    try browser.call(method, parameters, session)
  }

  /// Sets the size of the page, in pixels.
  @_spi(FrontEnd) public func resize(_ width: Int, _ height: Int) throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
  }

  /// Opens an address, and waits until the page has loaded.
  @_spi(FrontEnd) public func go(_ address: String) throws {
    try call("Page.navigate", ["url": address])
    try wait("document.readyState == 'complete' && location.href != 'about:blank'")
  }

  /// Returns the value of a JavaScript expression.
  @_spi(FrontEnd) public func value(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate", ["expression": expression, "returnByValue": true, "awaitPromise": true])
    if let mistake = answer["exceptionDetails"] as? [String: Any] {
      throw Chromium.Failure(description: "\(expression.prefix(200)): \(mistake)")
    }
    return (answer["result"] as? [String: Any])?["value"]
  }

  /// Returns the text of a JavaScript expression.
  @_spi(FrontEnd) public func text(_ expression: String) throws -> String { try value(expression) as? String ?? "" }

  /// Waits until an expression is true.
  @_spi(FrontEnd) public func wait(_ expression: String, seconds: Double = 20) throws {
    let patience = Patience(.seconds(seconds))
    while !patience.hasEnded {
      // The expression fails while another page loads.
      if (try? value("!!(\(expression))")) as? Bool == true { return }
      usleep(5_000)
    }
    let screen = (try? text("document.body.innerText")) ?? ""
    throw Chromium.Failure(description: "not within \(seconds) s: \(expression), on the page: \(screen.prefix(800))")
  }

  /// Waits until a text is on the page.
  @_spi(FrontEnd) public func wait(for text: String) throws {
    try wait("document.body.innerText.includes(\(Self.quoted(text)))")
  }

  /// Returns a text as a JavaScript string.
  @_spi(FrontEnd) public static func quoted(_ text: String) -> String {
    let data = (try? JSONSerialization.data(withJSONObject: [text])) ?? Data()
    return String(decoding: data, as: UTF8.self) + "[0]"
  }

  // MARK: The keyboard

  private static let codes: [String: Int] = [
    "Enter": 13, "Tab": 9, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
    "Backspace": 8, " ": 32, "Home": 36, "End": 35,
  ]

  /// Presses a key, with or without Shift.
  @_spi(FrontEnd) public func press(_ key: String, shift: Bool = false) throws {
    var down: [String: Any] = [
      "type": "keyDown", "key": key, "windowsVirtualKeyCode": Self.codes[key] ?? 0, "modifiers": shift ? 8 : 0,
    ]
    if key == "Enter" { down["text"] = "\r" } else if key.count == 1 { down["text"] = key }
    try call("Input.dispatchKeyEvent", down)
    down["type"] = "keyUp"
    down["text"] = nil
    try call("Input.dispatchKeyEvent", down)
  }

  /// Types a text into the focused element.
  @_spi(FrontEnd) public func type(_ text: String) throws { for character in text { try press(String(character)) } }

  /// Moves to a control with Tab, as a user without a mouse would.
  @_spi(FrontEnd) public func tab(to role: String, _ name: String) throws {
    for _ in 0..<200 {
      try press("Tab")
      if let (found, called) = try focused(), found == role, called == name { return }
    }
    throw Chromium.Failure(description: "Tab leads to no \(role) '\(name)'. There are \(try controls())")
  }

  // MARK: What somebody who listens hears

  /// A node of the accessibility tree.
  @_spi(FrontEnd) public struct Control: Hashable, CustomStringConvertible, Sendable {
    public let role: String
    public let name: String
    public let isFocused: Bool
    public var description: String { "\(role) '\(name)'" }
  }

  /// Returns all nodes, in document order.
  @_spi(FrontEnd) public func accessible() throws -> [Control] {
    let answer = try call("Accessibility.getFullAXTree")
    return (answer["nodes"] as? [[String: Any]] ?? []).compactMap { node in
      guard node["ignored"] as? Bool != true, let role = (node["role"] as? [String: Any])?["value"] as? String else {
        return nil
      }
      let properties = node["properties"] as? [[String: Any]] ?? []
      let isFocused = properties.contains {
        $0["name"] as? String == "focused" && ($0["value"] as? [String: Any])?["value"] as? Bool == true
      }
      return Control(
        role: role, name: (node["name"] as? [String: Any])?["value"] as? String ?? "", isFocused: isFocused)
    }
  }

  private static let controlRoles: Set<String> = [
    "button", "link", "textbox", "searchbox", "checkbox", "radio", "switch", "combobox", "spinbutton", "tab",
    "DisclosureTriangle", "Date", "DateTime", "InputTime", "slider",
  ]

  /// Returns the controls.
  @_spi(FrontEnd) public func controls() throws -> [Control] {
    try accessible().filter { Self.controlRoles.contains($0.role) }
  }

  /// Returns the role and name of the focused element.
  @_spi(FrontEnd) public func focused() throws -> (role: String, name: String)? {
    try accessible().last { $0.isFocused && $0.role != "RootWebArea" }.map { ($0.role, $0.name) }
  }

  /// Returns the defects for users of screen readers and of the keyboard; empty if there are none.
  @_spi(FrontEnd) public func defects() throws -> [String] {
    let all = try accessible()
    var found = all.filter { Self.controlRoles.contains($0.role) && $0.name.isEmpty }.map {
      "\($0.role) without a name"
    }
    let hasDialog = try value("!!document.querySelector('dialog[open]')") as? Bool == true
    let mains = try value("document.querySelectorAll('main').length") as? Int
    let headings = try value("document.querySelectorAll('h1').length") as? Int
    if mains != 1 { found.append("\(mains ?? 0) mains") }
    if headings != 1 { found.append("\(headings ?? 0) h1") }
    let doubles = try text(
      "[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) != i).join(' ')")
    if !doubles.isEmpty { found.append("ids that are there twice: \(doubles)") }
    if hasDialog, try value("!!document.activeElement.closest('dialog')") as? Bool != true {
      found.append("the keyboard is outside of the dialog")
    }
    if try value("document.documentElement.scrollWidth > innerWidth") as? Bool == true {
      found.append("it is wider than the window")
    }
    return found
  }

  /// Returns a screenshot, in PNG format.
  @_spi(FrontEnd) public func picture() throws -> Data {
    let answer = try call("Page.captureScreenshot")
    return Data(base64Encoded: answer["data"] as? String ?? "") ?? Data()
  }
}
