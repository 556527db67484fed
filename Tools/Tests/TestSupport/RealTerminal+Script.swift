import Foundation

/// Scripts of the plain front end, carried out as a person at the terminal would: with mouse and keys.
extension RealTerminal {
  /// Runs the commands `tap`, `set`, `tab`, `back`, `dismiss`, `expect`, `refuse` and `wait` of a script.
  ///
  /// - Throws: ``NeverShown`` naming the line that failed.
  public func run(script: String) async throws {
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
    case "tap": try await click(try await self.await("[ \(rest) ]"), "[ \(rest) ]")
    case "tab": try await click(try await self.await(rest), rest)
    case "back", "dismiss": try await press("Escape")
    case "expect": try await self.await(rest)
    case "refuse":
      let deadline = ContinuousClock.now + .seconds(5)
      while try await screen().contains(rest) {
        guard ContinuousClock.now < deadline else { throw NeverShown(description: "'\(rest)' stands on the screen") }
        try await Task.sleep(for: .milliseconds(20))
      }
    case "wait": try await Task.sleep(for: .seconds(Double(rest) ?? 0))
    case "set":
      let parts = rest.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2 else { throw NeverShown(description: "set needs a label and a value") }
      try await click(try await self.await(parts[0] + ":"), parts[0] + ":")
      try await press("End")
      for _ in 0..<40 { try await press("BSpace") }
      try await type(parts[1])
      try await self.await(parts[1])
    default: throw NeverShown(description: "the terminal knows no command '\(word)' of scripts")
    }
  }

  /// Presses the mouse's button where a text stands, as the terminal would report it: xterm's X10 format.
  private func click(_ screen: String, _ text: String) async throws {
    for (row, line) in screen.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let range = line.range(of: text) else { continue }
      let column = line.distance(from: line.startIndex, to: range.lowerBound) + 3
      let place = [column, row + 1].compactMap { Unicode.Scalar($0 + 32) }.map { String(Character($0)) }.joined()
      try await type("\u{1b}[M \(place)\u{1b}[M#\(place)")
      return
    }
    throw NeverShown(description: "'\(text)' is not to be clicked at on:\n\(screen)")
  }
}
