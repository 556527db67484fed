@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Synchronization

/// The host's end of the presentation protocol, with one reader thread and one writer thread.
///
/// Its descriptors are ordinary ones of the process, with high numbers. They are not hidden from plugins, because the
/// plugins of one host trust each other. If a descriptor is closed or replaced, the host ends, and the supervisor
/// starts the next one.
final class ProtocolChannel: Sendable {
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
  private let input: ChannelDescriptor
  private let output: ChannelDescriptor

  /// Takes over the descriptors. From now on, output that plugins print goes to standard error.
  ///
  /// - Parameters:
  ///   - arrived: called with the received pieces, on the reader thread.
  ///   - ended: called on the same thread at the end of the input.
  init(
    input: Int32, output: Int32, arrived: @escaping @Sendable ([LineSplitter.Piece]) -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    self.input = ChannelDescriptor(duplicating: input)
    self.output = ChannelDescriptor(duplicating: output)
    CrashSignal.install(on: self)
    Self.thread { self.write() }
    Self.thread { self.read(arrived, ended) }
    let null = open("/dev/null", O_RDONLY)
    if null >= 0 {
      dup2(null, input)
      if null != input { close(null) }
    }
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

  // MARK: Threads

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

  private func read(
    _ arrived: ([LineSplitter.Piece]) -> Void, _ ended: () -> Void
  ) {
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
    while isRead { usleep(500_000) }
    _exit(0)
  }

  /// Whether the output still has a reader. A pipe without one has an error; a socket without one hung up.
  private var isRead: Bool {
    var readiness = pollfd(fd: output.number, events: 0, revents: 0)
    guard output.isIntact else { return false }
    return poll(&readiness, 1, 0) <= 0 || readiness.revents & Int16(POLLERR | POLLHUP) == 0
  }

  private static func thread(_ work: @escaping @Sendable () -> Void) {
    final class Box {
      let work: @Sendable () -> Void
      init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work))
    pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work() }
        return nil
      }, box.toOpaque())
    pthread_detach(thread)
  }
}

/// A semaphore of the system, which works in a signal handler too.
private final class Beacon: Sendable {
  nonisolated(unsafe) private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func light() { sem_post(semaphore) }

  func wait() { while sem_wait(semaphore) != 0 && errno == EINTR {} }

  func wait(milliseconds: Int) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_nsec += milliseconds * 1_000_000
    if time.tv_nsec >= 1_000_000_000 {
      time.tv_sec += 1
      time.tv_nsec -= 1_000_000_000
    }
    sem_timedwait(semaphore, &time)
  }
}
