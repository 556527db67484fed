@_spi(FrontEnd) import GangwayProtocol

/// A list over the app, to choose an item from; typing narrows it.
struct ListOverlay: Equatable {
  enum Kind: Equatable {
    /// Tabs, links and commands.
    case palette
    case help
    /// The messages, newest first.
    case messages
    /// Files of this machine, for a feature.
    case files(FileChoice)
  }

  var kind: Kind
  var query = ""
  var selected = 0
}

/// A question from the front end itself; the safe answer has focus.
struct Question: Equatable {
  var title: String
  var message: String
  var safe: String
  var confirm: String
  var isConfirmChosen = false
  var outcome: KeyOutcome

  static let quit = Question(
    title: Words.Ask.quitTitle, message: Words.Ask.quitMessage, safe: Words.Ask.stay, confirm: Words.Ask.quit,
    outcome: .quit)
  static let restart = Question(
    title: Words.Ask.restartTitle, message: Words.Ask.restartMessage, safe: Words.Ask.cancel,
    confirm: Words.Ask.restart, outcome: .restart)
}

/// An item of a list over the app.
struct ListedItem: Equatable {
  /// The effect of choosing the item.
  enum Action: Equatable {
    case outcome(KeyOutcome)
    /// Press an element.
    case press(NodeID, ElementID)
    case command(Command)
    /// Replace the query, to keep typing from there.
    case query(String)
    case undo(NoticeID)
    /// Show a whole message.
    case read(String)
    /// Give a file to the feature that asks for one, or show a folder.
    case path(String)
  }

  var title: String
  /// A description, at the end of the line.
  var detail = ""
  var color = Style.Color.standard
  /// The action of the item; nil if it has none.
  var action: Action?
}

/// A match of a few letters, which must appear in a text in this order; the closer together, the better.
enum FuzzyMatch {
  /// Returns how well letters match a text, higher for better; nil if they do not match.
  static func score(_ letters: String, in text: String) -> Int? {
    let wanted = Array(letters.lowercased())
    guard !wanted.isEmpty else { return 0 }
    let text = Array(text.lowercased().prefix(500))
    if let start = start(of: wanted, in: text) {
      // Adjacent letters score higher, most of all at the beginning of the text or of a word.
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
