import GangwayProtocol

/// A list that covers the app, of which something is chosen: it is narrowed by typing.
struct ListOverlay: Equatable {
  enum Kind: Equatable {
    /// Everywhere one can go, and everything that can be done.
    case palette
    case help
    /// What was told, the newest first.
    case messages
  }

  var kind: Kind
  var query = ""
  var selected = 0
}

/// A question of the front end's own. What is safe has the keyboard.
struct Question: Equatable {
  var title: String
  var message: String
  var safe: String
  var confirm: String
  var isConfirmChosen = false
  var outcome: KeyOutcome

  static let quit = Question(
    title: "Quit?", message: "What you typed here is not stored.", safe: "Stay", confirm: "Quit", outcome: .quit)
  static let restart = Question(
    title: "Restart all features?", message: "What is being done now, and passwords that are typed in, are lost.",
    safe: "Cancel", confirm: "Restart", outcome: .restart)
}

/// A line of a list that covers the app.
struct ListedItem: Equatable {
  /// What choosing it does.
  enum Action: Equatable {
    case outcome(KeyOutcome)
    /// A press on an element.
    case press(NodeID, ElementID)
    case command(Command)
    /// Another text to go on typing from.
    case query(String)
    case undo(NoticeID)
    /// A message is shown whole.
    case read(String)
  }

  var title: String
  /// What it is, at the end of the line.
  var detail = ""
  var color = Style.Color.standard
  /// Nil where there is nothing to do.
  var action: Action?
}

/// Finds what a person means by a few letters: they stand in the text in this order, the nearer together the better.
enum FuzzyMatch {
  /// How well letters match a text, more for better; nil where they do not.
  static func score(_ letters: String, in text: String) -> Int? {
    let wanted = Array(letters.lowercased())
    guard !wanted.isEmpty else { return 0 }
    let text = Array(text.lowercased().prefix(500))
    if let start = start(of: wanted, in: text) {
      // Together, and better still at the beginning of the text or of a word.
      let isWord = start == 0 || !text[start - 1].isLetter && !text[start - 1].isNumber
      return (start == 0 ? 1_500 : isWord ? 1_250 : 300) - text.count
    }
    var (next, score, last) = (0, 0, -2)
    for (place, character) in text.enumerated() where next < wanted.count && character == wanted[next] {
      let isWord = place == 0 || !text[place - 1].isLetter && !text[place - 1].isNumber
      score += (place == last + 1 ? 8 : 0) + (isWord ? 20 : 0)
      (next, last) = (next + 1, place)
    }
    return next == wanted.count ? score * 10 - text.count : nil
  }

  private static func start(of wanted: [Character], in text: [Character]) -> Int? {
    guard wanted.count <= text.count else { return nil }
    return (0...text.count - wanted.count).first { text[$0..<$0 + wanted.count].elementsEqual(wanted) }
  }
}
