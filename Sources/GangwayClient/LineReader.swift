import Dispatch
@_spi(FrontEnd) import GangwayProtocol
import Synchronization
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A reader of a descriptor on a thread of its own, so that waiting for input blocks nothing else.
@_spi(FrontEnd) public enum LineReader {
  /// The reason why a script cannot be read.
  public struct Unreadable: Error, CustomStringConvertible {
    /// The file and the system's reason.
    public let description: String
  }

  /// The longest command line, in bytes.
  private static let maximumCommand = 1 << 20

  /// Returns the lines of standard input, or of a script.
  ///
  /// - Parameter script: a file; `-` or nil stands for standard input.
  /// - Throws: ``Unreadable``.
  public static func lines(of script: String?) throws -> AsyncStream<String> {
    var descriptor = STDIN_FILENO
    if let script, script != "-" {
      descriptor = open(script, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw Unreadable(description: "The script '\(script)' could not be read: \(String(cString: strerror(errno))).")
      }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
        close(descriptor)
        throw Unreadable(description: "The script '\(script)' could not be read: it is a folder.")
      }
    }
    let pieces = pieces(of: descriptor, limit: maximumCommand)
    return AsyncStream { continuation in
      let task = Task {
        for await piece in pieces {
          switch piece {
          case .line(let bytes): continuation.yield(String(decoding: bytes, as: UTF8.self))
          // This text is no command, so it is reported as an unknown one.
          case .oversized(let count): continuation.yield("(a line of more than \(count) bytes)")
          case .crash: break
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Returns the lines of a descriptor, until its end; a last line without a newline counts.
  public static func pieces(of descriptor: Int32, limit: Int = Line.maximumLength) -> AsyncStream<LineSplitter.Piece> {
    AsyncStream { continuation in
      follow(descriptor, limit: limit) {
        for piece in $0 { continuation.yield(piece) }
      } ended: {
        continuation.finish()
      }
    }
  }

  /// Reads a descriptor on a thread of its own, until the end.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor to read.
  ///   - limit: the maximum length of a line, in bytes.
  ///   - arrived: called on that thread with new pieces; reading pauses while it runs.
  ///   - ended: called on that thread after the end.
  public static func follow(
    _ descriptor: Int32, limit: Int = Line.maximumLength, _ arrived: @escaping @Sendable ([LineSplitter.Piece]) -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    DispatchQueue(label: "gangway.reader").async {
      var splitter = LineSplitter(limit: limit)
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        arrived(splitter.append(buffer[..<count]))
      }
      if splitter.isInsideLine { arrived(splitter.append([UInt8(ascii: "\n")])) }
      ended()
    }
  }
}

/// The lines that have arrived since the start.
///
/// The owner takes them when ready.
package final class LineInbox: Sendable {
  /// Yields when there are lines to take, and ends when there are no more.
  package let arrivals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let pieces = Mutex<[LineSplitter.Piece]>([])

  /// Creates an empty inbox.
  package init() {
    (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Adds new pieces, from any thread.
  package func add(_ new: [LineSplitter.Piece]) {
    pieces.withLock { $0 += new }
    continuation.yield()
  }

  /// Marks the end of the input.
  package func finish() { continuation.finish() }

  /// Returns all new pieces, and removes them.
  package func take() -> [LineSplitter.Piece] {
    pieces.withLock { pieces in
      defer { pieces = [] }
      return pieces
    }
  }
}
