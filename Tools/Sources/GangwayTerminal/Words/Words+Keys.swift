extension Words {
  /// The names of keys.
  enum KeyName {
    static let space = "Space"
    static let enter = "Enter"
    static let tab = "Tab"
    /// The keys of a tab bar, by the number of its tabs.
    static func tabs(_ count: Int) -> String { "1-\(count)" }
    static let escape = "Esc"
    static let nextPane = "F6"
    static let pageUp = "PgUp"
    static let pageDown = "PgDn"
    static let home = "Home"
    static let end = "End"

    static func alt(_ character: String) -> String { "Alt-\(character)" }

    static func control(_ letter: String) -> String { "Ctrl-\(letter)" }
  }

  /// The effects of keys, as hints in the last line; the key stands before its effect.
  enum Hint {
    static let allRows = "all rows"
    static let back = "back"
    static let cancel = "cancel"
    static let choose = "choose"
    static let chooseFile = "choose a file"
    static let close = "close"
    static let column = "column"
    static let columns = "columns"
    static let details = "details"
    static let done = "done"
    static let filter = "filter"
    static let goTo = "go to"
    static let hide = "hide"
    static let hideShow = "hide, show"
    static let keep = "keep"
    static let keys = "keys"
    static let menu = "menu"
    static let move = "move"
    static let newLine = "new line"
    static let next = "next"
    static let open = "open"
    static let press = "press"
    static let quit = "quit"
    static let restart = "restarts all features"
    static let select = "select"
    static let show = "show"
    static let sort = "sort"
    static let step = "step"
    static let submit = "submit"
    static let tabs = "tabs"
    static let turnOff = "turn off"
    static let turnOn = "turn on"
    static let undoMessage = "undoes it"

    static func more(_ count: Int) -> String { "\(count) more" }

    static func nearest(of rows: Int) -> String { "filters only the loaded rows (the list has \(rows) rows)" }
  }

  /// The lists over the app, and their items.
  enum List {
    static let palette = "Go to"
    static let help = "Keys"
    static let messages = "Messages"
    static let narrow = "type to narrow the list"
    static let save = "save"
    static let noMessages = "No messages yet."

    static func noMatch(_ query: String) -> String { "Nothing matches '\(query)'." }
    static func action(_ label: String, of row: String) -> String { "\(row): \(label)" }

    // The keys of each view, in its last line.
    static let textKeys = "↑ ↓ PgUp PgDn scroll   y copy   Esc close"
    static let messageKeys = "↑ ↓ move   Enter read or undo   Esc close"
    static let itemKeys = "↑ ↓ move   Enter choose   Esc close"

    // The descriptions of items.
    static let open = "open"
    static let here = "here"
    static let command = "command"
    static let copyLink = "copy the link"
    static let linkHere = "link here"
    static let tab = "tab"
    static let link = "link"
    static let recentTab = "recent tab"
    static let recentLink = "recent link"
    static let report = "report"
    static let undo = "undo"
  }

  /// The front end's own commands.
  enum CommandName {
    static let back = "Back"
    static let undo = "Undo the last step"
    static let redo = "Redo"
    static let filter = "Filter the rows of this screen"
    static let copy = "Copy"
    static let messages = "Messages"
    static let report = "The last report"
    static let help = "Keys"
    static let reload = "Reload this feature"
    static let restart = "Restart all features"
    static let quit = "Quit"
    /// The purpose of the command for the report, in the list of keys.
    static let reportPurpose = "the last report"
  }

  /// The fixed keys in the list of keys, before and after those of the commands.
  enum Help {
    static let first = [
      ("Tab, ↓ / Shift-Tab, ↑", "next / previous"), ("Enter", "press"), ("Space", "switch a toggle, select a row"),
      ("← →", "move between options, cells, buttons, columns"), ("F6", "next column"),
      ("PgUp, PgDn, Home, End, wheel", "scroll"),
      ("letters", "go to the element that begins with them"),
    ]
    static let last = [
      (KeyName.tabs(9), Hint.tabs), ("Alt and a key", "same as the key alone; also works in a text field"),
      ("Ctrl-A, Ctrl-E", "start and end of the line (Home, End)"),
      ("Ctrl-W, Alt-D", "delete the previous or next word"),
      ("Ctrl-U, Ctrl-K", "delete to the start or end of the line"), ("Ctrl or Alt with ← →", "move by words"),
      ("Shift with ← →, Alt-A", "select, select all"), ("Alt-C", "copy from a text field"),
      ("Ctrl-_, Alt-_", "undo and redo typing"),
    ]
  }
}
