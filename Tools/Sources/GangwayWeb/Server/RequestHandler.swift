import NIOCore
import NIOHTTP1

/// Collects requests and writes what the site answers. A request that does not come to its end, or is too long, is given up.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: Site
  private let limits: WebLimits
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLong = false
  private var deadline: Scheduled<Void>?
  /// Whether the connection is a page's by now, which has times of its own.
  var isUpgraded = false {
    didSet { deadline?.cancel() }
  }

  init(_ site: Site, _ limits: WebLimits) { (self.site, self.limits) = (site, limits) }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { limit(context, limits.requestSeconds) }
  }
  func channelActive(context: ChannelHandlerContext) {
    limit(context, limits.requestSeconds)
    context.fireChannelActive()
  }
  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }
  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  /// Closes the connection unless a request is whole by then.
  private func limit(_ context: ChannelHandlerContext, _ seconds: Int) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let new):
      head = new
      body = []
      isTooLong = false
      limit(context, limits.requestSeconds)
    case .body(var part):
      guard body.count + part.readableBytes <= limits.body else {
        isTooLong = true
        body = []
        return
      }
      if !isTooLong { body += part.readBytes(length: part.readableBytes) ?? [] }
    case .end:
      deadline?.cancel()
      guard let head else { return }
      self.head = nil
      answer(head, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var request = WebRequest(
      method: head.method.rawValue, target: head.uri, headers: head.headers.map { ($0.name, $0.value) }, body: body)
    request.isLocal = context.remoteAddress?.isLoopback == true
    body = []
    let (isTooLong, limits) = (isTooLong, limits)
    let isKept = head.isKeepAlive && !isTooLong
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    Task { @MainActor [site, request] in
      let response =
        isTooLong
        ? Site.refuse(413, "Too long", "At most \(limits.body) bytes are taken at once. Send less.")
        : await site.answer(request)
      loop.execute {
        let (handler, context) = bound.value
        handler.write(response, isKept: isKept, isHead: request.isHead, context)
      }
    }
  }

  private func write(_ response: WebResponse, isKept: Bool, isHead: Bool, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    var headers = HTTPHeaders(response.headers)
    headers.add(name: "Content-Length", value: "\(response.body.count)")
    for (name, value) in Self.safety where !headers.contains(name: name) { headers.add(name: name, value: value) }
    if !isKept { headers.add(name: "Connection", value: "close") }
    let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: response.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isHead {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
    }
    let channel = context.channel
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    if !isKept { written.futureResult.whenComplete { _ in channel.close(promise: nil) } }
    limit(context, limits.idleSeconds)
  }

  /// What every answer says to the browser: nothing from elsewhere, nothing in a frame, no script or style within a page.
  private static let safety = [
    (
      "Content-Security-Policy",
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension SocketAddress {
  /// Whether it is of this machine, as it sees itself.
  fileprivate var isLoopback: Bool {
    guard let address = ipAddress else { return false }
    return address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
  }
}
