/// The messages of the web server, by topic; the code that decides which message to show is elsewhere.
///
/// The client in the browser has a few of its own, at the top of `gangway.js`.
enum Words {
  /// The labels of a page, apart from the texts of features.
  enum Page {
    static let skip = "Skip to the content"
    static let enter = "Enter"
    static let messages = "Messages"
    static let tabs = "Main"
    static let innerTabs = "Section"
    static let path = "Path"
    static let back = "Back"
    static let close = "Close"
    static let undo = "Undo"
    static let save = "Save"
    static let scriptsForFiles = "To choose a file, allow scripts for this site."
    static let sending = "Sending"
    static let actions = "Actions"
    static let required = "required"
    static let chart = "Chart"
    static let values = "Values"

    /// The label of a cell in a grid.
    static func cell(row: Int, column: Int, text: String, isMarked: Bool) -> String {
      "row \(row), column \(column): \(text.isEmpty ? "empty" : text)"
        + (isMarked ? ", marked" : "")
    }
  }

  /// The page that lets a browser in.
  enum Welcome {
    static let title = "Welcome"
    static let text = "Opening…"
  }

  /// The page for developers.
  enum Inspector {
    static let title = "Sessions and plugins"
    static let stopFollowing = "Stop following"
    static let reload = "Reload"
    static let follow = "Follow"
    static let counters = "Counters"
    static let health = "Health"
    static let noSession = "You have no running session. Open a page of the app, and reload this page."
    static let plugins = "Plugins"
    static let graph = "Dependencies between plugins"
    static let untitled = "Untitled"
    static let tree = "Navigation tree"
    static let history = "History, newest first"

    static func pages(_ count: Int) -> String {
      count == 1 ? "1 open page shows this session." : "\(count) open pages show this session."
    }
  }
}
