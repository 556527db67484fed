import NIOCore
import NIOHTTP1

/// Collects requests and writes what the site answers. A request that does not come to its end, or is too long, is given up.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: Site
  private let limits: WebLimits
  private let place: ConnectionPlace
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLong = false
  /// Whether the body is of a browser that was not let in: it is not kept.
  private var isOfStranger = false
  /// Counts the requests, so that a late answer about one is not taken for one about the next.
  private var number = 0
  /// Whether nothing is read until it is known whose body comes, and whether something should be read then.
  private var (holdsReads, wantsRead) = (false, false)
  private var deadline: Scheduled<Void>?
  /// A request that is answered once the client has read enough of the answers before: what waits to be sent is bounded.
  private var waiting: HTTPRequestHead?
  /// Makes the handler that upgrades the next request where it asks for that. NIO's own looks at one request and leaves.
  var makeUpgradeHandler: (() -> any RemovableChannelHandler)?
  /// Whether the connection is a page's by now, which has times of its own.
  var isUpgraded = false {
    didSet { deadline?.cancel() }
  }

  init(_ site: Site, _ limits: WebLimits, _ place: ConnectionPlace) {
    (self.site, self.limits, self.place) = (site, limits, place)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { limit(context, limits.requestSeconds) }
  }
  func channelActive(context: ChannelHandlerContext) {
    limit(context, limits.requestSeconds)
    context.fireChannelActive()
  }
  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
    // It holds this handler.
    makeUpgradeHandler = nil
  }
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
      isOfStranger = false
      number += 1
      limit(context, limits.requestSeconds)
      place.noteHead()
      if new.headers.contains(name: "content-length") || new.headers.contains(name: "transfer-encoding") {
        findSender(of: new, context)
      }
    case .body(var part):
      guard !isOfStranger else { return }
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
      place.note(.answered)
      guard context.channel.isWritable else {
        waiting = head
        return limit(context, limits.idleSeconds)
      }
      answer(head, context)
    }
  }

  /// Finds out who sends a body. Nothing more is read meanwhile; a user has the time to send it all, and a stranger's is dropped.
  private func findSender(of head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    holdsReads = true
    let request = WebRequest(head)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let number = number
    Task { @MainActor [site] in
      let person = site.person(known: request)?.id
      bound.eventLoop.execute {
        let (handler, context) = bound.value
        handler.place.note(person: person)
        if person == nil, handler.number == number {
          handler.isOfStranger = true
          handler.body = []
        }
        handler.holdsReads = false
        guard handler.wantsRead, context.channel.isActive else { return }
        handler.wantsRead = false
        context.read()
      }
    }
  }

  func read(context: ChannelHandlerContext) {
    if holdsReads { wantsRead = true } else { context.read() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, let head = waiting {
      waiting = nil
      deadline?.cancel()
      answer(head, context)
    }
    context.fireChannelWritabilityChanged()
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var request = WebRequest(head, body: body)
    request.isLocal = context.remoteAddress?.isLoopback == true
    body = []
    let (isTooLong, limits, isCrowded) = (isTooLong, limits, place.isCrowded)
    let isKept = head.isKeepAlive && !isTooLong
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    Task { @MainActor [site, request] in
      let person = site.person(known: request)?.id
      loop.execute { bound.value.0.place.note(person: person) }
      let isSentAway = isCrowded && !site.goesFirst(request)
      let response =
        if isTooLong {
          Site.refuse(413, "Too long", "At most \(limits.body) bytes are taken at once. Send less.")
        } else if isSentAway {
          site.sendAway()
        } else {
          await site.answer(request)
        }
      // What is kept for a stranger would be missing for others.
      let isKept = isKept && !(isCrowded && person == nil)
      loop.execute {
        let (handler, context) = bound.value
        handler.write(response, isKept: isKept, isHead: request.isHead, context)
      }
    }
  }

  private func write(_ response: WebResponse, isKept: Bool, isHead: Bool, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    place.note(.kept)
    var headers = HTTPHeaders(response.headers)
    headers.add(name: "Content-Length", value: "\(response.body.count)")
    for (name, value) in Self.safety where !headers.contains(name: name) { headers.add(name: name, value: value) }
    if !isKept { headers.add(name: "Connection", value: "close") }
    let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: response.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isHead {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
    }
    // The next request may be here already: it is read as soon as this answer has its end.
    if isKept, let upgradeHandler = makeUpgradeHandler?() {
      try? context.pipeline.syncOperations.addHandler(upgradeHandler, position: .before(self))
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

extension WebRequest {
  init(_ head: HTTPRequestHead, body: [UInt8] = []) {
    self.init(
      method: head.method.rawValue, target: head.uri, headers: head.headers.map { ($0.name, $0.value) }, body: body)
  }
}

extension SocketAddress {
  /// Whether it is of this machine, as it sees itself.
  fileprivate var isLoopback: Bool {
    guard let address = ipAddress else { return false }
    return address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
  }
}
