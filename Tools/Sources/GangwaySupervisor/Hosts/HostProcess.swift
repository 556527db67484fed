import GangwayClient
import GangwayProtocol
import Glibc
import Subprocess
import SystemPackage

/// A running host: messages to it and from it, and its end.
@MainActor final class HostProcess {
  /// What comes from a host.
  enum Report: Sendable {
    case message(HostMessage)
    /// The byte of its signal handler: it is dying, and writes its report.
    case dying
    /// A line that is no message.
    case garbled(String)
    /// Its end of the pipe is closed: it is gone, or as good as gone.
    case closed
  }

  /// Everything the host says, in order.
  let reports: AsyncStream<Report>
  private(set) var processID: pid_t?
  /// How many messages came from it: a host that still says something is alive.
  var messages = 0
  /// Whether it has said which plugins there are.
  var isReady = false
  /// Why it could not be started.
  private(set) var startFailure: String?
  /// Where its crash report goes.
  let crashReport: String
  private let input: HostInput
  /// Whether it is to be killed as soon as its process is known.
  private var isDoomed = false
  private var exit: Task<TerminationStatus?, Never>?

  /// Starts a host.
  ///
  /// - Parameters:
  ///   - executable: the host.
  ///   - arguments: its arguments.
  ///   - more: variables it has besides this process's.
  ///   - log: takes its standard error.
  ///   - crashReport: the file for the runtime's report, should it crash.
  /// - Throws: the system's error if there are no pipes to be had.
  init(
    executable: String, arguments: [String], environment more: [String: String], log: FileDescriptor,
    crashReport: String
  ) throws {
    self.crashReport = crashReport
    let toHost = try FileDescriptor.pipe()
    let fromHost = try FileDescriptor.pipe()
    for descriptor in [toHost.writeEnd, fromHost.readEnd] {
      _ = fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC)
    }
    input = HostInput(toHost.writeEnd.rawValue)
    reports = Self.reports(of: fromHost.readEnd.rawValue)
    var options = PlatformOptions()
    // A session of its own has no terminal: no plugin writes over the screen, and Ctrl-C is for the supervisor, which
    // then ends the host in order. It has a process group of its own, too.
    options.createSession = true
    var variables: [Environment.Key: String?] = [
      "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no,output-to=\(crashReport)"
    ]
    for (name, value) in more { variables[Environment.Key(stringLiteral: name)] = value }
    let environment = Environment.inherit.updating(variables)
    exit = Task { [weak self] in
      let result: ExecutionResult<Void, FileDescriptorOutput, FileDescriptorOutput>
      do {
        result = try await Subprocess.run(
          .path(FilePath(executable)), arguments: Arguments(arguments), environment: environment,
          platformOptions: options, input: .fileDescriptor(toHost.readEnd, closeAfterSpawningProcess: true),
          output: .fileDescriptor(fromHost.writeEnd, closeAfterSpawningProcess: true),
          error: .fileDescriptor(log, closeAfterSpawningProcess: false)
        ) { execution in
          self?.started(execution.processIdentifier.value)
        }
      } catch {
        self?.startFailure = "The host '\(executable)' cannot be started: \(error)"
        return nil
      }
      return result.terminationStatus
    }
  }

  deinit { input.close() }

  private func started(_ processID: pid_t) {
    self.processID = processID
    if isDoomed { kill() }
  }

  /// Sends a message, without waiting for the host; one to a host that is gone is dropped.
  ///
  /// - Returns: the length in bytes of one that does not fit in a line, and is not sent; nil where it was.
  @discardableResult func send(_ message: ClientMessage) -> Int? {
    guard let line = try? Line.encode(message) else { return nil }
    guard Line.fits(line) else { return line.count }
    input.send(line)
    return nil
  }

  /// Makes a session from a checkpoint of any size.
  func open(_ session: SessionID, _ checkpoint: Checkpoint?, isFromFile: Bool = false) {
    if send(.open(session: session, checkpoint: checkpoint, isFromFile: isFromFile)) == nil { return }
    guard let checkpoint else { return }
    let groups = Line.groups(checkpoint.records.values.sorted { $0.id < $1.id }).groups
    for group in groups.dropLast() { send(.records(session: session, group)) }
    let last = Dictionary((groups.last ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    send(
      .open(
        session: session, checkpoint: Checkpoint(nextNode: checkpoint.nextNode, records: last), isFromFile: isFromFile))
  }

  /// Ends the host at once.
  func kill() {
    isDoomed = true
    // Its group: what a plugin started in it goes too, and lets go of the pipes.
    if let processID { Glibc.kill(-processID, SIGKILL) }
  }

  /// Waits for the end of the host.
  func status() async -> TerminationStatus? { await exit?.value }

  private static func reports(of descriptor: Int32) -> AsyncStream<Report> {
    let pieces = LineReader.pieces(of: descriptor)
    return AsyncStream { continuation in
      let task = Task.detached {
        // Records that came ahead of the update they are of. Without it they are of no use: they go with the host.
        var ahead: [Checkpoint.Record] = []
        for await piece in pieces {
          switch piece {
          case .crash: continuation.yield(.dying)
          case .oversized(let count): continuation.yield(.garbled("a line of \(count) bytes"))
          case .line(let bytes):
            do {
              switch try Line.decode(HostMessage.self, from: bytes) {
              case .records(_, let records): ahead += records
              case .update(let session, var update) where !ahead.isEmpty:
                var change = update.checkpoint ?? .init(changed: [], removed: [], nextNode: 1)
                change.changed = ahead + change.changed
                ahead = []
                update.checkpoint = change
                continuation.yield(.message(.update(session: session, update)))
              case let message: continuation.yield(.message(message))
              }
            } catch {
              continuation.yield(.garbled("\(error)"))
            }
          }
        }
        close(descriptor)
        continuation.yield(.closed)
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
