import Dispatch
import GangwayProtocol
import Synchronization
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reads a descriptor on a thread of its own, so that waiting for input holds nobody up.
public enum LineReader {
  /// Why a script cannot be read.
  public struct Unreadable: Error, CustomStringConvertible {
    /// The file and the system's reason.
    public let description: String
  }

  /// The longest command line, in bytes.
  private static let maximumCommand = 1 << 20

  /// The lines of standard input, or of a script.
  ///
  /// - Parameter script: a file; `-` or nil stands for standard input.
  /// - Throws: ``Unreadable``.
  public static func lines(of script: String?) throws -> AsyncStream<String> {
    var descriptor = STDIN_FILENO
    if let script, script != "-" {
      descriptor = open(script, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw Unreadable(description: "The script '\(script)' cannot be read: \(String(cString: strerror(errno))).")
      }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
        close(descriptor)
        throw Unreadable(description: "The script '\(script)' cannot be read: it is a folder.")
      }
    }
    let pieces = pieces(of: descriptor, limit: maximumCommand)
    return AsyncStream { continuation in
      let task = Task {
        for await piece in pieces {
          switch piece {
          case .line(let bytes): continuation.yield(String(decoding: bytes, as: UTF8.self))
          // Reported as the command that it is not.
          case .oversized(let count): continuation.yield("(a line of more than \(count) bytes)")
          case .crash: break
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// The lines of a descriptor, until its end; a last line without a newline counts.
  public static func pieces(of descriptor: Int32, limit: Int = Line.maximumLength) -> AsyncStream<LineSplitter.Piece> {
    AsyncStream { continuation in
      follow(descriptor, limit: limit) {
        for piece in $0 { continuation.yield(piece) }
      } ended: {
        continuation.finish()
      }
    }
  }

  /// Reads on a thread of its own, until the end.
  ///
  /// - Parameters:
  ///   - limit: how long a line may be, in bytes.
  ///   - arrived: called with what came, on that thread; nothing more is read while it runs.
  ///   - ended: called there when there is no more.
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

/// What came in, line by line, from the first moment on; it is taken when it suits.
public final class LineInbox: Sendable {
  /// Says that there is something to take, until there is no more.
  public let arrivals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let pieces = Mutex<[LineSplitter.Piece]>([])

  /// Makes an empty one.
  public init() {
    (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Adds what came, from any thread.
  public func add(_ new: [LineSplitter.Piece]) {
    pieces.withLock { $0 += new }
    continuation.yield()
  }

  /// Says that no more comes.
  public func finish() { continuation.finish() }

  /// Takes what is there.
  public func take() -> [LineSplitter.Piece] {
    pieces.withLock { pieces in
      defer { pieces = [] }
      return pieces
    }
  }
}
