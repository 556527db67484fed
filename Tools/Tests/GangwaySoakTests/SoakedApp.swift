import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// Two instances of the sample app, in a terminal and as a server, each with its own data.
@MainActor final class SoakedApp {
  private let terminalWorkshop: Workshop
  private let serverWorkshop: Workshop
  private let browsers: Int
  private var terminal: TerminalUser?
  private var server: ServeCommand?
  private var visitors: [BrowserUser] = []
  private let terminalProcesses = AppProcesses(mark: "GANGWAY_SOAK=terminal-\(UUID().uuidString)")
  private let serverProcesses = AppProcesses(mark: "GANGWAY_SOAK=server-\(UUID().uuidString)")
  /// The number of times that each user pressed the button that writes lines.
  private var presses = 0

  private static let configuration = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Plugins/app.json").path

  init(browsers: Int) async throws {
    (terminalWorkshop, serverWorkshop) = (try Workshop(), try Workshop())
    self.browsers = browsers
    _ = try await terminalWorkshop.plugin("Ledger", LedgerPlugin.source)
  }

  private var users: [any SoakUser] { [terminal].compactMap(\.self) + visitors }
  private var arguments: [String] { ["--plugins-dir", terminalWorkshop.folder, "--config", Self.configuration] }
  private var workshops: [(Workshop, AppProcesses)] {
    [(terminalWorkshop, terminalProcesses), (serverWorkshop, serverProcesses)]
  }

  /// Starts both instances and registers their users.
  func start() async throws {
    let command = terminalWorkshop.command(
      arguments.joined(separator: " "), "XDG_CACHE_HOME=\(Workshop.caches) \(terminalProcesses.mark)")
    let terminal = try await TerminalUser(terminalWorkshop, command)
    self.terminal = terminal
    try await terminal.register()
    try await serve()
    for number in 1...browsers {
      let visitor = try await BrowserUser(number, "http://127.0.0.1:\(server?.port ?? 0)/")
      visitors.append(visitor)
      try await visitor.register()
    }
  }

  private func serve() async throws {
    let mark = serverProcesses.mark.split(separator: "=").map(String.init)
    let server = try await ServeCommand(arguments + ["--anyone"], in: serverWorkshop, environment: [mark[0]: mark[1]])
    try #require(server.port > 0, "\(server.complaints)")
    self.server = server
  }

  /// Performs an action as all users at the same time.
  private func everybody(_ act: @escaping @MainActor (any SoakUser) async throws -> Void) async throws {
    let tasks = users.map { user in Task { try await act(user) } }
    for task in tasks { try await task.value }
  }

  /// Types text as all users, without saving it.
  func begin(_ round: Int) async throws { try await everybody { try await $0.begin($0.entry(round)) } }

  /// Saves the typed text as all users.
  func save(_ round: Int) async throws { try await everybody { try await $0.save($0.entry(round)) } }

  /// Saves the typed text as all users, and kills hosts meanwhile.
  func saveDuringKill(_ round: Int) async throws {
    async let saved: Void = everybody { try await $0.saveDuringKill($0.entry(round)) }
    // Each round kills at a different moment.
    try await Task.sleep(for: .milliseconds(round * 37 % 500))
    try await killHosts()
    try await saved
  }

  /// Writes to files as all users.
  func write() async throws {
    presses += 1
    try await everybody { [presses] in try await $0.write(press: presses) }
  }

  /// Kills the hosts that show sessions, and waits until there are as many as before.
  func killHosts() async throws {
    let before = workshops.map { $0.1.hosts }
    let killed = workshops.map { $0.1.hosts(with: $0.0.path("data")) }
    for (hosts, (workshop, _)) in zip(killed, workshops) {
      try #require(!hosts.isEmpty, "No host has a file of \(workshop.path("data")) open.")
    }
    for host in killed.joined() { kill(host, SIGKILL) }
    for (number, (_, processes)) in workshops.enumerated() {
      try await eventually {
        let now = processes.hosts
        return now.count == before[number].count && !now.contains(where: killed[number].contains)
      }
    }
  }

  /// Replaces a plugin by its current file.
  func reload(_ plugin: String) async throws {
    for (workshop, _) in workshops {
      let result = try await workshop.gangway(["reload", plugin])
      #expect(
        result.code == 0 && result.output.contains("\(plugin) 1.0.0 was reloaded."), "\(result.output)\(result.errors)")
    }
  }

  // MARK: What is looked at from outside

  /// Measures the processes, and checks that all threads of each host share one descriptor table.
  func measure() async throws -> Measures {
    var measures = Measures()
    measures.databases = checkDatabases()
    for (_, processes) in workshops {
      let hosts = processes.hosts
      #expect(!hosts.isEmpty && hosts.count <= 2, "One host and a spare one were expected: \(hosts)")
      measures.hosts += hosts.count
      for host in hosts {
        // The app may open a file between the reads of two threads.
        var (tables, threads) = AppProcesses.tables(of: host)
        for _ in 0..<100 where tables.count > 1 {
          try await Task.sleep(for: .milliseconds(50))
          (tables, threads) = AppProcesses.tables(of: host)
        }
        #expect(
          tables.count == 1,
          "The \(threads) threads of the host \(host) have \(tables.count) tables: \(tables.map { $0.keys.sorted() })")
        measures.threads = max(measures.threads, threads)
        measures.hostDescriptors = max(measures.hostDescriptors, AppProcesses.descriptors(of: host).count)
      }
    }
    let (run, serve) = (try #require(terminalProcesses.command), try #require(server?.processID))
    measures.terminal = (AppProcesses.descriptors(of: run).count, AppProcesses.memory(of: run))
    measures.server = (AppProcesses.descriptors(of: serve).count, AppProcesses.memory(of: serve))
    return measures
  }

  /// Checks that every database is intact; each user has one for accounts and one for todos.
  ///
  /// - Returns: the number of databases.
  @discardableResult func checkDatabases() -> Int {
    let databases = workshops.flatMap { Database.all(in: $0.0.path("data")) }
    let expected = 2 * users.count
    #expect(databases.count == expected, "\(expected) databases were expected: \(databases.map(\.path))")
    let damage = databases.compactMap(\.damage)
    #expect(damage.isEmpty, "\(damage.count) of \(databases.count) databases are damaged: \(damage)")
    return databases.count
  }

  // MARK: The end

  /// Quits with unsaved text, starts again, and checks that all typed text is shown.
  func startAgain(after rounds: Int) async throws {
    let (draft, terminal) = (rounds + 1, try #require(terminal))
    try await begin(draft)
    try await terminal.quit()
    #expect(try await server?.stop() == 0)
    try await expectNoProcesses()
    checkDatabases()
    let rows = draft + 30
    try await terminal.startAgain(rows: rows)
    try await serve()
    for visitor in visitors { try await visitor.look(rows: rows) }
    try await everybody { try await $0.save($0.entry(draft)) }
    try await everybody { [self] user in
      let places = ["open gangway://ledger", "expect Press \(presses)", "open gangway://todos/lists/all"]
      try await user.run((places + (1...draft).map { "expect \(user.entry($0))" }).joined(separator: "\n"))
    }
  }

  /// Kills the remaining processes after a failed run.
  func abandon() async {
    await terminal?.terminal.close()
    for (_, processes) in workshops { for process in processes.all { kill(process, SIGKILL) } }
  }

  /// Ends both instances.
  func stop() async throws {
    try await terminal?.quit()
    #expect(try await server?.stop() == 0)
    try await expectNoProcesses()
  }

  private func expectNoProcesses() async throws {
    for (_, processes) in workshops {
      try? await eventually { processes.all.isEmpty }
      let left = processes.all.map { process in
        let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
        return "\(process) \(String(decoding: words.map { $0 == 0 ? 32 : $0 }, as: UTF8.self))"
      }
      #expect(left.isEmpty, "These processes were left behind: \(left)")
    }
  }

  /// Checks that the files contain all typed text exactly once.
  func checkFiles(after rounds: Int) throws {
    checkDatabases()
    let databases = workshops.flatMap { Database.all(in: $0.0.path("data")) }
      .filter { $0.path.hasSuffix("/todos/ada.sqlite") }
    let kept = try databases.map { try $0.column("SELECT title FROM todo ORDER BY title") }
    for user in users {
      let typed = (1...rounds + 1).map { user.entry($0) }
      #expect(kept.contains(typed), "\(typed.count) todos of \(user.name) were typed; the databases have \(kept)")
    }
    var (damage, lines) = ([String](), 0)
    for (workshop, _) in workshops {
      let found = try LedgerPlugin.check(workshop.path("data"))
      damage += found.damage
      lines += found.lines
    }
    #expect(damage.isEmpty)
    let written = presses * users.count * LedgerPlugin.linesOfAPress
    #expect(lines == written, "\(written) lines were written, and \(lines) are there")
  }
}
