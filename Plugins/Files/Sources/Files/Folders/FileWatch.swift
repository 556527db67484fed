@preconcurrency import Dispatch
import Glibc

/// Notifications of changes in folders, by inotify(7).
enum FileWatch {
  /// Returns a stream of changes in a folder, until the task that reads the stream is cancelled.
  ///
  /// An element also reports that the folder is gone. Changes between two reads of the stream are one element. If the
  /// system cannot watch the folder, the stream has no elements.
  nonisolated static func changes(in path: EscapedPath) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watch = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard watch >= 0 else { return stream }
    let events =
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF
      | IN_MOVE_SELF
    guard path.withPointer({ inotify_add_watch(watch, $0, UInt32(events)) }) >= 0 else {
      close(watch)
      return stream
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: .global(qos: .utility))
    source.setEventHandler {
      withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { buffer in
        // The events need no parsing, because the reader reads the folder again.
        while Glibc.read(watch, buffer.baseAddress, buffer.count) > 0 {}
      }
      continuation.yield()
    }
    source.setCancelHandler { close(watch) }
    continuation.onTermination = { _ in source.cancel() }
    source.resume()
    return stream
  }
}
