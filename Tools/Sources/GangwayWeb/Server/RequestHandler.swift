import NIOCore
import NIOHTTP1

/// A handler that collects requests and writes the site's answers.
///
/// It closes connections whose request does not arrive completely in time, and refuses bodies that are too long.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The time for which the rest of a refused file is read.
  private static let lingering = TimeAmount.seconds(2)
  private let site: Site
  private let limits: WebLimits
  private let place: ConnectionPlace
  private let safety: [(String, String)]
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLong = false
  /// Whether the body comes from a stranger, so that it is dropped.
  private var isOfStranger = false
  /// The number of bytes of the body that were dropped.
  private var dropped = 0
  /// The number of the request, so that a late result is not applied to the next request.
  private var number = 0
  /// Whether reading waits until the sender of the body is known, and whether a read is pending then.
  private var (holdsReads, wantsRead) = (false, false)
  /// The file that is arriving, or whether the site is still deciding about it.
  private var upload: UploadReader?
  private var isDeciding = false
  /// Whether the connection stays for a moment after its last answer.
  private var lingers = false
  /// The first parts of a file while the site decides, and whether they are the whole file.
  private var (early, isWholeEarly) = ([ByteBuffer](), false)
  private var deadline: Scheduled<Void>?
  /// The request that waits until the client has read earlier answers, so that the unsent data is bounded.
  private var waiting: HTTPRequestHead?
  /// Returns the handler that can upgrade the next request.
  ///
  /// NIO's handler removes itself after one request.
  var makeUpgradeHandler: (() -> any RemovableChannelHandler)?
  /// Whether the connection now follows a session, which has its own timeouts.
  var isUpgraded = false {
    didSet { deadline?.cancel() }
  }

  init(_ site: Site, _ limits: WebLimits, _ place: ConnectionPlace) {
    (self.site, self.limits, self.place) = (site, limits, place)
    safety = Self.safety(site.options.brand.frameAncestors)
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
    // The closure retains this handler.
    makeUpgradeHandler = nil
  }
  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    upload?.abandon()
    context.fireChannelInactive()
  }

  /// Closes the connection after a time in seconds, unless a complete request arrives first.
  private func limit(_ context: ChannelHandlerContext, _ seconds: Int) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // After the refusal of a file, the connection only waits for its end.
    guard !lingers else { return }
    switch unwrapInboundIn(data) {
    case .head(let new):
      head = new
      body = []
      isTooLong = false
      isOfStranger = false
      dropped = 0
      number += 1
      limit(context, limits.requestSeconds)
      place.noteHead()
      if Site.isUpload(WebRequest(new)) { return decide(about: new, context) }
      if new.headers.contains(name: "content-length") || new.headers.contains(name: "transfer-encoding") {
        findSender(of: new, context)
      }
    case .body(let part) where isDeciding: early.append(part)
    case .body(let part) where upload != nil: upload?.add(part)
    case .body(var part):
      guard !isOfStranger else { return drop(part.readableBytes, context) }
      guard body.count + part.readableBytes <= limits.body else {
        isTooLong = true
        body = []
        return
      }
      if !isTooLong { body += part.readBytes(length: part.readableBytes) ?? [] }
    case .end where isDeciding: isWholeEarly = true
    case .end where upload != nil:
      head = nil
      place.note(.answered)
      upload?.finish()
    case .end:
      guard let head else { return }
      deadline?.cancel()
      self.head = nil
      place.note(.answered)
      guard context.channel.isWritable else {
        waiting = head
        return limit(context, limits.idleSeconds)
      }
      answer(head, context)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if let upload {
      upload.flush()
      holdsReads = upload.isBusy
    }
    context.fireChannelReadComplete()
  }

  // MARK: Uploads

  /// Asks the site whether a file may be sent, and stops reading until then.
  private func decide(about head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    (isDeciding, holdsReads, early, isWholeEarly) = (true, true, [], false)
    let (request, staysOpen) = (WebRequest(head), head.isKeepAlive)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    Task { @MainActor [site] in
      let person = site.person(known: request)?.id
      let decision = await site.beginUpload(request)
      bound.eventLoop.execute {
        let (handler, context) = bound.value
        handler.place.note(person: person)
        handler.isDeciding = false
        switch decision {
        case .success(let upload): handler.begin(upload, request, staysOpen: staysOpen, context)
        case .failure(let refusal):
          handler.dropRest(context)
          handler.write(refusal.response, isKept: false, isHead: false, context)
        }
      }
    }
  }

  private func begin(
    _ upload: Upload, _ request: WebRequest, staysOpen: Bool, _ context: ChannelHandlerContext
  ) {
    let reader = UploadReader(upload, on: context.eventLoop)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    var counted = 0
    reader.didWrite = { count in
      let (handler, context) = bound.value
      // A file may take long, as long as it goes on. A few bytes now and then would keep others from sending.
      if count - counted >= handler.limits.files.uploadStep {
        counted = count
        handler.limit(context, handler.limits.requestSeconds)
      }
      handler.releaseReads(context)
    }
    reader.didEnd = { [site] end in
      let (handler, context) = bound.value
      handler.upload = nil
      handler.deadline?.cancel()
      if case .failed = end { handler.dropRest(context) }
      Task { @MainActor in
        let (response, isKept): (WebResponse, Bool)
        switch end {
        case .complete(let upload): (response, isKept) = (await site.finish(upload, request), staysOpen)
        case .failed(let upload, let refusal):
          site.noteEnd(of: upload)
          (response, isKept) = (refusal, false)
        }
        bound.eventLoop.execute {
          let (handler, context) = bound.value
          handler.releaseReads(context)
          handler.write(response, isKept: isKept, isHead: false, context)
        }
      }
    }
    self.upload = reader
    // The browser may have gone meanwhile.
    guard context.channel.isActive else { return reader.abandon() }
    for part in early { reader.add(part) }
    early = []
    if isWholeEarly {
      head = nil
      place.note(.answered)
      reader.finish()
    } else {
      reader.flush()
    }
    if !reader.isBusy { releaseReads(context) }
  }

  /// Drops the rest of a refused file.
  ///
  /// It is read for a moment: if the connection ended with unread bytes, some browsers would not show the answer.
  private func dropRest(_ context: ChannelHandlerContext) {
    (head, isOfStranger, lingers) = (nil, true, true)
    releaseReads(context)
  }

  private func releaseReads(_ context: ChannelHandlerContext) {
    holdsReads = false
    guard wantsRead, context.channel.isActive else { return }
    wantsRead = false
    context.read()
  }

  // MARK: Answers

  /// Drops a part of a stranger's body; of a long body, the rest is not even read.
  private func drop(_ count: Int, _ context: ChannelHandlerContext) {
    dropped += count
    guard dropped > limits.strangersBody, let head else { return }
    self.head = nil
    isTooLong = true
    answer(head, context)
  }

  /// Finds out which user sends a body, and stops reading until then; a stranger's body is dropped.
  private func findSender(of head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    holdsReads = true
    let request = WebRequest(head)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let number = number
    let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    let isAnnouncedTooLong = length > limits.strangersBody
    Task { @MainActor [site, limits] in
      let person = site.person(known: request)?.id
      bound.eventLoop.execute {
        let (handler, context) = bound.value
        handler.place.note(person: person)
        if person == nil, handler.number == number {
          handler.isOfStranger = true
          // A body that is announced as too long is not even read.
          handler.drop(isAnnouncedTooLong ? limits.strangersBody + 1 : handler.body.count, context)
          handler.body = []
        }
        handler.releaseReads(context)
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
        if isTooLong, person != nil {
          Site.refuse(413, Words.RefusalTitle.tooLong, Words.Refusal.tooLong(limit: limits.body))
        } else if isSentAway {
          site.sendAway()
        } else {
          await site.answer(request)
        }
      // A connection that is kept for a stranger would be missing for others.
      let isKept = isKept && !(isCrowded && person == nil)
      loop.execute {
        let (handler, context) = bound.value
        handler.write(response, isKept: isKept, isHead: request.isHead, context)
      }
    }
  }

  private func write(_ response: WebResponse, isKept: Bool, isHead: Bool, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else {
      response.file?.close()
      return
    }
    if response.file == nil || isHead { place.note(.kept) }
    var headers = HTTPHeaders(response.headers)
    // An answer without content has no length (RFC 9110, 8.6).
    if response.status != 204 {
      headers.add(name: "Content-Length", value: "\(response.file?.count ?? response.body.count)")
    }
    for (name, value) in safety where !headers.contains(name: name) { headers.add(name: name, value: value) }
    if !isKept { headers.add(name: "Connection", value: "close") }
    let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: response.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if let file = response.file, !isHead { return send(file, isKept: isKept, context) }
    response.file?.close()
    if !isHead {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
    }
    end(isKept: isKept, context)
  }

  /// Sends the body of an answer from a file.
  private func send(_ file: WebResponse.File, isKept: Bool, _ context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let sender = FileSender(file, on: context.eventLoop) { part in
      let (handler, context) = bound.value
      // A file may take long, as long as it goes on.
      handler.limit(context, handler.limits.idleSeconds)
      return context.writeAndFlush(handler.wrapOutboundOut(.body(.byteBuffer(part))))
    }
    sender.send().whenComplete { result in
      let (handler, context) = bound.value
      if case .failure = result { return context.close(promise: nil) }
      handler.place.note(.kept)
      handler.end(isKept: isKept, context)
    }
  }

  /// Ends an answer.
  private func end(isKept: Bool, _ context: ChannelHandlerContext) {
    // The next request may already be here, and is read right after this answer. So its handler is added first.
    if isKept, let upgradeHandler = makeUpgradeHandler?() {
      try? context.pipeline.syncOperations.addHandler(upgradeHandler, position: .before(self))
    }
    let channel = context.channel
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    if !isKept {
      let delay = lingers ? Self.lingering : .zero
      written.futureResult.whenComplete { _ in
        channel.eventLoop.scheduleTask(in: delay) { channel.close(promise: nil) }
      }
    }
    limit(context, limits.idleSeconds)
  }

  /// Returns the security headers of every answer.
  ///
  /// A page has no content from other sites, and no inline scripts or styles. Only the named sites may show it in a
  /// frame.
  private static func safety(_ frameAncestors: [String]) -> [(String, String)] {
    let ancestors = frameAncestors.isEmpty ? "'none'" : frameAncestors.joined(separator: " ")
    return [
      (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
          + "form-action 'self'; base-uri 'none'; frame-ancestors \(ancestors)"
      ),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension WebRequest {
  init(_ head: HTTPRequestHead, body: [UInt8] = []) {
    self.init(
      method: head.method.rawValue, target: head.uri, headers: head.headers.map { ($0.name, $0.value) }, body: body)
  }
}

extension SocketAddress {
  /// Whether this is a loopback address: of IPv4, of IPv6, or of IPv4 mapped to IPv6.
  fileprivate var isLoopback: Bool {
    guard let address = ipAddress else { return false }
    return address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
  }
}
