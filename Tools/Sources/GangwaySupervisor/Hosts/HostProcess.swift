import Dispatch
import FoundationEssentials
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

  let output: HostOutput
  private(set) var processID: pid_t?
  /// How many messages came from it: a host that still says something is alive.
  var messages = 0
  /// How many messages it may still show.
  var notices = NoticeBudget()
  /// Whether it has said which plugins there are.
  var isReady = false
  /// Why it could not be started.
  private(set) var startFailure: String?
  /// Where its crash report goes.
  let crashReport: String
  /// Where it writes at once which code was running, should it crash.
  nonisolated var crashFrames: String { crashReport + ".frames" }
  /// What it prints.
  let errors: HostErrors
  /// When it was started.
  var start = ContinuousClock.now
  let input: SocketWriter
  private var taker: (@MainActor (Report) -> Bool)?
  /// What its processes are known by.
  private let orphans: OrphanProcesses
  /// Whether the process has ended.
  private(set) var isGone = false
  /// Whether it was killed because it had no channel any more.
  private(set) var isCutOff = false
  /// Whether it is to be killed as soon as its process is known.
  private var isDoomed = false
  private var exit: Task<TerminationStatus?, Never>?

  /// Starts a host.
  ///
  /// - Parameters:
  ///   - executable: the host.
  ///   - arguments: its arguments.
  ///   - more: variables it has besides this process's.
  ///   - orphans: its marker, which no other host has.
  ///   - log: takes its standard error.
  ///   - crashReport: the file for the runtime's report, should it crash.
  /// - Throws: the system's error if there are no pipes to be had.
  init(
    executable: String, arguments: [String], environment more: [String: String],
    orphans: OrphanProcesses = OrphanProcesses(variable: OrphanProcesses.hostVariable), log: HostLog,
    crashReport: String
  ) throws {
    (self.crashReport, self.orphans) = (crashReport, orphans)
    let ends = try HostDescriptors()
    input = SocketWriter(ends.input)
    output = HostOutput(ends.output)
    output.start()
    errors = HostErrors(ends.printed, to: log)
    var options = PlatformOptions()
    // A session of its own has no terminal: no plugin writes over the screen, and Ctrl-C is for the supervisor, which
    // then ends the host in order. It has a process group of its own, too.
    options.createSession = true
    var variables: [Environment.Key: String?] = [
      Environment.Key(stringLiteral: orphans.variable): orphans.marker,
      Environment.Key(stringLiteral: CrashFrames.variable): crashReport + ".frames",
      "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no,output-to=\(crashReport)",
    ]
    for (name, value) in more { variables[Environment.Key(stringLiteral: name)] = value }
    let environment = Environment.inherit.updating(variables)
    exit = Task { [weak self] in
      let result: ExecutionResult<Void, FileDescriptorOutput, FileDescriptorOutput>
      do {
        result = try await Subprocess.run(
          .path(FilePath(executable)), arguments: Arguments(arguments), environment: environment,
          platformOptions: options,
          input: .fileDescriptor(ends.hostInput, closeAfterSpawningProcess: true),
          output: .fileDescriptor(ends.hostOutput, closeAfterSpawningProcess: true),
          error: .fileDescriptor(ends.hostErrors, closeAfterSpawningProcess: true)
        ) { execution in
          self?.started(execution.processIdentifier.value)
          // Linux before 5.4 has no descriptors of processes: the end is known a moment after the process was waited for.
          let descriptor = execution.processIdentifier.processDescriptor
          guard descriptor >= 0 else { return }
          // Nobody waits for the process before this returns, so its number is no other's until its end is known here.
          await Self.end(ofProcess: descriptor)
          self?.hasExited()
        }
      } catch {
        self?.startFailure = "The host '\(executable)' cannot be started: \(error)"
        return nil
      }
      self?.hasExited()
      return result.terminationStatus
    }
  }

  /// Its end is known whatever its channel does: a process that it left behind may have kept that. What was said before is taken
  /// first; there is no more after that.
  private func hasExited() {
    if isGone { return }
    isGone = true
    let output = output
    Task {
      try? await Task.sleep(for: .milliseconds(200))
      output.stop()
    }
    orphans.endInBackground()
  }

  deinit {
    input.close()
    output.stop()
    unlink(crashFrames)
  }

  /// Has everything that the host says taken, in order, until its end or until it is no longer wanted. Whoever calls it last
  /// gets what comes from then on.
  ///
  /// - Parameter take: takes a report; false ends it.
  func follow(_ take: @escaping @MainActor (Report) -> Bool) {
    let isFollowed = taker != nil
    taker = take
    guard !isFollowed else { return }
    Task { [output, weak self] in
      for await piece in output.reports {
        output.taken(piece)
        if let session = piece.lostSession { self?.send(.resync(session: session)) }
        guard let self, taker?(piece.report) == true else { break }
      }
      self?.taker = nil
      // A host that nobody listens to any more is not made to wait.
      for await piece in output.reports { output.taken(piece) }
    }
  }

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
  func open(_ session: SessionID, _ checkpoint: Checkpoint?, isFromFile: Bool = false, profile: String? = nil) {
    if send(.open(session: session, checkpoint: checkpoint, isFromFile: isFromFile, profile: profile)) == nil { return }
    guard let checkpoint else { return }
    let groups = Line.groups(checkpoint.records.values.sorted { $0.id < $1.id }).groups
    for group in groups.dropLast() { send(.records(session: session, group)) }
    let last = Dictionary((groups.last ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    send(
      .open(
        session: session, checkpoint: Checkpoint(nextNode: checkpoint.nextNode, records: last), isFromFile: isFromFile,
        profile: profile))
  }

  /// Ends the host at once.
  func kill() {
    isDoomed = true
    guard let processID, !isGone else { return }
    // Itself, whatever group it is in, and its group; what left that is found when it has ended.
    Glibc.kill(processID, SIGKILL)
    Glibc.kill(-processID, SIGKILL)
  }

  /// Waits for the end of a process.
  ///
  /// - Parameter descriptor: that of the process (pidfd), which the system has readable as soon as the process has ended.
  private nonisolated static func end(ofProcess descriptor: CInt) async {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global(qos: .userInitiated))
    await withCheckedContinuation { continuation in
      source.setEventHandler { source.cancel() }
      // The descriptor is closed after this returns, and must not be looked at any more then.
      source.setCancelHandler { continuation.resume() }
      source.activate()
    }
  }

  /// Waits for the end of the host.
  func status() async -> TerminationStatus? { await exit?.value }

  /// Waits for the end of a host whose channel is closed: one that is left without is of no use, and is killed.
  func statusWithoutChannel() async -> TerminationStatus? {
    let limit = Task {
      try await Task.sleep(for: .milliseconds(200))
      // One that is ending by itself may take longer where the machine is busy.
      if !isGone, processID.map(Self.isEnding) != true { isCutOff = true }
      kill()
    }
    defer { limit.cancel() }
    return await status()
  }

  /// Whether a process has begun to end: it has closed what it had, and the system is not done with it.
  ///
  /// Source: proc(5), `/proc/pid/stat`; `PF_EXITING` in `include/linux/sched.h`.
  private static func isEnding(_ process: pid_t) -> Bool {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return true }
    // The name may hold anything: what follows is after the last parenthesis.
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 6, let flags = UInt32(fields[6]) else { return true }
    return ["Z", "X"].contains(fields[0]) || flags & 0x4 != 0
  }
}
