@_spi(FrontEnd) import GangwayProtocol
import NIOCore
import NIOWebSocket

/// A handler of the connection of a page that follows a session.
final class SocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let site: Site
  private let request: WebRequest
  private let limits: WebLimits
  private var page: ConnectedPage?
  /// The rate limit of frames, so that a client that floods the server costs only network-thread time.
  private var allowance: TokenBucket
  private var lastHeard = NIODeadline.now()
  private var watch: RepeatedTask?

  init(_ site: Site, _ request: WebRequest, _ limits: WebLimits) {
    (self.site, self.request, self.limits) = (site, request, limits)
    allowance = TokenBucket(burst: limits.burst, perSecond: limits.eventsPerSecond)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let page = ConnectedPage(context.channel)
    self.page = page
    Task { @MainActor [site, request] in await page.begin(site, request) }
    let channel = context.channel
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    // The interval gives the page time to answer two pings.
    let interval = TimeAmount.milliseconds(Int64(limits.silenceSeconds) * 1_000 / 3)
    watch = context.eventLoop.scheduleRepeatedTask(
      initialDelay: interval, delay: interval
    ) { [limits] _ in
      guard NIODeadline.now() - bound.value.lastHeard < .seconds(Int64(limits.silenceSeconds)) else {
        return channel.close(promise: nil)
      }
      channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()), promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }
  func handlerRemoved(context: ChannelHandlerContext) { end() }

  private func end() {
    watch?.cancel()
    watch = nil
    guard let page else { return }
    self.page = nil
    Task { @MainActor in page.end() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, let page { Task { @MainActor in page.catchUp() } }
    context.fireChannelWritabilityChanged()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    lastHeard = .now()
    // Control frames count, too, because each takes time of the network thread.
    guard allowance.take() else { return close(context, .policyViolation) }
    switch frame.opcode {
    case .text:
      let text = frame.unmaskedData
      guard let message = try? Line.decode(PageMessage.FromPage.self, from: Array(text.readableBytesView)) else {
        return close(context, .protocolError)
      }
      if let page { Task { @MainActor in page.take(message) } }
    case .ping:
      // A client that does not read gets no more pongs, which would wait in memory. RFC 6455, 5.5.3, only requires a
      // pong for the last ping.
      guard context.channel.isWritable else { return }
      context.writeAndFlush(
        wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)), promise: nil)
    case .connectionClose: close(context, .normalClosure)
    case .pong, .continuation: break
    default: close(context, .unacceptableData)
    }
  }

  private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
    var data = context.channel.allocator.buffer(capacity: 2)
    data.write(webSocketErrorCode: code)
    let channel = context.channel
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(frame), promise: written)
    written.futureResult.whenComplete { _ in channel.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close(context, .protocolError) }
}

/// A page at the other end of a connection.
@MainActor private final class ConnectedPage: LivePage {
  var shown: Presentation?
  var address = ""
  var isUnstored = false
  var waiting = 0
  var missed: MissedUpdate?
  private(set) var application = ""
  private nonisolated let channel: any Channel
  private var session: WebSession?
  private var hasEnded = false
  /// The messages that arrived before the session was known.
  private var early: [PageMessage.FromPage] = []

  nonisolated init(_ channel: any Channel) { self.channel = channel }

  var isWritable: Bool { channel.isWritable }

  func begin(_ site: Site, _ request: WebRequest) async {
    guard let (session, revision) = await site.follow(request), !hasEnded else { return close() }
    application = site.options.name
    self.session = session
    session.attach(self, showing: revision)
    for message in early { session.take(message, from: self) }
    early = []
  }

  func end() {
    hasEnded = true
    session?.detach(self)
    session = nil
  }

  func take(_ message: PageMessage.FromPage) {
    if let session { return session.take(message, from: self) }
    early.append(message)
    if early.count > 64 { refuse(Words.Connection.tooMuch) }
  }

  func catchUp() { session?.catchUp(self) }

  func send(_ message: PageMessage.ToPage) {
    guard let line = try? Line.encode(message) else { return close() }
    channel.writeAndFlush(
      WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: line.dropLast())), promise: nil)
  }

  func refuse(_ reason: String) {
    var data = ByteBuffer()
    data.write(webSocketErrorCode: .policyViolation)
    data.writeString(String(reason.prefix(100)))
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), promise: nil)
    channel.close(promise: nil)
  }

  func close() { channel.close(promise: nil) }
}
