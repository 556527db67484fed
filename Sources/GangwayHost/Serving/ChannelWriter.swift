@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Synchronization

/// The host's messages to its client, written by a thread; ``ChannelReader`` reads the client's messages.
///
/// The descriptors of both are ordinary ones of the process, with high numbers. They are not hidden from plugins,
/// because the plugins of one host trust each other. If a descriptor is closed or replaced, the host ends, and the
/// supervisor starts the next one.
final class ChannelWriter: Sendable {
  private struct Queue {
    var lines: [[UInt8]] = []
    /// The number of waiting bytes.
    var size = 0
    /// The number of lines added since the start.
    var added = 0
  }

  /// The most waiting bytes. With more, a sender waits too.
  private static let maximumBacklog = 64 << 20

  private let queue = Mutex(Queue())
  /// The number of lines written since the start.
  private let written = Atomic(0)
  private let writable = Beacon()
  private let progress = Beacon()
  private let output: ChannelDescriptor

  /// Takes over a descriptor. From now on, output that plugins print goes to standard error.
  init(_ output: Int32) {
    self.output = ChannelDescriptor(duplicating: output)
    CrashSignal.install(on: self)
    DetachedThread.start { self.write() }
    dup2(STDERR_FILENO, output)
  }

  /// Sends a message.
  ///
  /// - Parameter isUrgent: whether to wait until the message is written, because the next step may end the process
  ///   unseen.
  /// - Throws: an encoding error.
  func send(_ message: HostMessage, isUrgent: Bool = false) throws {
    let line = try Line.encode(message)
    if case .update(let session, let update) = message, !Line.fits(line) {
      for part in OversizedUpdate(session, update).messages { send(try Line.encode(part)) }
      return
    }
    send(line)
    if isUrgent { drain() }
  }

  private func send(_ line: [UInt8]) {
    let mustWait = queue.withLock { queue in
      queue.lines.append(line)
      queue.size += line.count
      queue.added += 1
      return queue.size > Self.maximumBacklog
    }
    writable.light()
    if mustWait { drain() }
  }

  /// Waits until all sent messages are written.
  ///
  /// - Parameter limit: the longest wait, in milliseconds; nil for no limit.
  func drain(within limit: Int? = nil) {
    let wanted = queue.withLock(\.added)
    var left = limit ?? .max
    while written.load(ordering: .acquiring) < wanted, left > 0 {
      progress.wait(milliseconds: 1)
      left -= 1
    }
  }

  // MARK: In a signal handler

  /// Makes the threads announce the crash, after all messages sent before.
  ///
  /// The signal handler calls this function at any point of the code, so it takes no lock and no memory. The wait is
  /// short and bounded. If the crashing thread itself blocks the writer, the supervisor sees the end of the process
  /// instead.
  func sayDying() {
    CrashSignal.isDying.store(true, ordering: .releasing)
    writable.light()
    CrashFrames.write()
    // The thread that writes may have to wait for a processor.
    var left = 2_000
    while !CrashSignal.isSaid.load(ordering: .acquiring), left > 0 {
      var pause = timespec(tv_sec: 0, tv_nsec: 50_000)
      nanosleep(&pause, nil)
      left -= 1
    }
  }

  // MARK: The thread

  private func write() {
    while true {
      let lines = queue.withLock { queue in
        let lines = queue.lines
        queue.lines = []
        queue.size = 0
        return lines
      }
      for line in lines {
        // Without a client or a connection to it, a host has nothing to do.
        if !output.isIntact || !ProcessIO.writeAll(line, to: output.number) { Host.end(0) }
        written.add(1, ordering: .releasing)
        progress.light()
      }
      if lines.isEmpty {
        if CrashSignal.isDying.load(ordering: .acquiring) {
          // The client looks for the frames as soon as it knows about the crash.
          CrashFrames.wait()
          if output.isIntact { _ = ProcessIO.writeAll([Line.crashByte], to: output.number) }
          CrashSignal.isSaid.store(true, ordering: .releasing)
          return
        }
        writable.wait()
      }
    }
  }

  /// Whether the client can still receive messages. A pipe without one has an error; a socket without one hung up.
  var isRead: Bool {
    var readiness = pollfd(fd: output.number, events: 0, revents: 0)
    guard output.isIntact else { return false }
    return poll(&readiness, 1, 0) <= 0 || readiness.revents & Int16(POLLERR | POLLHUP) == 0
  }
}
