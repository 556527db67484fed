/// The messages of the web server, by topic; the code that decides which message to show is elsewhere.
///
/// ``PageWords`` has the words of a page and its script, in several languages.
enum Words {
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
