import Glibc
import NIOCore

/// How long no connection is accepted after the system had no descriptor or memory for one. The connection that waits would otherwise be
/// reported again at once, and trying again and again takes a whole processor.
///
/// It is of the network's thread alone.
final class AcceptPause {
  private static let shortest = TimeAmount.milliseconds(100)
  private static let longest = TimeAmount.seconds(1)
  private static let silence = TimeAmount.minutes(1)

  private var pause = AcceptPause.shortest
  private var lastFailure: NIODeadline?
  private var lastReport: NIODeadline?
  private let report: @Sendable (WebServer.Failure) -> Void

  /// - Parameter report: takes why no connection was accepted, once a minute at most.
  init(report: @escaping @Sendable (WebServer.Failure) -> Void) { self.report = report }

  /// How long to wait after an error; nil where it was of one connection alone.
  func pause(after error: IOError) -> TimeAmount? {
    guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else { return nil }
    let now = NIODeadline.now()
    let isAnother = lastFailure.map { now - $0 < .seconds(2) } == true
    pause = isAnother ? min(pause * 2, Self.longest) : Self.shortest
    lastFailure = now
    if lastReport.map({ now - $0 >= Self.silence }) ?? true {
      lastReport = now
      report(
        WebServer.Failure(
          description:
            "No connection can be accepted: \(String(cString: strerror(error.errnoCode))). The server tries again "
            + "every second. If this goes on, raise the limit of open files, as with LimitNOFILE= in its systemd unit."
        ))
    }
    return pause
  }
}
