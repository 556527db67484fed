import Foundation

/// Scripts of the plain front end, run as a user with only a keyboard would.
extension Chromium.Page {
  /// Runs a script's commands that a user can perform on a page.
  ///
  /// These are `tap`, `tab`, `set`, `file`, `cell`, `action`, `submit`, `back`, `dismiss`, `open`, `undo` of a message,
  /// `expect`, `refuse` and `wait`.
  ///
  /// - Parameter restart: performs the command `restart`.
  /// - Throws: ``Chromium/Failure`` with the line that failed.
  @_spi(FrontEnd) public func run(script: String, restart: () throws -> Void = {}) throws {
    for line in script.split(separator: "\n") where !line.hasPrefix("#") && !line.isEmpty {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      do {
        if line == "restart" { try restart() } else { try perform(words[0], words.count > 1 ? words[1] : "") }
        // A user waits for the result, too.
        try settle()
      } catch {
        throw Chromium.Failure(description: "'\(line)': \(error)")
      }
    }
  }

  private func perform(_ word: String, _ rest: String) throws {
    switch word {
    case "tap", "tab":
      try focus(rest)
      try press("Enter")
    case "set":
      let parts = Self.parts(rest)
      try focus(parts.0)
      try fill(parts.1)
    case "action":
      let parts = Self.parts(rest)
      // The row's menu is the stop after the row.
      try focus(parts.0)
      try press("Tab")
      try press("Enter")
      try focus(parts.1)
      try press("Enter")
    case "file":
      let parts = Self.parts(rest)
      try focus(parts.0)
      let input = try call("Runtime.evaluate", ["expression": "document.activeElement"])
      let object = (input["result"] as? [String: Any])?["objectId"] as? String ?? ""
      try call("DOM.setFileInputFiles", ["files": [parts.1], "objectId": object])
    case "cell":
      let numbers = rest.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { throw Chromium.Failure(description: "cell needs a row and a column") }
      try goTo(row: numbers[0] - 1, column: numbers[1] - 1)
      try press("Enter")
    case "submit": try press("Enter")
    case "back":
      if try value("!!document.querySelector('dialog[open]')") as? Bool == true { return try press("Escape") }
      try focus("Back")
      try press("Enter")
    case "dismiss": try press("Escape")
    case "open":
      // Open the link as a user who received it.
      try settle()
      let place = rest.split(separator: "://", maxSplits: 1).last.map(String.init) ?? ""
      try go(try text("new URL(document.body.dataset.base + \(Self.quoted(place)), location).href"))
      try wait("document.documentElement.classList.contains('live')")
    case "undo":
      try wait(for: rest)
      try focus("Undo")
      try press("Enter")
    case "expect": try wait(Self.stands(rest))
    case "refuse": try wait("!(\(Self.stands(rest)))")
    case "wait": usleep(UInt32((Double(rest) ?? 0) * 1e6))
    case "fails":
      let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
      try perform(words.first ?? "", words.count > 1 ? words[1] : "")
    default: throw Chromium.Failure(description: "a browser knows no command '\(word)' of scripts")
    }
  }

  private static func parts(_ text: String) -> (String, String) {
    let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
  }

  /// Returns an expression for whether a text is on the page; `LABEL: [TEXT]` is the value of an input.
  private static func stands(_ text: String) -> String {
    if let match = text.wholeMatch(of: /(.+): \[(.*)\]/) {
      return "[...document.querySelectorAll('input, textarea')].some(e => e.labels?.[0]?.innerText.startsWith("
        + "\(quoted(String(match.1)))) && e.value == \(quoted(String(match.2))))"
    }
    // Drawings are found by their label.
    let words = quoted(withoutKind(text))
    return "(document.body.innerText.includes(\(words)) || document.body.innerText.replace(/\\s*\\n\\s*/g, ': ')"
      + ".includes(\(words)) || [...document.querySelectorAll('[aria-label]')].some(e => "
      + "e.getAttribute('aria-label').includes(\(words))) || [...document.querySelectorAll('textarea')].some(e => "
      + "e.value.includes(\(words))))"
  }

  /// Returns a text of the plain front end without its kind: `Star` for `(drawing) Star`.
  private static func withoutKind(_ text: String) -> String {
    guard text.hasPrefix("("), let end = text.firstRange(of: ") ") else { return text }
    return String(text[end.upperBound...])
  }

  /// The name of the focused element.
  private static let name = """
    (e => (e.getAttribute('aria-label')
      ?? (e.labels?.length ? (e.labels[0].querySelector('.label') ?? e.labels[0]).innerText : e.innerText)
      ?? '').trim().split('\\n')
      .filter(part => part && part.trim().length > 0).join(' '))(document.activeElement)
    """

  /// Presses Tab until a control of a name has focus; the control may appear a moment later.
  private func focus(_ wanted: String) throws {
    let limit = Date(timeIntervalSinceNow: 20)
    var seen: Set<String> = []
    while Date() < limit {
      for _ in 0..<80 {
        let name = try text(Self.name)
        seen.insert(name)
        let words = name.split(separator: " ").joined(separator: " ")
        // A symbol may precede the name, and a badge or a second line may follow it.
        if words == wanted || words.hasPrefix(wanted + " ") || words.dropFirst(2) == wanted
          || words.dropFirst(2).hasPrefix(wanted + " ")
        {
          return
        }
        try press("Tab")
      }
      usleep(20_000)
    }
    throw Chromium.Failure(description: "Tab leads to nothing called '\(wanted)', but to \(seen.sorted())")
  }

  private func fill(_ content: String) throws {
    if try value("document.activeElement.type == 'checkbox'") as? Bool == true {
      let isOn = try value("document.activeElement.checked") as? Bool == true
      if isOn != (content == "on") { try press(" ") }
      return
    }
    _ = try value("document.activeElement.select()")
    if content.isEmpty { try press("Backspace") } else { try type(content) }
  }

  /// Moves to a cell with the arrow keys.
  private func goTo(row: Int, column: Int) throws {
    let isInGrid = "document.activeElement.matches('.cell')"
    for _ in 0..<80 where try value(isInGrid) as? Bool != true { try press("Tab") }
    let place = "document.activeElement.id.split('.').slice(-2).map(Number)"
    for _ in 0..<60 {
      guard let here = try value(place) as? [Int], here.count == 2 else { break }
      if here == [row, column] { return }
      if here[0] != row {
        try press(here[0] < row ? "ArrowDown" : "ArrowUp")
      } else {
        try press(here[1] < column ? "ArrowRight" : "ArrowLeft")
      }
    }
    throw Chromium.Failure(description: "the arrows lead to no cell \(row + 1) \(column + 1)")
  }

  /// Waits until the last event is answered.
  private func settle() throws { try wait("!document.documentElement.hasAttribute('data-busy')") }
}
