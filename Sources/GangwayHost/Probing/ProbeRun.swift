import Dispatch
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Synchronization

/// A probe of files, several at once. A new process, which may crash, loads and registers each file.
///
/// All messages of the process, and the way it ends, count for its file.
struct ProbeRun: Sendable {
  /// The host's executable, which is run with `--probe`.
  let executable: String
  /// The time limit for each step of the process: to start, to load the file, to register it.
  let deadline: Duration
  /// Called before a file is loaded, on any thread.
  var willProbe: @Sendable (String) -> Void = { _ in }

  /// The number of processes at once.
  private static let width = max(2, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN)) * 2))

  /// Probes files, and returns the verdict for each.
  func run(_ files: [String]) -> [String: PluginVerdict] {
    let verdicts = Mutex<[String: PluginVerdict]>([:])
    let next = Atomic<Int>(0)
    let orphans = OrphanProcesses(variable: "GANGWAY_PROBE_PROCESSES")
    DispatchQueue.concurrentPerform(iterations: min(Self.width, files.count)) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < files.count else { return }
        let verdict = verdict(of: files[index], orphans)
        verdicts.withLock { $0[files[index]] = verdict }
      }
    }
    // End the processes that files left behind during the probe.
    orphans.end()
    return verdicts.withLock { $0 }
  }

  private func verdict(of file: String, _ orphans: OrphanProcesses) -> PluginVerdict {
    // The process names the file by this path, so the path must mean the same in every folder.
    let path = ProcessIO.absolute(file)
    var observer = Observer(file: path, willProbe: willProbe)
    let ending = probe(path, orphans, &observer)
    return observer.verdict ?? .refused(refusal(of: file, observer, ending))
  }

  private enum Outcome {
    case exited(Int32)
    case signaled(Int32)
    case overdue
    case notStarted(String)
  }

  /// The state of one probe, from the messages of its process.
  private struct Observer {
    let file: String
    let willProbe: (String) -> Void
    /// The first verdict. Only it counts, because the file has then run the least code.
    private(set) var verdict: PluginVerdict?
    /// The last step that the file began.
    private(set) var phase: String?
    /// The number of steps so far, at most two.
    private(set) var steps = 0

    init(file: String, willProbe: @escaping (String) -> Void) {
      self.file = file
      self.willProbe = willProbe
    }

    mutating func take(_ piece: LineSplitter.Piece) {
      guard verdict == nil, case .line(let bytes) = piece,
        let message = try? Line.decode(ProbeMessage.self, from: bytes)
      else { return }
      switch message {
      case .loading(file) where steps == 0:
        (phase, steps) = ("while it was loading", 1)
        willProbe(file)
      case .registering(file, let plugin) where steps == 1:
        (phase, steps) = ("in register(in:) of the plugin \(plugin)", 2)
      case .accepted(file, let manifest, let needsFoundation):
        verdict = .accepted(manifest, needsFoundation: needsFoundation)
      case .refused(file, let step, let code, let reason, let advice):
        verdict = .refused(Refusal(step, code, reason, advice: advice))
      // A message about another file, or out of order.
      case .loading, .registering, .accepted, .refused: break
      }
    }
  }

  private func refusal(of file: String, _ observer: Observer, _ ending: Outcome) -> Refusal {
    let advice =
      "Run `gangway-host --probe '\(file)'` under a debugger to find the cause. Then rebuild the plugin, or start the "
      + "app with --rescan."
    let phase = observer.phase
    switch ending {
    case .notStarted(let reason):
      return Refusal(
        .probe, .notProbed, "it could not be probed: '\(executable)' did not start: \(reason)",
        advice: "Install the host beside libGangway.so.")
    case .overdue:
      return Refusal(
        .probe, .timedOut,
        phase.map { "it took more than \(deadline) \($0)" } ?? "its loading did not begin within \(deadline)",
        advice: "Make the plugin's entry function and register(in:) return at once, or allow more time with "
          + "--probe-timeout SECONDS and --rescan.")
    case .exited(let code):
      return Refusal(
        .probe, .exited,
        "the probe of the library ended with exit code \(code), \(phase ?? "before the library was loaded")",
        advice: advice)
    case .signaled(let signal):
      return Refusal(
        .probe, .crashed,
        "the probe of the library was killed by signal \(signal) (\(Self.name(signal))), "
          + "\(phase ?? "before the library was loaded")",
        advice: advice)
    }
  }

  private static func name(_ signal: Int32) -> String {
    let names: [Int32: String] = [
      SIGABRT: "SIGABRT", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGFPE: "SIGFPE",
      SIGKILL: "SIGKILL", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS", SIGPIPE: "SIGPIPE", SIGXCPU: "SIGXCPU",
    ]
    return names[signal] ?? "no name"
  }

  // MARK: The process

  private func probe(_ file: String, _ orphans: OrphanProcesses, _ observer: inout Observer) -> Outcome {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .notStarted(String(cString: strerror(errno))) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let process: pid_t
    switch spawn(file, orphans, output: ends[1]) {
    case .success(let started): process = started
    case .failure(let reason):
      close(ends[1])
      return .notStarted(reason.text)
    }
    close(ends[1])
    return follow(process, ends[0], &observer)
  }

  private struct SpawnFailure: Error { let text: String }

  private func spawn(_ file: String, _ orphans: OrphanProcesses, output: Int32) -> Result<pid_t, SpawnFailure> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    // Discard the output of plugins during a probe.
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A process group of its own, so that its children can be ended with it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var variables = Self.environment.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
    variables += ["SWIFT_BACKTRACE=enable=no", "\(orphans.variable)=\(orphans.marker)"]
    var process: pid_t = 0
    let code = Self.withStrings([executable, "--probe", file]) { arguments in
      Self.withStrings(variables) { variables in
        posix_spawn(&process, executable, &actions, &attributes, arguments, variables)
      }
    }
    return code == 0 ? .success(process) : .failure(SpawnFailure(text: String(cString: strerror(code))))
  }

  private static var environment: [String] {
    var variables: [String] = []
    var entry = environ
    while let variable = entry.pointee {
      variables.append(String(cString: variable))
      entry += 1
    }
    return variables
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  /// Reads the messages of the process until it ends or a step takes too long, and ensures its end.
  private func follow(_ process: pid_t, _ descriptor: Int32, _ observer: inout Observer) -> Outcome {
    var splitter = LineSplitter()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var limit = ContinuousClock.now + deadline
    var isOpen = true
    func read(_ observer: inout Observer) {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        let before = observer.steps
        for piece in splitter.append(buffer[..<count]) { observer.take(piece) }
        if observer.steps > before { limit = ContinuousClock.now + deadline }
      } else if count == 0 || errno != EINTR {
        isOpen = false
      }
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    while true {
      var readiness = pollfd(fd: isOpen ? descriptor : -1, events: Int16(POLLIN), revents: 0)
      // A child of the process may hold the pipe open, so check the end of the process itself too.
      let isReady = poll(&readiness, 1, isOpen ? 20 : 1) > 0
      if isReady { read(&observer) }
      var status: Int32 = 0
      if !isReady || !isOpen, waitpid(process, &status, WNOHANG) == process {
        if isOpen, poll(&readiness, 1, 0) > 0 { read(&observer) }
        kill(-process, SIGKILL)
        let signal = status & 0x7f
        return signal == 0 ? .exited(status >> 8 & 0xff) : .signaled(signal)
      }
      guard ContinuousClock.now < limit || Debugger.isAttached(to: process) else {
        kill(-process, SIGKILL)
        waitpid(process, &status, 0)
        return .overdue
      }
    }
  }
}
