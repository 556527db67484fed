import Dispatch
import Glibc
import Synchronization

/// What is written to a host, or to another front end: at once where there is room, otherwise from another thread, so that one that does
/// not read holds nobody up. What waits for a host is bounded by what is sent: one event at a time, and one session to begin with.
final class SocketWriter: Sendable {
  private struct State {
    /// What the socket had no room for yet.
    var backlog: [UInt8] = []
    var isDraining = false
    var isClosed = false
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  /// Takes over an end of a socket that another process reads.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { Glibc.close(descriptor) }

  /// Writes bytes, in the order of the calls; those to a process that is gone are dropped.
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

  /// How many bytes wait for the other end to read.
  var backlog: Int { state.withLock { $0.backlog.count } }

  /// Gives up what has not been written.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.backlog = []
    }
  }

  /// Writes what there is room for.
  ///
  /// - Returns: what is left; nothing where nobody reads any more.
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
      // Wakes now and then to see whether the rest is still wanted.
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
