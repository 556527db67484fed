import Glibc
import NIOCore
import NIOPosix

/// The body of an upload on its way to the disk.
///
/// It is written on another thread, because a slow disk would stop all pages. While a part is written, no more is read,
/// so an upload of any size takes the memory of a few parts.
final class UploadReader {
  /// The end of an upload.
  enum End {
    case complete(Upload)
    /// The file was removed.
    case failed(Upload, WebResponse)
  }

  let upload: Upload
  private let loop: any EventLoop
  private var parts: [ByteBuffer] = []
  private var count = 0
  private var isWriting = false
  /// Whether the last byte has arrived.
  private var isWhole = false
  private var hasEnded = false
  /// Called with the number of bytes so far, when they are written and more can be read.
  var didWrite: (Int) -> Void = { _ in }
  /// Called once.
  var didEnd: (End) -> Void = { _ in }

  init(_ upload: Upload, on loop: any EventLoop) { (self.upload, self.loop) = (upload, loop) }

  /// Whether reading should wait for the disk.
  var isBusy: Bool { isWriting }

  func add(_ part: ByteBuffer) {
    guard !hasEnded else { return }
    count += part.readableBytes
    guard count <= upload.limit else { return fail(upload.tooLarge) }
    parts.append(part)
  }

  /// Writes the parts that have arrived since the last call.
  func flush() {
    guard !hasEnded, !isWriting else { return }
    guard !parts.isEmpty else {
      if isWhole { complete() }
      return
    }
    let (written, descriptor) = (parts, upload.descriptor)
    (parts, isWriting) = ([], true)
    let bound = NIOLoopBound(self, eventLoop: loop)
    NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
      for part in written {
        try part.withUnsafeReadableBytes { try Self.write($0, to: descriptor) }
      }
    }.whenComplete { result in bound.value.noteWritten(result) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw IOError(errnoCode: errno, reason: "write") }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  private func noteWritten(_ result: Result<Void, any Error>) {
    isWriting = false
    guard !hasEnded else { return upload.discard() }
    if case .failure = result { return fail(upload.notStored) }
    flush()
    if !isWriting, !hasEnded { didWrite(count) }
  }

  /// Notes that the last byte has arrived.
  func finish() {
    isWhole = true
    flush()
  }

  private func complete() {
    hasEnded = true
    close(upload.descriptor)
    didEnd(.complete(upload))
  }

  private func fail(_ response: WebResponse) {
    guard !hasEnded else { return }
    (hasEnded, parts) = (true, [])
    // The file is still being written, and is removed after that.
    if !isWriting { upload.discard() }
    didEnd(.failed(upload, response))
  }

  /// Removes the file, because the connection is gone; does nothing after the end.
  func abandon() { fail(upload.notStored) }
}
