@_spi(FrontEnd) import GangwayClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A server of a site on a port, with HTTP/1.1, and with WebSockets for the pages that follow sessions.
@_spi(FrontEnd) public final class WebServer: Sendable {
  /// The reason why a server cannot start or serve.
  public struct Failure: Error, CustomStringConvertible {
    /// The failure, its reason, and what to do.
    public let description: String
  }

  private let site: Site
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel
  /// The port of the server.
  public let port: Int

  private init(_ site: Site, _ group: MultiThreadedEventLoopGroup, _ channel: any Channel, _ port: Int) {
    (self.site, self.group, self.channel, self.port) = (site, group, channel, port)
  }

  /// Starts a server for a site.
  ///
  /// - Parameters:
  ///   - site: the site to serve.
  ///   - host: the address to listen on; by default, only this machine can connect.
  ///   - port: the port to listen on; 0 for any free port.
  /// - Throws: ``Failure`` if the port cannot be used.
  public static func start(_ site: Site, host: String = "127.0.0.1", port: Int) async throws -> WebServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let limits = site.options.limits
    // The group has only this thread, which serves all connections.
    let loop = group.next()
    let connections = NIOLoopBoundBox.makeBoxSendingValue(Connections(limit: limits.connections), eventLoop: loop)
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            AcceptPause { failure in Task { @MainActor in site.didFail(failure) } })
        }
      }
      .serverChannelOption(.backlog, value: 512)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 32 << 10, high: 128 << 10))
      // All requests in a read are parsed at once, while other connections wait. So the first reads are short, and
      // only what follows them, the body of a request, is read faster.
      .childChannelOption(
        .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 4 << 10, initial: 4 << 10, maximum: 64 << 10)
      )
      .childChannelOption(.maxMessagesPerRead, value: 4)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try configure(channel, site, limits, connections.value) }
      }
    do {
      let channel = try await bootstrap.bind(host: host, port: port).get()
      let port = channel.localAddress?.port ?? port
      await site.open(on: port)
      return WebServer(site, group, channel, port)
    } catch {
      try? await group.shutdownGracefully()
      throw Failure(description: Words.Operator.portUnavailable(port, of: host, reason: "\(error)"))
    }
  }

  private static func configure(
    _ channel: any Channel, _ site: Site, _ limits: WebLimits, _ connections: Connections
  ) throws {
    guard let connection = connections.enter(channel) else { return channel.close(promise: nil) }
    let place = NIOLoopBound(ConnectionPlace(connections, connection), eventLoop: channel.eventLoop)
    channel.closeFuture.whenComplete { _ in place.value.leave() }
    let requests = RequestHandler(site, limits, place.value)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: limits.message, automaticErrorHandling: true,
      shouldUpgrade: { channel, head in
        let promise = channel.eventLoop.makePromise(of: HTTPHeaders?.self)
        let request = WebRequest(head)
        Task { @MainActor in
          let person = site.person(known: request)?.id
          channel.eventLoop.execute { place.value.note(person: person) }
          promise.succeed(await site.follow(request) == nil ? nil : HTTPHeaders())
        }
        return promise.futureResult
      },
      upgradePipelineHandler: { channel, head in
        let request = WebRequest(head)
        return channel.eventLoop.makeCompletedFuture {
          place.value.note(.page)
          try channel.pipeline.syncOperations.addHandlers([
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 64, maxAccumulatedFrameSize: limits.message),
            SocketHandler(site, request, limits),
          ])
        }
      })
    // The same handlers as NIO's `configureHTTPServerPipeline`, which only upgrades the first request of a connection.
    let encoder = HTTPResponseEncoder()
    let handlers: [any RemovableChannelHandler] = [
      ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes)), PipelineLimit(limits.pipelined),
      HTTPServerPipelineHandler(), NIOHTTPResponseHeadersValidator(), HTTPServerProtocolErrorHandler(),
    ]
    // All handlers run on the thread of the channel.
    let bound = NIOLoopBound(requests, eventLoop: channel.eventLoop)
    func makeUpgradeHandler() -> HTTPServerUpgradeHandler {
      HTTPServerUpgradeHandler(upgraders: [upgrader], httpEncoder: encoder, extraHTTPHandlers: handlers) { context in
        bound.value.isUpgraded = true
        context.pipeline.syncOperations.removeHandler(bound.value, promise: nil)
      }
    }
    requests.makeUpgradeHandler = makeUpgradeHandler
    try channel.pipeline.syncOperations.addHandlers([encoder] + handlers + [makeUpgradeHandler(), requests])
  }

  /// Stops the server: stores all sessions, and closes all connections.
  public func stop() async {
    try? await channel.close()
    await site.close()
    try? await group.shutdownGracefully()
  }
}
