import Foundation

/// A connection that sends any bytes, even those that no browser would send.
@_spi(FrontEnd) public final class RawConnection: @unchecked Sendable {
  private let descriptor: Int32
  /// The received bytes that have not been read yet.
  private var buffer: [UInt8] = []

  /// Connects to a port of this machine.
  ///
  /// - Parameters:
  ///   - seconds: the timeout for receiving and for sending.
  ///   - source: the local address of the connection: any that begins with 127.
  public init?(_ port: Int, seconds: Int = 10, from source: String? = nil) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let isBound = source.map { Self.call(bind, descriptor, $0, 0) } ?? true
    guard isBound, Self.call(connect, descriptor, "127.0.0.1", port) else {
      close(descriptor)
      return nil
    }
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ host: String, _ port: Int
  ) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// Whether the other end has closed the connection; earlier data can still be read.
  public var isClosed: Bool { closes(within: 0) }

  /// Waits until the other end closes the connection; returns false on timeout.
  ///
  /// A close frame (RFC 6455, 5.5.1) precedes the end of the connection, and does not count as one.
  public func closes(within seconds: Int = 10) -> Bool {
    // POLLRDHUP (poll(2)), which the C library declares only for GNU programs.
    let hangup: Int16 = 0x2000
    var state = pollfd(fd: descriptor, events: hangup, revents: 0)
    return poll(&state, 1, Int32(seconds * 1_000)) == 1
  }

  deinit { close(descriptor) }

  /// Sends bytes; returns false if the other end does not accept them.
  @discardableResult public func send(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult public func send(_ text: String) -> Bool { send(text.utf8) }

  /// Returns the next bytes; empty if the other end closed the connection, nil on timeout.
  public func read() -> [UInt8]? {
    guard buffer.isEmpty else {
      defer { buffer = [] }
      return buffer
    }
    return receive()
  }

  /// The number of received bytes that nobody has read, those in the system's buffer included.
  public var unreadCount: Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? buffer.count + Int(count) : buffer.count
  }

  /// Waits, without reading, until more bytes have arrived; returns false if nothing more arrives for half a second.
  ///
  /// - Parameter count: the number of bytes beyond the present ``unreadCount``.
  public func awaitArrival(of count: Int) -> Bool {
    var (last, idle) = (unreadCount, 0)
    let end = last + count
    while last < end, idle < 500, !isClosed {
      usleep(1_000)
      let now = unreadCount
      idle = now > last ? 0 : idle + 1
      last = now
    }
    return last >= end
  }

  private func receive() -> [UInt8]? {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &part, part.count, 0)
    return count < 0 ? (errno == EAGAIN ? nil : []) : Array(part.prefix(count))
  }

  /// Returns everything until the end of the connection or a timeout.
  public func readAll() -> String {
    var all: [UInt8] = []
    while let part = read(), !part.isEmpty { all += part }
    return String(decoding: all, as: UTF8.self)
  }

  /// Returns everything through a text, or all if the text does not arrive; later bytes stay in the buffer.
  public func read(until text: String) -> String {
    var all: [UInt8] = []
    while let part = read(), !part.isEmpty {
      all += part
      if let end = all.firstRange(of: text.utf8)?.upperBound {
        buffer = Array(all[end...])
        all.removeSubrange(end...)
        break
      }
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// Sends a text as a WebSocket message (RFC 6455, 5.2).
  @discardableResult public func sendMessage(_ text: String, opcode: UInt8 = 1) -> Bool {
    let content = Array(text.utf8)
    var frame: [UInt8] = [0x80 | opcode]
    switch content.count {
    case ..<126: frame.append(0x80 | UInt8(content.count))
    case ..<65_536: frame += [0x80 | 126, UInt8(content.count >> 8), UInt8(content.count & 255)]
    default: frame += [0x80 | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) }
    }
    // Firefox rejects a mask of zeros, which would leave the bytes unchanged.
    let mask: [UInt8] = [0x47, 0x61, 0x6e, 0x67]
    return send(frame + mask + content.enumerated().map { $0.element ^ mask[$0.offset & 3] })
  }

  /// Returns the next text message of a WebSocket; nil on timeout or if the other end closed the connection.
  public func readMessage() -> String? {
    while true {
      if let (opcode, content) = takeFrame() {
        switch opcode {
        case 1: return String(decoding: content, as: UTF8.self)
        case 8: return nil
        default: continue
        }
      }
      guard let part = receive(), !part.isEmpty else { return nil }
      buffer += part
    }
  }

  /// Removes and returns the first complete frame in the buffer; a server's frames have no mask.
  private func takeFrame() -> (opcode: UInt8, content: ArraySlice<UInt8>)? {
    guard buffer.count >= 2 else { return nil }
    var (start, count) = (2, Int(buffer[1] & 127))
    if count >= 126 {
      let bytes = count == 126 ? 2 : 8
      guard buffer.count >= 2 + bytes else { return nil }
      count = buffer[2..<2 + bytes].reduce(0) { $0 << 8 | Int($1) }
      start += bytes
    }
    guard buffer.count >= start + count else { return nil }
    defer { buffer.removeSubrange(..<(start + count)) }
    return (buffer[0] & 15, buffer[start..<start + count])
  }
}
