import Glibc
import NIOCore

/// A pause in accepting connections after the system ran out of descriptors or memory.
///
/// Without a pause, the system reports the waiting connection again at once, and the retries take a whole processor.
///
/// NIO's `AcceptBackoffHandler` does not help. A failed read stays pending there, so the system reports the connection
/// at once (seen with NIO 2.101.2). This handler turns off automatic reading for a while instead.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = Channel

  private static let shortest = TimeAmount.milliseconds(100)
  private static let longest = TimeAmount.seconds(1)
  private static let silence = TimeAmount.minutes(1)

  private var pause = AcceptPause.shortest
  private var lastFailure: NIODeadline?
  private var lastReport: NIODeadline?
  private let report: @Sendable (WebServer.Failure) -> Void

  /// Creates a handler for the channel that accepts connections.
  ///
  /// - Parameter report: receives the reason for the pause, at most once a minute.
  init(report: @escaping @Sendable (WebServer.Failure) -> Void) { self.report = report }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let failure = error as? IOError else { return context.fireErrorCaught(error) }
    guard let pause = pause(after: failure), let options = context.channel.syncOptions else { return }
    try? options.setOption(.autoRead, value: false)
    context.eventLoop.assumeIsolated().scheduleTask(in: pause) { try? options.setOption(.autoRead, value: true) }
  }

  /// Returns how long to wait after an error; nil if the error concerns one connection only.
  private func pause(after error: IOError) -> TimeAmount? {
    guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else { return nil }
    let now = NIODeadline.now()
    let isAnother = lastFailure.map { now - $0 < .seconds(2) } == true
    pause = isAnother ? min(pause * 2, Self.longest) : Self.shortest
    lastFailure = now
    if lastReport.map({ now - $0 >= Self.silence }) ?? true {
      lastReport = now
      report(
        WebServer.Failure(
          description: Words.Operator.notAccepting(reason: String(cString: strerror(error.errnoCode)))))
    }
    return pause
  }
}
