@_spi(FrontEnd) import GangwayProtocol

/// The front end for a screen reader: it draws nothing, says everything once, and numbers all interactive elements.
extension PlainFrontEnd {
  /// The last spoken state.
  struct Said {
    var screen: SpokenScreen?
    /// The numbers of interactive elements.
    ///
    /// An element keeps its number as long as its screen is in front.
    var numbers: [ElementID: Int] = [:]
  }

  static let numbersSummary = """
    NUMBER               press the element with this number, or turn it on or off
    set NUMBER = VALUE   fill the field with this number
    screen               read the whole screen again

    """

  /// Speaks the screen.
  ///
  /// - Parameter isWhole: whether to speak all of it, and not only the changes.
  func speak(isWhole: Bool) {
    let now = SpokenScreen(connection.presentation)
    let changes = isWhole ? now.lines : now.changes(from: said.screen)
    // After a command, the user must hear that it is done.
    let nothing = [SpokenScreen.Line(text: "Nothing has changed on the screen.")]
    say(changes.isEmpty ? nothing : changes, of: now)
  }

  /// Speaks changes that no command caused: new elements and other screens, but not every tick of a clock.
  func speakUnasked() {
    let now = SpokenScreen(connection.presentation)
    let known = Set(said.screen?.lines.compactMap(\.element) ?? [])
    let isElsewhere = now.place != said.screen?.place
    let new = now.changes(from: said.screen).filter { line in
      isElsewhere || line.element.map { !known.contains($0) } == true
    }
    guard !new.isEmpty else { return }
    prompt?.pause()
    say(new, of: now)
    prompt?.ask()
  }

  private func say(_ lines: [SpokenScreen.Line], of screen: SpokenScreen) {
    if screen.place != said.screen?.place { said.numbers = [:] }
    said.screen = screen
    for line in screen.lines where line.isAction {
      guard let id = line.element, said.numbers[id] == nil else { continue }
      said.numbers[id] = said.numbers.count + 1
    }
    let texts = lines.map { line in
      let number = line.isAction ? line.element.flatMap { said.numbers[$0] } : nil
      return (number.map { "\($0). " } ?? "") + line.text + "\n"
    }
    write(texts.joined())
  }

  /// Returns the line with the element's id instead of its number: `3` presses the element, `set 3 = text` fills it.
  ///
  /// - Throws: ``PlainFailure`` if no element has the number.
  func withNumbers(_ line: String) throws -> String {
    var words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    func id(_ word: String) -> String? {
      guard let number = Int(word) else { return nil }
      return said.numbers.first { $0.value == number }.map { "#\($0.key)" }
    }
    if words.count == 1, Int(words[0]) != nil {
      guard let element = id(words[0]) else {
        throw PlainFailure("No element has the number \(words[0]). Enter 'screen' to read the screen again.")
      }
      return "tap " + element
    }
    guard words.count > 1, ["tap", "set", "expand", "collapse", "file"].contains(words[0]), let element = id(words[1])
    else {
      return line
    }
    words[1] = element
    return words.joined(separator: " ")
  }
}
