import Glibc
import NIOCore
import NIOPosix

/// A file on its way to a browser.
///
/// Another thread reads it, because a slow disk would stop all pages. Each part is read when the browser has taken the
/// one before, so a file of any size takes the memory of one part.
final class FileSender {
  /// The error of a file that has become shorter: the browser must see that it is incomplete.
  struct Shortened: Error {}

  private let file: WebResponse.File
  private let loop: any EventLoop
  private var left: Int
  private static let partSize = 256 << 10
  /// Writes a part; the result ends when the browser has taken it.
  private let write: (ByteBuffer) -> EventLoopFuture<Void>
  private let done: EventLoopPromise<Void>

  /// Creates the sender of an open file, which it closes.
  init(_ file: WebResponse.File, on loop: any EventLoop, write: @escaping (ByteBuffer) -> EventLoopFuture<Void>) {
    (self.file, self.loop, self.write) = (file, loop, write)
    left = file.count
    done = loop.makePromise(of: Void.self)
  }

  /// Sends the file.
  ///
  /// - Returns: a result that fails if the browser is gone, or if the file became shorter or cannot be read.
  func send() -> EventLoopFuture<Void> {
    done.futureResult.whenComplete { [file] _ in file.close() }
    sendPart()
    return done.futureResult
  }

  private func sendPart() {
    guard left > 0 else { return done.succeed() }
    let (descriptor, size) = (file.descriptor, min(left, Self.partSize))
    let bound = NIOLoopBound(self, eventLoop: loop)
    NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
      var buffer = ByteBufferAllocator().buffer(capacity: size)
      let count = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
        max(0, read(descriptor, bytes.baseAddress, size))
      }
      guard count > 0 else { throw Shortened() }
      return buffer
    }.flatMap { part in
      let sender = bound.value
      sender.left -= part.readableBytes
      return sender.write(part)
    }.whenComplete { result in
      switch result {
      case .success: bound.value.sendPart()
      case .failure(let error): bound.value.done.fail(error)
      }
    }
  }
}
