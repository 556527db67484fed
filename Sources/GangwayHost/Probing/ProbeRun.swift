import Gangway
import GangwayClient
import GangwayProtocol
import Glibc

/// Has files loaded and registered by a process that may die of it, and says what became of each.
struct ProbeRun {
  /// The host's executable, which is run with `--probe`.
  let executable: String
  /// How long the process may make no progress.
  let deadline: Duration
  /// Told before a file is looked into.
  var willProbe: (String) -> Void = { _ in }

  /// How many files are given to one process; a command line has an end.
  private static let batch = 200

  /// Probes files. One that ends the process is refused, and the rest are probed by another.
  func run(_ files: [String]) -> [String: PluginVerdict] {
    var verdicts: [String: PluginVerdict] = [:]
    var rest = files[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(Self.batch))
      var observer = Observer(willProbe: willProbe)
      let ending = probe(part, &observer)
      verdicts.merge(observer.verdicts) { $1 }
      let done = part.prefix { observer.verdicts[$0] != nil }.count
      rest = rest.dropFirst(done)
      guard done < part.count, let file = rest.first else { continue }
      verdicts[file] = .refused(refusal(of: file, observer, ending))
      rest = rest.dropFirst()
    }
    return verdicts
  }

  private enum Ending {
    case exited(Int32)
    case signaled(Int32)
    case overdue
    case notStarted(String)
  }

  /// What a probing process has said so far.
  private struct Observer {
    let willProbe: (String) -> Void
    var verdicts: [String: PluginVerdict] = [:]
    /// The file that was announced last, and what it was to do.
    var announced: (file: String, phase: String)?

    init(willProbe: @escaping (String) -> Void) { self.willProbe = willProbe }

    mutating func take(_ piece: LineSplitter.Piece) {
      guard case .line(let bytes) = piece, let message = try? Line.decode(ProbeMessage.self, from: bytes) else {
        return
      }
      switch message {
      case .loading(let file):
        announced = (file, "while being loaded")
        willProbe(file)
      case .registering(let file, let plugin): announced = (file, "in register(in:) of the plugin \(plugin)")
      case .accepted(let file, let manifest, let needsFoundation):
        verdicts[file] = .accepted(manifest, needsFoundation: needsFoundation)
      case .refused(let file, let step, let code, let reason, let advice):
        verdicts[file] = .refused(Refusal(step, .init(rawValue: code), reason, advice: advice))
      }
    }
  }

  private func refusal(of file: String, _ observer: Observer, _ ending: Ending) -> Refusal {
    let advice =
      "Run `gangway-host --probe '\(file)'` under a debugger to see where, build it again, or start with --rescan."
    let phase = observer.announced.flatMap { $0.file == file ? $0.phase : nil }
    switch ending {
    case .notStarted(let reason):
      return Refusal(
        .probe, .notProbed, "it could not be probed: '\(executable)' cannot be run: \(reason)",
        advice: "Install the host beside libGangway.so.")
    case .overdue:
      return Refusal(
        .probe, .timedOut, "it did not return within \(deadline) \(phase ?? "before it was loaded")",
        advice: "Let it return at once, or give it more time with --probe-timeout SECONDS and --rescan.")
    case .exited(let code):
      return Refusal(
        .probe, .exited,
        "it ended the process that loaded it with exit code \(code), \(phase ?? "before it was loaded")",
        advice: advice)
    case .signaled(let signal):
      return Refusal(
        .probe, .crashed,
        "it ended the process that loaded it by signal \(signal) (\(Self.name(signal))), \(phase ?? "before it was loaded")",
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

  private func probe(_ files: [String], _ observer: inout Observer) -> Ending {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .notStarted(String(cString: strerror(errno))) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let process: pid_t
    switch spawn(files, output: ends[1]) {
    case .success(let started): process = started
    case .failure(let reason):
      close(ends[1])
      return .notStarted(reason.text)
    }
    close(ends[1])
    return follow(process, ends[0], &observer)
  }

  private struct SpawnFailure: Error { let text: String }

  private func spawn(_ files: [String], output: Int32) -> Result<pid_t, SpawnFailure> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    // What plugins print while they are only looked into concerns nobody.
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own: what it starts can be ended with it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var variables = Self.environment.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
    variables.append("SWIFT_BACKTRACE=enable=no")
    var process: pid_t = 0
    let code = Self.withStrings([executable, "--probe"] + files) { arguments in
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

  /// Reads what the process says until it ends or makes no progress, and makes sure of its end.
  private func follow(_ process: pid_t, _ descriptor: Int32, _ observer: inout Observer) -> Ending {
    var splitter = LineSplitter()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var limit = ContinuousClock.now + deadline
    var isOpen = true
    func read(_ observer: inout Observer) {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        for piece in splitter.append(buffer[..<count]) { observer.take(piece) }
        limit = ContinuousClock.now + deadline
      } else if count == 0 || errno != EINTR {
        isOpen = false
      }
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    while true {
      var readiness = pollfd(fd: isOpen ? descriptor : -1, events: Int16(POLLIN), revents: 0)
      // A process that it left behind may hold the pipe open, so the end of the process itself is looked for too.
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
