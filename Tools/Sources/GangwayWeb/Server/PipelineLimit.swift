import NIOCore
import NIOHTTP1

/// A limit of requests that wait on one connection.
///
/// No browser sends a request before the last answer, and a proxy sends few. A client that sends thousands would keep
/// the network thread busy with reading them.
final class PipelineLimit: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limit: Int
  /// The number of requests without a complete answer.
  private var count = 0

  init(_ limit: Int) { self.limit = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head = unwrapInboundIn(data) {
      count += 1
      if count == limit + 1 { context.close(promise: nil) }
    }
    // The parser reads on to the end of what has arrived.
    if count <= limit { context.fireChannelRead(data) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data), count <= limit { count -= 1 }
    context.write(data, promise: promise)
  }
}
