import Dispatch
import Glibc
import Synchronization

/// Writes to a host, or to a front end in another process, without blocking.
///
/// Data that does not fit into the socket's buffer is written from another thread. The senders limit the backlog for a
/// host: a session is opened once, and then has one event at a time in flight.
final class SocketWriter: Sendable {
  private struct State {
    /// The data that did not fit into the socket's buffer yet.
    var backlog: [UInt8] = []
    var isDraining = false
    var isClosed = false
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  /// Takes ownership of a socket that another process reads.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { Glibc.close(descriptor) }

  /// Writes bytes in the order of the calls; drops them if the other process has ended.
  func send(_ bytes: [UInt8]) {
    let mustDrain = state.withLock { state in
      guard !state.isClosed else { return false }
      if state.isDraining {
        state.backlog += bytes
        return false
      }
      state.backlog = Array(write(bytes[...]))
      state.isDraining = !state.backlog.isEmpty
      return state.isDraining
    }
    if mustDrain { DispatchQueue.global(qos: .userInitiated).async { self.drain() } }
  }

  /// The number of bytes that wait for the other process to read.
  var backlog: Int { state.withLock { $0.backlog.count } }

  /// Drops the data that has not been written.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.backlog = []
    }
  }

  /// Writes as much as fits into the socket's buffer.
  ///
  /// - Returns: the rest; empty if the other end is closed.
  private func write(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        return rest
      } else if errno != EINTR {
        return []
      }
    }
    return rest
  }

  private func drain() {
    while true {
      var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      // The timeout lets the loop notice that ``close()`` dropped the rest.
      let count = poll(&readiness, 1, 100)
      let isDone = state.withLock { state in
        if count > 0 { state.backlog = Array(write(state.backlog[...])) }
        state.isDraining = !state.backlog.isEmpty
        return !state.isDraining
      }
      if isDone { return }
    }
  }
}
