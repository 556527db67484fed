@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The messages of the host's client, read by a thread.
struct ChannelReader: Sendable {
  private let input: ChannelDescriptor
  private let writer: ChannelWriter
  private let arrived: @Sendable ([LineSplitter.Piece]) -> Void
  private let ended: @Sendable () -> Void

  /// Takes over a descriptor and starts to read.
  ///
  /// - Parameters:
  ///   - input: the descriptor.
  ///   - writer: the other half of the channel.
  ///   - arrived: called with the received pieces, on the thread.
  ///   - ended: called on the thread at the end of the input.
  static func start(
    _ input: Int32, besides writer: ChannelWriter, arrived: @escaping @Sendable ([LineSplitter.Piece]) -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    let reader = ChannelReader(
      input: ChannelDescriptor(duplicating: input), writer: writer, arrived: arrived, ended: ended)
    DetachedThread.start { reader.read() }
    let null = open("/dev/null", O_RDONLY)
    if null >= 0 {
      dup2(null, input)
      if null != input { close(null) }
    }
  }

  private func read() {
    var splitter = LineSplitter(limit: Line.maximumLength)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while input.isIntact {
      let count = Glibc.read(input.number, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      arrived(splitter.append(buffer[..<count]))
    }
    if splitter.isInsideLine { arrived(splitter.append([UInt8(ascii: "\n")])) }
    ended()
    // The client sends nothing more. The host finishes its requests, unless the client itself is gone.
    while writer.isRead { usleep(500_000) }
    _exit(0)
  }
}
