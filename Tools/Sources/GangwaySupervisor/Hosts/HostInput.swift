@_spi(FrontEnd) import GangwayProtocol

/// The supervisor's messages to a host.
final class HostInput: Sendable {
  private let writer: SocketWriter

  /// Takes ownership of the socket that the host reads.
  init(_ descriptor: Int32) { writer = SocketWriter(descriptor) }

  /// Sends a message without waiting; drops a message to a host that has ended.
  ///
  /// - Returns: the length in bytes of a message that does not fit in a line and was not sent; nil if it was sent.
  @discardableResult func send(_ message: ClientMessage) -> Int? {
    guard let line = try? Line.encode(message) else { return nil }
    guard Line.fits(line) else { return line.count }
    writer.send(line)
    return nil
  }

  /// Drops all later messages.
  func close() { writer.close() }
}
