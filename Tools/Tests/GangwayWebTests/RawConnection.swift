import Foundation

/// A connection on which any bytes are sent, as no browser would.
final class RawConnection: @unchecked Sendable {
  private let descriptor: Int32

  /// Connects to a port of this machine.
  ///
  /// - Parameter seconds: how long an answer is waited for.
  init?(_ port: Int, seconds: Int = 10) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Sends bytes; false where nobody takes them.
  @discardableResult func send(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult func send(_ text: String) -> Bool { send(text.utf8) }

  /// What comes next; empty where the other end closed, nil where nothing came in time.
  func read() -> [UInt8]? {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &part, part.count, 0)
    return count < 0 ? (errno == EAGAIN ? nil : []) : Array(part.prefix(count))
  }

  /// Everything up to the end of the connection, or until nothing comes.
  func readAll() -> String {
    var all: [UInt8] = []
    while let part = read(), !part.isEmpty { all += part }
    return String(decoding: all, as: UTF8.self)
  }

  /// What comes until a text is in it.
  func read(until text: String) -> String {
    var all: [UInt8] = []
    while let part = read(), !part.isEmpty {
      all += part
      if String(decoding: all, as: UTF8.self).contains(text) { break }
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// Sends a text as a message of a WebSocket (RFC 6455, 5.2).
  @discardableResult func sendMessage(_ text: String, opcode: UInt8 = 1) -> Bool {
    let content = Array(text.utf8)
    var frame: [UInt8] = [0x80 | opcode]
    switch content.count {
    case ..<126: frame.append(0x80 | UInt8(content.count))
    case ..<65_536: frame += [0x80 | 126, UInt8(content.count >> 8), UInt8(content.count & 255)]
    default: frame += [0x80 | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) }
    }
    // A mask of zeros leaves the bytes as they are.
    return send(frame + [0, 0, 0, 0] + content)
  }
}
