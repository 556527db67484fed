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

  /// Opens a session from a checkpoint of any size.
  func open(_ session: SessionID, _ checkpoint: Checkpoint?, isFromFile: Bool = false, profile: String? = nil) {
    if send(.open(session: session, checkpoint: checkpoint, isFromFile: isFromFile, profile: profile)) == nil { return }
    guard let checkpoint else { return }
    let groups = Line.groups(checkpoint.records.values.sorted { $0.id < $1.id }).groups
    for group in groups.dropLast() { send(.records(session: session, group)) }
    let last = Dictionary((groups.last ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    send(
      .open(
        session: session, checkpoint: Checkpoint(nextNode: checkpoint.nextNode, records: last), isFromFile: isFromFile,
        profile: profile))
  }

  /// Drops all later messages.
  func close() { writer.close() }
}
