@_spi(FrontEnd) import GangwayProtocol

extension Words {
  /// The titles of the pages that explain why a request is refused.
  enum RefusalTitle {
    static let alreadyUsed =
      "This address was already used"
    static let busy = "Busy"
    static let cookiesNeeded = "Cookies are needed"
    static let full = "Full"
    static let noPrefetch = "No prefetch"
    static let notAllowed = "Not allowed"
    static let notHere = "Request refused"
    static let nothingHere = "Nothing here"
    static let notNow = "Not available now"
    static let tooFast = "Too fast"
    static let tooLong = "Too long"
    static let tooMany = "Too many"
    static let unknownBrowser = "Who are you?"
    static let wrongForm = "Unknown form"
  }

  /// The texts of these pages.
  enum Refusal {
    static let alreadyUsed =
      "This address works once, for one browser. Open the last address that 'gangway' printed."
    static let busy = "The server has too many users at the moment. Try again in a minute."
    static let cookiesNeeded = "This browser did not send its cookie back. Allow cookies for this site, and go back."
    static let noPrefetch = "This page cannot be prefetched. Open it."
    static let noNewUsers = "The server cannot admit new users at the moment. Try again later."
    static let unknownBrowser =
      "This browser is not known. Open the last address that 'gangway' printed. That address admits one browser."
    static let unknownDeveloper = "Open the last address that 'gangway' printed. Then open this page again."
    static let wrongForm = "The form is not from a page of this server. Reload the page."
    static let appDoesNotStart = "The app does not start at the moment. Your work is kept. The server keeps trying."

    /// The sentence that follows the one about the app.
    static let reload = "Reload this page in a moment."

    static func noPage(_ path: String) -> String { "There is no page '\(path)'." }

    static func onlyLocal(_ path: String) -> String { "The page '\(path)' exists only on the server's own machine." }

    static func method(_ method: String) -> String { "This server accepts GET, HEAD and POST, not '\(method)'." }

    static func tooLong(limit: Int) -> String { "The limit is \(limit) bytes. Shorten your input." }

    static func tooFast(limit: Int) -> String {
      "You sent more than \(limit) requests a second. Wait a moment, and reload this page."
    }

    static func tooManyPages(_ count: Int) -> String {
      "You have reached the limit of open sessions (\(count)). Close the pages of one session, and reload this page."
    }

    static func pagesFull(_ count: Int) -> String {
      "The server has reached its limit of open sessions (\(count)). Try again later."
    }

    static func usersFull(_ count: Int) -> String {
      "The server has reached its limit of users (\(count)). Try again later."
    }

    // Where a request comes from.

    static let noHost = "The request has no host name. Open the last address that 'gangway' printed."

    static func otherHost(_ host: String, names: String) -> String {
      "This server is not '\(host)'. Its names are \(names); add one with --name."
    }

    static func otherOrigin(_ origin: String, names: String) -> String {
      "A page of '\(origin)' sent this request. Only pages of \(names) may send requests."
    }

    static func otherSite(names: String) -> String { "Another website sent this request. Open the page on \(names)." }
  }

  /// The answers to browsers that ask for a file; ``PageWords`` has those to files that browsers send.
  enum Download {
    static let tooMany = "Too many files are on their way. Try again when one has arrived."
    static let fileGone = "This file is no longer there. Ask for it again on the screen that offered it."
  }

  /// The reasons why the connection of a page is closed, and the message about an action that failed.
  enum Connection {
    static let tooMuch = "This page sent too many messages."

    static func tooFast(limit: Int) -> String { "You sent more than \(limit) actions a second. Reload the page." }

    static func notAMessage(_ text: String) -> String { "'\(text)' is not a message that a page can send." }

    static let notDone = "This did not work. Try again in a moment."
  }
}
