import Dispatch
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Subprocess
import SystemPackage

/// A running host process, with its channel of messages in two halves.
@MainActor final class HostProcess: HostChannel {
  let input: SocketWriter
  let output: HostOutput
  private(set) var processID: pid_t?
  /// The reason why the host could not be started.
  private(set) var startFailure: String?
  /// The path of the host's crash report.
  let crashReport: String
  /// The path of the file to which a crashing host writes its call stack at once.
  private nonisolated var framesFile: String { crashReport + ".frames" }
  /// The host's standard error.
  let errors: HostErrors
  /// The marker of the host's child processes.
  private let orphans: OrphanProcesses
  /// Whether the process has ended.
  private(set) var isGone = false
  /// Whether the host was killed because its channel was closed.
  private(set) var isCutOff = false
  /// Whether to kill the process as soon as its ID is known.
  private var isDoomed = false
  private var exit: Task<TerminationStatus?, Never>?

  /// Starts a host.
  ///
  /// - Parameters:
  ///   - executable: the host's executable.
  ///   - arguments: the host's arguments.
  ///   - more: environment variables in addition to those of this process.
  ///   - orphans: the host's marker, which no other host has.
  ///   - log: the log for the host's standard error.
  ///   - crashReport: the file for the runtime's crash report.
  /// - Throws: the system's error if the channels cannot be opened.
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
    // A session of its own has no terminal, so no plugin can write over the screen. Ctrl-C reaches only the supervisor,
    // which then ends the host in order. The session also gives the host a process group of its own.
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
          // Linux before 5.4 has no process descriptors (pidfd), so the end is known only when the process is reaped.
          let descriptor = execution.processIdentifier.processDescriptor
          guard descriptor >= 0 else { return }
          // The process is not reaped before this returns, so its ID is not reused before its end is known here.
          await Self.end(ofProcess: descriptor)
          self?.hasExited()
        }
      } catch {
        self?.startFailure = Words.Host.notStarted(executable, reason: "\(error)")
        return nil
      }
      self?.hasExited()
      return result.terminationStatus
    }
  }

  /// Handles the exit of the process.
  ///
  /// The channel may stay open, because a child process of the host may hold it. The supervisor therefore reads for
  /// another 200 ms and then stops.
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
    unlink(framesFile)
  }

  private func started(_ processID: pid_t) {
    self.processID = processID
    if isDoomed { kill() }
  }

  var crashFrames: CrashFrames? { CrashFrames(file: framesFile) }

  @discardableResult func send(_ message: ClientMessage) -> Int? {
    guard let line = try? Line.encode(message) else { return nil }
    guard Line.fits(line) else { return line.count }
    input.send(line)
    return nil
  }

  func follow(_ take: @escaping @MainActor (HostOutput.Report) -> Bool) {
    output.follow(lost: { [weak self] in self?.send(.resync(session: $0)) }, take)
  }

  func kill() {
    isDoomed = true
    guard let processID, !isGone else { return }
    // Kill the process, even if it changed its group, and its group. Children that left the group are found later.
    Glibc.kill(processID, SIGKILL)
    Glibc.kill(-processID, SIGKILL)
  }

  /// Waits for the end of a process.
  ///
  /// - Parameter descriptor: the process descriptor (pidfd), which becomes readable when the process ends.
  private nonisolated static func end(ofProcess descriptor: CInt) async {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global(qos: .userInitiated))
    await withCheckedContinuation { continuation in
      source.setEventHandler { source.cancel() }
      // The caller closes the descriptor after this returns, so the source must not use it any more.
      source.setCancelHandler { continuation.resume() }
      source.activate()
    }
  }

  func status() async -> TerminationStatus? { await exit?.value }

  func statusWithoutChannel() async -> TerminationStatus? {
    let limit = Task {
      try await Task.sleep(for: .milliseconds(200))
      // A host that is already exiting may take longer on a busy machine, and does not count as cut off.
      if !isGone, processID.map(Self.isEnding) != true { isCutOff = true }
      kill()
    }
    defer { limit.cancel() }
    return await status()
  }

  func write(_ report: IncidentReport) async -> (plugin: PluginID, call: String)? {
    let limit = Task {
      try await Task.sleep(for: .seconds(10))
      kill()
    }
    _ = await status()
    limit.cancel()
    let words = errors.fatalError
    return await Task.detached {
      let runtime = report.runtimeReport
      report.write(words, runtime)
      return report.culprit(in: runtime).map { ($0.plugin, $0.frame.text) }
    }.value
  }

  /// Returns whether a process is exiting: its files are closed, but the system still lists the process.
  ///
  /// Source: proc(5), `/proc/pid/stat`; `PF_EXITING` in `include/linux/sched.h`.
  private static func isEnding(_ process: pid_t) -> Bool {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return true }
    // The process name may contain any character, so the fields start after the last parenthesis.
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 6, let flags = UInt32(fields[6]) else { return true }
    return ["Z", "X"].contains(fields[0]) || flags & 0x4 != 0
  }
}
