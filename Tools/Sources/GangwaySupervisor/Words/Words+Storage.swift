extension Words {
  /// Messages about the files of stored sessions.
  enum Stored {
    static func inUse(_ path: String, process: Int32?) -> String {
      let other = process.map { " (process \($0))" } ?? ""
      return "The stored session '\(path)' is in use by another app\(other). This app starts a new session, which is "
        + "not stored. Close the other app first, or name another file with --state."
    }

    static func notNow(_ path: String) -> String {
      "The session '\(path)' cannot be opened now because too many files are open. It is kept. Raise the limit of "
        + "open files."
    }

    static func damaged(_ path: String, problems: String, copy: String) -> String {
      "The stored session '\(path)' is damaged. It was opened without the damaged part: \(problems). \(copy)"
    }

    static func copyKept(_ name: String) -> String { "The damaged file is kept as '\(name)'." }

    static func copyNotKept(reason: String) -> String { "The damaged file could not be kept: \(reason)." }

    static func notAFile(_ path: String, kind: String) -> String {
      "The stored session '\(path)' is not a regular file but \(kind). It was not changed. The new session is "
        + "not stored; choose another file with --state, or another folder with --state-dir."
    }

    static func moved(_ path: String, to name: String, reason: String) -> String {
      "The stored session '\(path)' was moved to '\(name)': \(reason). A new session starts."
    }

    static func notMoved(_ path: String, reason: String, system: String) -> String {
      "The stored session '\(path)' cannot be used: \(reason). It could not be moved: "
        + "\(system). The new session is not stored; choose another file with --state, "
        + "or another folder with --state-dir."
    }

    static func notEncoded(reason: String) -> String { "The session could not be stored: \(reason)." }

    static func notStored(_ problem: String, reason: String) -> String {
      "The session was not stored: \(problem): \(reason). The previous state is kept."
    }

    // The problems of writing.

    static func notCreated(_ path: String) -> String { "'\(path)' could not be created" }

    static func notWritten(_ path: String) -> String { "'\(path)' could not be written" }

    static func notReplaced(_ path: String) -> String { "'\(path)' could not be replaced" }
  }

  /// The reasons why a stored session is set aside, and the problems of its lines.
  enum Unusable {
    static let newRequested = "a new session was requested"
    static let notRegular = "it is not a regular file"
    static let incomplete = "it is not a stored session: it has no complete line"

    static func notOpened(reason: String) -> String { "it could not be opened: \(reason)" }

    static func notRead(reason: String) -> String { "it could not be read: \(reason)" }

    static func foreign(owner: UInt32, user: UInt32) -> String {
      "it belongs to user \(owner), but the current user is \(user)"
    }

    static func open(mode: String) -> String { "others can read or write it (mode \(mode), not 600)" }

    static func tooLarge(bytes: Int, limit: Int) -> String { "it has \(bytes) bytes; the maximum is \(limit)" }

    static func otherKind(_ kind: String) -> String { "it is a file of the kind '\(kind)', not a stored session" }

    static func notASession(problem: String) -> String { "it is not a stored session: \(problem)" }

    static func lineUnreadable(_ number: Int, reason: String) -> String {
      "line \(number) could not be read: \(reason)"
    }

    static func lineDamaged(_ number: Int, reason: String) -> String { "line \(number) is damaged: \(reason)" }

    static func lineMisfit(_ number: Int, reason: String) -> String {
      "line \(number) does not fit the lines before it: \(reason)"
    }

    static func entriesUnreadable(_ count: Int, of all: Int) -> String {
      "\(count) of \(all) entries could not be read"
    }

    static func entriesWithoutPlace(_ count: Int, of all: Int, defect: String) -> String {
      "\(defect), so \(count) of \(all) entries \(count == 1 ? "was" : "were") left out"
    }

    static func more(_ count: Int) -> String { "; and \(count) more" }

    static let noChecksum = "it has no checksum"

    static func otherChecksum(_ checksum: String, written: String) -> String {
      "its checksum is \(checksum), but the line states \(written)"
    }
  }

  /// Messages about the copies of sessions that lost their screens, as they follow "error: ".
  enum Kept {
    static func isOpen(_ path: String, process: Int32?) -> String {
      "the session '\(path)' is open in an app\(process.map { " (process \($0))" } ?? ""). Close the app and try "
        + "again"
    }

    static func notLocked(_ path: String, reason: String) -> String {
      "the session '\(path)' could not be locked: \(reason)"
    }

    static func noCopy(_ path: String) -> String { "the session '\(path)' has no backup" }

    static func notMoved(_ path: String, reason: String) -> String { "'\(path)' could not be moved: \(reason)" }
  }

  /// The kinds of files that are not regular.
  enum FileKind {
    static let folder = "a folder"
    static let pipe = "a pipe"
    static let socket = "a socket"
    static let device = "a device"
  }
}
