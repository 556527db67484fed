import Foundation
import Glibc

/// Scripts of the plain front end, run as a user at the terminal would, with mouse and keys.
extension RealTerminal {
  /// Runs a script's commands that a user can perform at a terminal.
  ///
  /// These are the commands for rows, inputs, files, tabs and steps back, and `undo` of a message, `expect`, `refuse`
  /// and `wait`. `restart` kills the host.
  ///
  /// - Throws: ``NeverShown`` with the line that failed.
  @_spi(FrontEnd) public func run(script: String) async throws {
    for (number, line) in script.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard let word = words.first, !word.hasPrefix("#") else { continue }
      do {
        try await perform(word, words.count > 1 ? words[1] : "")
      } catch {
        throw NeverShown(description: "line \(number + 1), '\(line)': \(error)")
      }
    }
  }

  private func perform(_ word: String, _ rest: String) async throws {
    switch word {
    case "tap", "select", "expand", "collapse", "sort": try await click(try await place(of: rest))
    case "tab": try await click(try await find { Self.place(of: rest, in: $0) })
    case "back", "dismiss":
      try await press("Escape")
      // A key right after Escape would count as that key with Alt.
      try await Task.sleep(for: .milliseconds(100))
    case "submit": try await press("Enter")
    case "cell":
      let numbers = rest.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { throw NeverShown(description: "cell needs a row and a column") }
      try await click(try await find { Self.cell(numbers[0], numbers[1], in: $0) })
    case "restart": try await killHost()
    case "undo" where !rest.isEmpty:
      try await self.await(rest)
      try await press("M-z")
    case "scroll":
      for _ in 0..<60 where try await !screen().contains(rest) {
        try await press("NPage")
        try await Task.sleep(for: .milliseconds(100))
      }
      try await self.await(rest)
    case "rows" where rest == "1": try await press("Home")
    case "expect": try await expect(rest)
    case "refuse":
      let patience = Patience(.seconds(5))
      while try await screen().contains(rest) {
        guard !patience.hasEnded else { throw NeverShown(description: "'\(rest)' stands on the screen") }
        try await Task.sleep(for: .milliseconds(20))
      }
    case "wait": try await Task.sleep(for: .seconds(Double(rest) ?? 0))
    case "fails":
      // A user sees the reason, for which the next command looks.
      let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
      try await perform(words.first ?? "", words.count > 1 ? words[1] : "")
    case "file":
      let parts = rest.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2 else { throw NeverShown(description: "file needs a label and a path") }
      try await click(try await place(of: parts[0]))
      try await self.await(parts[0] + ": ")
      try await type(parts[1])
      try await press("Enter")
    case "set", "action":
      let parts = rest.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2 else { throw NeverShown(description: "\(word) needs two values") }
      try await word == "set" ? set(parts[0], parts[1]) : act(parts[0], parts[1])
    default: throw NeverShown(description: "the terminal knows no command '\(word)' of scripts")
    }
  }

  /// Waits for a text in any form in which the terminal shows text of the plain front end.
  private func expect(_ text: String) async throws {
    var plain = text.replacingOccurrences(of: ": [", with: ": ")
    if plain != text, plain.hasSuffix("]") { plain.removeLast() }
    for mark in ["(drawing) ", "(image) ", "(chart) "] where plain.hasPrefix(mark) { plain.removeFirst(mark.count) }
    if plain.hasPrefix("* ") { plain = "●" + plain.dropFirst() }
    let ways = [
      text, plain, plain.replacingOccurrences(of: ": ", with: "  "), plain.replacingOccurrences(of: ": ", with: " *: "),
    ].map(Self.squeezed)
    let patience = Patience(.seconds(20))
    while true {
      let now = try await screen()
      let squeezed = Self.squeezed(now)
      if ways.contains(where: squeezed.contains) { return }
      guard !patience.hasEnded else {
        throw NeverShown(description: "'\(text)' never stood on the screen, which is:\n\(now)")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Returns a text with single blanks, because values are aligned in a column.
  private static func squeezed(_ text: String) -> String { text.replacing(#/ {2,}/#, with: " ") }

  /// Fills a field, sets a toggle, or selects a tab.
  private func set(_ label: String, _ value: String) async throws {
    let screen = try await find { screen in
      screen.contains(label + ":") || screen.contains(label + " *:") || screen.contains("] " + label)
        || screen.contains(value) ? screen : nil
    }
    if screen.contains("] " + label) {
      guard screen.contains((value == "on" ? "[ ] " : "[x] ") + label) else { return }
      return try await click(try await find { Self.place(of: "] " + label, in: $0) })
    }
    guard screen.contains(label + ":") || screen.contains(label + " *:") else {
      return try await click(try await find { Self.place(of: value, in: $0) })
    }
    try await click(
      try await find { Self.place(of: label + ":", in: $0) ?? Self.place(of: label + " *:", in: $0) })
    try await press("End")
    for _ in 0..<40 { try await press("BSpace") }
    try await type(value)
    // A password field shows bullets instead of its text.
    _ = try await find { $0.contains(value) || $0.contains(String(repeating: "•", count: value.count)) ? true : nil }
  }

  /// Returns the position of a board's cell, from row and column; a board's lines have at least three cells.
  private static func cell(_ row: Int, _ column: Int, in screen: String) -> (line: Int, column: Int)? {
    let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { number, line in
      (number, line.enumerated().filter { "·●○".contains($0.element) }.map(\.offset))
    }
    let rows = lines.filter { $0.1.count >= 3 }
    guard rows.indices.contains(row - 1), rows[row - 1].1.indices.contains(column - 1) else { return nil }
    // A click hits the third column of its target, but a cell is one column wide.
    return (rows[row - 1].0, rows[row - 1].1[column - 1] - 2)
  }

  /// Presses a command of a row's menu.
  private func act(_ row: String, _ command: String) async throws {
    let (line, _) = try await place(of: row)
    try await click(
      try await find { screen in
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line), let mark = lines[line].range(of: "⋯") else { return nil }
        // A click hits the third column of its target, but the mark is one column wide.
        return (line, lines[line].distance(from: lines[line].startIndex, to: mark.lowerBound) - 2)
      })
    try await click(try await place(of: command))
  }

  /// Waits until the screen has stopped changing and shows a match, because moving elements cannot be clicked.
  private func find<Found>(_ search: (String) -> Found?) async throws -> Found {
    let patience = Patience(.seconds(20))
    var before = ""
    while true {
      let now = try await screen()
      if now == before, let found = search(now) { return found }
      before = now
      guard !patience.hasEnded else { throw NeverShown(description: "it never stood on:\n\(now)") }
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  /// Returns the position of a button, or of a row or title that begins with the label after any marks.
  private func place(of label: String) async throws -> (line: Int, column: Int) {
    try await find { screen in
      if let place = Self.place(of: "[ \(label) ]", in: screen) { return place }
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        guard let range = line.range(of: label) else { continue }
        // Rows begin with symbols.
        let before = line[..<range.lowerBound].drop { !$0.isLetter && !$0.isNumber }
        let after = line[range.upperBound...]
        // A column title may follow other titles.
        guard before.isEmpty || before.hasSuffix("  "), after.isEmpty || after.hasPrefix(" ") else { continue }
        guard after.isEmpty || after.hasPrefix("  ") || before.hasSuffix("  ") || " ▴▾▲▼".contains(after.last ?? " ")
        else { continue }
        return (number, line.distance(from: line.startIndex, to: range.lowerBound))
      }
      return nil
    }
  }

  private static func place(of text: String, in screen: String) -> (line: Int, column: Int)? {
    for (number, line) in screen.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let range = line.range(of: text) else { continue }
      return (number, line.distance(from: line.startIndex, to: range.lowerBound))
    }
    return nil
  }

  /// Clicks the mouse, in the format of xterm's X10 reports.
  private func click(_ place: (line: Int, column: Int)) async throws {
    let sign = [place.column + 3, place.line + 1].compactMap { Unicode.Scalar($0 + 32) }
      .map { String(Character($0)) }.joined()
    try await type("\u{1b}[M \(sign)\u{1b}[M#\(sign)")
    // The next search must see the result of the click, not the screen before it.
    try await Task.sleep(for: .milliseconds(100))
  }

  /// The host of the command in the terminal: the older of two, because the other is its spare.
  ///
  /// - Throws: ``NeverShown`` if there is none.
  @_spi(FrontEnd) public var hostProcessID: Int32 {
    get async throws {
      var processes = [try await processID]
      var hosts: [Int32] = []
      while let process = processes.popLast() {
        if let name = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe"),
          name.hasSuffix("/gangway-host"), !isWatcher(process)
        {
          hosts.append(process)
        }
        processes += children(of: process)
      }
      guard let host = hosts.min(by: { startTime(of: $0) < startTime(of: $1) }) else {
        throw NeverShown(description: "there is no host")
      }
      return host
    }
  }

  /// Kills the host that shows the session, so that another takes over.
  private func killHost() async throws {
    kill(try await hostProcessID, SIGKILL)
    try await Task.sleep(for: .milliseconds(500))
  }
}
