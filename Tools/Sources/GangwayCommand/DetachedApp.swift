@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwaySupervisor
import ArgumentParser
import FoundationEssentials
import Glibc

/// An app in the background: a process in a session of its own, without a front end.
///
/// The end of the terminal, and Ctrl-C in it, do not reach the app.
enum DetachedApp {
  /// The option that the background process gets in place of `--detach`.
  static let ownOption = "detached"
  /// The longest wait for the app to listen.
  private static let patience: Duration = .seconds(30)
  /// POSIX_SPAWN_SETSID of <spawn.h>, which the C library declares only with its GNU extensions.
  private static let newSession: Int16 = 0x80

  /// The beginning of the names of log files, which the ID of the command's process follows.
  private static let logName = "detached-"
  /// The file with the messages of the app.
  private static var log: String { Locations.state + "/\(logName)\(getpid()).log" }

  /// Starts this command again in the background, and waits until other commands can reach the app.
  ///
  /// - Throws: the exit code of the app, if it ends meanwhile, after printing its messages; the exit code 1, if it
  ///   cannot be started.
  @MainActor static func start() async throws {
    let arguments = CommandLine.arguments.map { $0 == "--detach" ? "--" + ownOption : $0 }
    let process = try spawn(ProcessIO.executable, arguments)
    let clock = ContinuousClock()
    let deadline = clock.now + patience
    while !RunningApps(folder: Locations.sockets).apps.contains(where: { $0.process == process }) {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        for line in messages { Locations.complain(line) }
        throw ExitCode(status & 0x7f == 0 ? max(1, status >> 8 & 0xff) : 1)
      }
      guard clock.now < deadline else {
        Locations.fail(Words.Apps.startsSlowly(process, log: log))
        throw ExitCode(1)
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    // The app has opened its link, and has printed what it noticed.
    for line in messages { Locations.complain(line) }
    try Locations.result(Words.Apps.detached(process) + "\n")
  }

  /// The messages of the app so far.
  private static var messages: [String] {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// Removes the log files that are a week old.
  private static func removeOldLogs() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: Locations.state)) ?? []
    where name.hasPrefix(logName) && name.hasSuffix(".log") {
      let path = Locations.state + "/" + name
      let changed = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
      if let changed, changed.timeIntervalSinceNow < -7 * 86_400 { try? FileManager.default.removeItem(atPath: path) }
    }
  }

  private static func spawn(_ executable: String, _ arguments: [String]) throws -> pid_t {
    // A failure shows when the log is opened.
    try? FileManager.default.createDirectory(
      atPath: Locations.state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    removeOldLogs()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This thread may block signals, and the app must not inherit that.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK))
    let given = arguments.map { strdup($0) } + [nil]
    defer { for argument in given { free(argument) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, executable, &actions, &attributes, given, environ)
    guard result == 0 else {
      Locations.fail(Words.Apps.notDetached(reason: String(cString: strerror(result))))
      throw ExitCode(1)
    }
    return process
  }
}
