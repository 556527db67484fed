@_spi(FrontEnd) import GangwayProtocol

/// The messages of the supervisor, by topic; the code that decides which message to show is elsewhere.
///
/// A message for users names no host, signal or path. A message for developers names them. The reasons in the tables
/// of phases are not here, because the guide of the supervisor shows those tables.
package enum Words {
  /// Messages about hosts and their log.
  enum Host {
    static let ended = "The host has ended."

    static func notStarted(_ path: String, reason: String) -> String {
      "The host '\(path)' could not be started: \(reason)"
    }

    static func nameAnother(_ failure: String) -> String { "\(failure). Name another host program with --host." }

    static func appNotStarted(reason: String) -> String {
      "The app could not be started: \(reason). The session is kept."
    }

    static func doesNotStayUp(cause: String, log: String) -> String {
      "The app does not stay up: \(cause). The session is kept. Report: \(log)"
    }

    static func otherProtocol(_ host: String, version: ProtocolVersion, own: ProtocolVersion) -> String {
      "The host '\(host)' uses protocol \(version), but this command uses \(own). "
        + "Install both from one release."
    }

    static func logUnwritable(_ path: String, reason: String) -> String {
      "The log '\(path)' could not be written: \(reason)."
    }

    static func leftOut(_ count: Int) -> String {
      "\(count) more \(count == 1 ? "message was" : "messages were") not shown."
    }

    static let featureNotLoaded = "A feature could not be loaded."

    static func refused(_ file: String, reason: String) -> String { "\(file) was refused: \(reason)" }

    /// The duration for a message, such as "1 second", "5 seconds" or "0.2 seconds".
    static func time(_ duration: Duration) -> String {
      duration == .seconds(1) ? "1 second" : "\(duration)".replacing(".0 ", with: " ")
    }

    /// The duration in seconds, rounded to a tenth.
    static func uptime(_ duration: Duration) -> String {
      "\(Double((duration / .milliseconds(100)).rounded()) / 10) s"
    }
  }

  /// The descriptions of messages that no intact host sends, each as the end of a sentence that begins with "it".
  enum Impossible {
    static let secondHello = "sent hello twice"
    static let secondList = "sent the list of plugins twice"
    static let lateFailure = "reported a failed start after it had started"
    static let refusesShownSession = "refused a session that it already shows"

    static func unreadable(_ reason: String) -> String { "sent an invalid message: \(reason)" }

    static func unknownSession(_ session: SessionID) -> String {
      "reported on the session '\(session)', which it does not have"
    }

    static func wentBack(from revision: Revision, to other: Revision) -> String {
      "went back from revision \(revision) to \(other)"
    }

    static func invalidTree(_ defect: String) -> String { "sent an invalid tree: \(defect)" }

    static func longLine(bytes: Int) -> String { "a line of \(bytes) bytes" }
  }

  /// The report of a step that the tables of phases exclude.
  enum Fault {
    static func step(_ step: String, reason: String) -> String {
      "Internal error: \(step) is not possible: \(reason). The app continues. Please report this."
    }

    static func host(_ happening: String, phase: String) -> String {
      "the event '\(happening)' in the phase '\(phase)' of a host"
    }

    static func session(_ session: SessionID, _ happening: String, phase: String) -> String {
      "the event '\(happening)' in the phase '\(phase)' of the session '\(session)'"
    }
  }

  /// Messages of a running app to other commands, and about such an app.
  enum Control {
    static let attachFirst = "Attach to a session first."
    static let attached = "This connection is already attached."
    static let notAfterHello =
      "After the first message, a running app accepts no hello, open or records. To show a session, send attach."
    static let unexpectedAnswer = "The app sent an unexpected answer. The app may run another version of gangway."
    static let noSession = "The app has no running session."
    static let readOnly = "This front end is read-only (--read-only). Nothing was done."

    static func requestTooLong(limit: Int) -> String {
      "The request is too long: a line has at most \(limit) bytes."
    }

    static func helloFirst(_ version: ProtocolVersion) -> String {
      "The first message must be hello with the protocol version \(version)."
    }

    static func otherProtocol(_ version: ProtocolVersion, own: ProtocolVersion) -> String {
      "The client uses protocol \(version), and this app uses \(own): their major versions must "
        + "be equal. Install both from one release."
    }

    static func otherVersion(process: Int32) -> String {
      "The app of process \(process) runs a different version of gangway than this command. Install both from "
        + "one release."
    }

    static func endedOrDisconnected(process: Int32) -> String {
      "The app of process \(process) has ended, or has disconnected this front end."
    }

    static func ended(process: Int32) -> String { "The app of process \(process) has ended." }

    static func silence(process: Int32) -> String {
      "the app of process \(process) did not answer: it is busy or suspended (kill -CONT \(process) resumes it)."
    }

    static func inFront(_ title: String) -> String { "it now shows '\(title)'" }

    static func asks(_ question: String) -> String {
      "the link did not open yet, because the app asks the user first: '\(question)'"
    }

    static func unreachable(_ socket: String, reason: String) -> String {
      "Other commands cannot reach this app: no socket at '\(socket)': \(reason)."
    }

    static func onlySession(_ session: SessionID, not name: String) -> String {
      "The app has only the session '\(session)', not '\(name)'."
    }

    /// A request to name a session.
    ///
    /// - Parameters:
    ///   - name: the name of an unknown session; nil if none is named.
    ///   - count: the number of sessions.
    ///   - sessions: the first sessions, with their titles.
    static func nameSession(_ name: SessionID?, count: Int, sessions: [(id: SessionID, title: String)]) -> String {
      (name.map { "There is no session '\($0)'." } ?? "There are \(count) sessions.")
        + " Name one with --session:" + sessions.map { "\n  \($0.id)  \($0.title)" }.joined()
        + (count > sessions.count ? "\n  …" : "")
    }

    static func onlyOwners(_ plugins: [String]) -> String {
      "Every plugin given with --plugin (\(plugins.joined(separator: ", "))) is in 'ownerOnly', so users other than "
        + "the owner would get no plugin. Add another plugin with --plugin, or remove one from 'ownerOnly'."
    }
  }
}
