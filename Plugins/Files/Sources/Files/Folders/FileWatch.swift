@preconcurrency import Dispatch
import Glibc

/// Tells of changes in folders, by inotify(7).
enum FileWatch {
  /// Something changed in a folder, or it is gone: told once a moment at the most, until the task that reads it is cancelled.
  ///
  /// Where the system cannot watch it, nothing is told.
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
        // What exactly changed is found out by reading the folder.
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
