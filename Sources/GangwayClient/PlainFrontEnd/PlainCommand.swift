@_spi(FrontEnd) import GangwayProtocol

/// The reason why a command of the plain front end failed.
@_spi(FrontEnd) public struct PlainFailure: Error, Hashable, CustomStringConvertible {
  /// The problem, its reason and its fix.
  public let description: String
  /// Creates a failure.
  package init(_ description: String) { self.description = description }
}

/// A command line of the plain front end, from a user or a script.
indirect enum PlainCommand: Hashable {
  case tap(String)
  case start(String)
  case cell(row: Int, column: Int)
  case set(String, value: String)
  case expand(String, isExpanded: Bool)
  case select(String)
  case action(String, row: String)
  case sort(String)
  case scroll(String)
  case rows(from: Int)
  case submit
  case file(String, path: String)
  case save(String, path: String?)
  case tab(String)
  case back
  case dismiss
  case screen
  case tree
  case open(String)
  case undo(String?)
  case messages
  case redo
  case history
  case expect(String)
  case refuse(String)
  case fails(PlainCommand, line: String)
  case wait(Duration)
  case restart
  case reload(PluginID?)
  case help
  case quit

  /// Whether the command reads or acts on the screen, and so waits for loading.
  ///
  /// Other commands leave the screen, which the user may want instead of waiting, or wait on their own.
  var readsScreen: Bool {
    switch self {
    case .tap, .start, .cell, .set, .expand, .select, .action, .sort, .scroll, .rows, .submit, .file, .screen, .tree,
      .undo, .redo, .history, .refuse, .messages:
      true
    case .fails(let command, _): command.readsScreen
    case .save, .tab, .back, .dismiss, .open, .expect, .wait, .restart, .reload, .help, .quit: false
    }
  }

  /// Whether the command sends an action to the session, which may refuse it.
  var isAction: Bool {
    switch self {
    case .tap, .start, .cell, .set, .expand, .select, .action, .sort, .submit, .file, .tab, .back, .dismiss, .open,
      .undo, .redo:
      true
    case .scroll, .rows, .save, .screen, .tree, .messages, .history, .expect, .refuse, .fails, .wait, .restart,
      .reload, .help, .quit:
      false
    }
  }

  static let words = [
    "tap", "start", "cell", "set", "expand", "collapse", "select", "action", "sort", "scroll", "rows", "submit", "file",
    "save",
    "tab", "back", "dismiss", "open", "undo", "redo", "messages", "screen", "tree", "history", "expect",
    "refuse", "fails", "wait", "restart", "reload", "help", "quit",
  ]

  static let summary = """
    tap LABEL            press a button or link, or turn a toggle on or off, and wait for the end of its work
    start LABEL          the same as tap, without waiting for the end of the work; expect can wait for its result
    cell ROW COLUMN      press a cell of the grid; rows and columns count from 1
    set LABEL = VALUE    fill a field, set a toggle to on or off, choose an option or a pane
    expand, collapse LABEL  show the content of a row or disclosure, or hide it
    select ROW           select a row, or deselect it; ROW is the text in the row, or its key
    action ROW = LABEL   press a command of a row's menu
    sort COLUMN          sort the table by a column; again, to reverse the order
    scroll ROW           scroll a long list or table to a row
    rows NUMBER          show the rows of the list or table from row NUMBER on; rows count from 1
    submit               press Enter in the form
    file LABEL = PATH    choose a file of yours, which must exist; the feature gets a copy
    save NAME [= PATH]   save a file that a feature offered: in the folder for downloads, or at PATH; replaces no file
    tab TITLE            show a tab
    back, dismiss        one step back; dismiss the topmost modal
    open URL             open a link
    undo, redo           undo the last change of the tree, or redo it
    undo MESSAGE         run the undo action of a message
    messages             print the messages, the newest last
    screen, tree         print what is visible, or the navigation tree
    history              print the changes of the tree, the newest last
    expect TEXT          wait until the screen or a new message has a text; refuse TEXT: fail if the screen has it
    fails COMMAND        run a command that must be refused; expect REASON then reads the reason
    wait SECONDS
    restart              end the host at once, and restore the session (under a supervisor)
    reload [ID]          load the current file of a plugin; by default, of the plugin in front (under a supervisor)
    quit
    LABEL is the printed label, or #id; 'LABEL #2' is the second element with that label.
    """

  /// Parses a line; nil for an empty line or a comment, which begins with `# `.
  ///
  /// - Throws: ``PlainFailure``, which says what the command takes, or suggests a command.
  init?(_ line: String) throws {
    let line = Self.trimmed(line)
    guard !line.isEmpty, line != "#", !line.hasPrefix("# ") else { return nil }
    let word = String(line.prefix { $0 != " " })
    let rest = Self.trimmed(String(line.dropFirst(word.count)))
    func text(_ what: String) throws -> String {
      guard !rest.isEmpty else { throw PlainFailure("'\(word)' needs \(what).") }
      return rest
    }
    switch word {
    case "tap": self = .tap(try text("a label: tap LABEL"))
    case "start": self = .start(try text("a label: start LABEL"))
    case "cell": self = try Self.cell(rest)
    case "set":
      let (label, value) = try Self.assignment(rest, "'set' needs a label and a value: set LABEL = VALUE.")
      self = .set(label, value: value)
    case "expand", "collapse":
      self = .expand(try text("a label: \(word) LABEL"), isExpanded: word == "expand")
    case "select": self = .select(try text("a row: select ROW"))
    case "action":
      let (row, label) = try Self.assignment(rest, "'action' needs a row and a command: action ROW = LABEL.")
      self = .action(label, row: row)
    case "sort": self = .sort(try text("a column: sort COLUMN"))
    case "scroll": self = .scroll(try text("a row: scroll ROW"))
    case "rows":
      guard let number = Int(rest), number > 0 else {
        throw PlainFailure("'rows' needs a number counted from 1: rows NUMBER. It got '\(rest)'.")
      }
      self = .rows(from: number - 1)
    case "submit": self = .submit
    case "file": self = try Self.file(rest)
    case "save": self = Self.save(try text("the name of an offered file: save NAME"))
    case "tab": self = .tab(try text("a title: tab TITLE"))
    case "back": self = .back
    case "dismiss": self = .dismiss
    case "screen": self = .screen
    case "tree": self = .tree
    case "open": self = .open(try text("a URL: open URL"))
    case "undo": self = .undo(rest.isEmpty ? nil : rest)
    case "messages": self = .messages
    case "redo": self = .redo
    case "history": self = .history
    case "expect": self = .expect(try text("a text: expect TEXT"))
    case "refuse": self = .refuse(try text("a text: refuse TEXT"))
    case "fails":
      guard let command = try PlainCommand(rest), command.isAction else {
        throw PlainFailure("'fails' needs a command that acts on the screen: fails tap LABEL. It got '\(rest)'.")
      }
      self = .fails(command, line: rest)
    case "wait":
      guard let seconds = Double(rest), (0...86_400).contains(seconds) else {
        throw PlainFailure("'wait' needs a number of seconds from 0 to 86400, not '\(rest)'.")
      }
      self = .wait(.seconds(seconds))
    case "restart": self = .restart
    case "reload": self = .reload(rest.isEmpty ? nil : PluginID(rawValue: rest))
    case "help", "?": self = .help
    case "quit", "exit": self = .quit
    default:
      let nearest = NearestMatch.of(word, among: Self.words).map { " Did you mean '\($0)'?" } ?? ""
      throw PlainFailure(
        "There is no command '\(word.prefix(80))'.\(nearest) Commands: \(Self.words.joined(separator: ", ")).")
    }
  }

  private static func file(_ rest: String) throws -> PlainCommand {
    let (label, path) = try assignment(rest, "'file' needs a label and a path: file LABEL = PATH.")
    return .file(label, path: path)
  }

  private static func save(_ rest: String) -> PlainCommand {
    let parts = try? assignment(rest, "")
    return .save(parts?.0 ?? rest, path: parts?.1)
  }

  private static func cell(_ rest: String) throws -> PlainCommand {
    let numbers = rest.split(separator: " ").map { Int($0) }
    guard numbers.count == 2, let row = numbers[0], let column = numbers[1], row > 0, column > 0 else {
      throw PlainFailure("'cell' needs two numbers counted from 1: cell ROW COLUMN. It got '\(rest)'.")
    }
    return .cell(row: row - 1, column: column - 1)
  }

  private static func assignment(_ rest: String, _ need: String) throws -> (String, String) {
    guard let mark = rest.range(of: " =") else { throw PlainFailure("\(need) It got '\(rest)'.") }
    return (trimmed(String(rest[..<mark.lowerBound])), trimmed(String(rest[mark.upperBound...])))
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}

extension String {
  /// Returns the first range of a text in this one.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
