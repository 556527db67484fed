/// The messages of the terminal front end, by topic; the code that decides which message to show is elsewhere.
enum Words {
  /// Messages in the last line, and about the window.
  enum Status {
    static let reloading = "Reloading…"
    static let restarted = "The features were restarted."
    static let working = "working …"
    static let noRows = "This screen has no rows to filter. Ctrl-P finds commands, tabs and links."
    static let textLost = "The app did not receive your text. Edit the text in its field to send it again, or copy it."
    static let lastInputLost = "The app did not answer, so your last input may be lost."
    static let noFieldToPasteInto = "Nothing was pasted. Choose a text field first."
    static let noReport = "There is no report, because nothing has crashed."

    static func progress(_ label: String, percent: Int) -> String { "\(label) \(percent)%" }

    static func copied(_ text: String) -> String { "Copied: \(text)" }

    static func pasteCut(limit: Int) -> String {
      "Pasted the first \(limit) characters; the rest was cut. Paste it in parts."
    }

    static func disabled(_ label: String, reason: String?) -> String {
      "'\(label)' cannot be used now\(reason.map { ": \($0)." } ?? ".")"
    }

    static func cancellable(_ activity: String) -> String { "\(activity)   Esc cancels" }

    static func windowTooSmall(columns: Int, rows: Int, neededColumns: Int, neededRows: Int) -> String {
      "The window is too small (\(columns)×\(rows)). Enlarge it to at least "
        + "\(neededColumns)×\(neededRows)."
    }
  }

  /// The view of a report or a message.
  enum Report {
    static let title = "Report"
    static let messageTitle = "Message"

    /// The text before the path of a report, in the messages of the supervisor.
    static let mark = "Report: "

    static func path(_ path: String) -> String { "The report is \(path)" }

    static func notAFile(_ path: String) -> String { "'\(path)' is not a file." }

    static func notWritten(_ path: String, reason: String) -> String {
      "\(path) is not written yet: \(reason). Try again in a moment."
    }
  }

  /// The list of files, and files that features offer.
  enum Files {
    static let empty = "The folder is empty."
    static let unreadable = "This folder cannot be read."

    static func sending(_ name: String) -> String { "Sending '\(name)' …" }

    static func saved(_ name: String, in folder: String) -> String { "Saved '\(name)' in \(folder)." }
  }

  /// The front end's own questions.
  enum Ask {
    static let quitTitle = "Quit?"
    static let quitMessage = "Your input on this screen is not stored."
    static let stay = "Stay"
    static let quit = "Quit"
    static let restartTitle = "Restart all features?"
    static let restartMessage = "Running work stops, and typed passwords are lost."
    static let cancel = "Cancel"
    static let restart = "Restart"
  }

  /// Texts inside of elements.
  enum Content {
    static let noValues = "There are no values."

    static func linesBefore(_ count: Int) -> String { "… earlier lines: \(count)" }
  }

  /// The reasons why a terminal cannot be used.
  enum Terminal {
    static let none = "standard input or standard output is not a terminal"
    static let noType = "TERM is not set"

    static func unknownType(_ name: String) -> String { "the terminal '\(name)' is unknown: set TERM to another name" }

    static func fixedCursor(_ name: String) -> String {
      "the terminal '\(name)' cannot move its cursor: set TERM to another name"
    }
  }

  /// The mistakes in a file of settings.
  enum Setting {
    static func mistake(in file: String, line: Int, _ mistake: String) -> String { "\(file), line \(line): \(mistake)" }

    static func noEqualsSign(_ line: String) -> String { "'\(line)' has no '='. Write NAME = VALUE." }

    static func notASetting(_ name: String) -> String {
      "'\(name)' is not a setting. Write a setting as 'theme = dark', or a key as 'key j = down'. Use lower case "
        + "for the names."
    }

    static func unknown(_ kind: String, _ value: String, nearest: String) -> String {
      "there is no \(kind) '\(value)'; did you mean '\(nearest)'?"
    }

    static func unknown(_ kind: String, _ value: String, known: [String]) -> String {
      "there is no \(kind) '\(value)'; values are \(known.joined(separator: ", "))."
    }

    static func reservedKey(_ name: String) -> String {
      "'\(name)' means something else to terminals. Choose another key."
    }

    static func unknownKey(_ name: String) -> String {
      "there is no key '\(name)'. Write a key as x, Ctrl-X, Alt-x or F1 to F12."
    }

    // The kinds of values.
    static let theme = "theme"
    static let colour = "colour"
    static let choice = "choice"
    static let command = "command"
    static let setting = "setting"
  }
}
