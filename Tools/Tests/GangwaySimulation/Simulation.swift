import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport

@_spi(FrontEnd) import GangwaySupervisor

/// The sessions of three users over simulated hosts, on a virtual clock, with faults from a seed.
///
/// The same seed gives the same run: everything happens on the main actor, in the order of the virtual clock.
@MainActor package final class Simulation {
  /// A broken promise of the supervisor.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// A kind of chance.
  enum Chance { case death, silence }

  /// A fault of a host that handles an event.
  enum EventFault: CaseIterable { case dieBefore, dieAfter, dieAnswered, late, neverAnswer, twice, flood, lie }

  /// A state of the disk.
  enum Disk: CaseIterable { case fine, full, torn, slow }

  /// The settings of one life of the supervisor.
  struct Setup {
    var hosts: Int
    var keepsSpare: Bool
    var isolatesSessions: Bool
  }

  /// The settings of each life of the supervisor; nil for settings by chance.
  var setup: Setup?
  let seed: UInt64
  let folder: String
  let clock = VirtualClock()
  var evidence = Evidence()
  private(set) var faults = 0
  /// The first broken promise.
  private(set) var failure: Failure?
  /// A number that depends on everything that happened.
  private(set) var trace: UInt64 = 14_695_981_039_346_656_037
  private var generator: SeededRandom
  /// Whether hosts and the disk fail.
  var isStormy = true
  var disk = Disk.fine
  /// The number of this life of the supervisor. Earlier lives write nothing any more.
  private(set) var life = 0
  private(set) var sessions: UserSessions?
  private var quarantined: Set<String> = []
  private(set) var users: [SimulatedUser] = []
  private var log: [String] = []
  private struct WeakHost { weak var channel: SimulatedHost? }
  /// The hosts of this life of the supervisor.
  private var hosts: [WeakHost] = []

  /// Prepares a simulation.
  ///
  /// - Parameters:
  ///   - seed: the seed of all chances.
  ///   - folder: a folder of its own for the session's files.
  init(seed: UInt64, folder: String) {
    (self.seed, self.folder) = (seed, folder)
    generator = SeededRandom(seed: seed)
  }

  // MARK: Chance

  func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  func pick<Value>(_ values: [Value]) -> Value { values[random(0...values.count - 1)] }

  func happens(_ chance: Chance) -> Bool {
    guard isStormy else { return false }
    return switch chance {
    case .death: random(0...99) < 6
    case .silence: random(0...99) < 2
    }
  }

  /// Returns the fault of a host that handles an event, if it has one.
  func eventFault() -> EventFault? {
    guard isStormy, random(0...99) < 40 else { return nil }
    return pick(EventFault.allCases)
  }

  /// Counts a fault.
  func noteFault(_ text: String) {
    faults += 1
    note(text)
  }

  /// Notes that something happened.
  func note(_ text: String) {
    for byte in text.utf8 { trace = (trace ^ UInt64(byte)) &* 1_099_511_628_211 }
    log.append("\(clock.now - start): \(text)")
    if log.count > 40_000 { log.removeFirst(20_000) }
  }

  private lazy var start = clock.now

  /// The last things that happened.
  var history: String { log.suffix(60).joined(separator: "\n") }

  func fail(_ text: String) {
    guard failure == nil else { return }
    failure = Failure(description: "seed \(seed): \(text)\n\(history)")
  }

  // MARK: The run

  /// Runs until a number of faults have happened and everything is calm again.
  ///
  /// - Throws: the first ``Failure``.
  func run(faults wanted: Int) async throws {
    _ = start
    users = (0..<3).map { SimulatedUser(number: $0, self) }
    begin()
    for user in users { user.begin() }
    while faults < wanted {
      for _ in 0..<200 where faults < wanted { try await step(until: clock.now + .seconds(3_600)) }
      if random(0...3) == 0 { try await calm() }
      disturb()
    }
    try await calm()
    for user in users { user.end() }
    let old = sessions
    try await value(within: .seconds(60), "The sessions do not end") { await old?.stop() }
    for user in users { user.check(file: file(of: user)) }
    if let failure { throw failure }
  }

  /// Waits in virtual time until a task has ended, and returns its value.
  ///
  /// - Throws: ``Failure`` after the limit, or the error of the task.
  @discardableResult func value<Value>(
    within limit: Duration, _ problem: String, _ work: @escaping @MainActor () async throws -> Value
  ) async throws -> Value {
    let outcome = Outcome<Value>()
    Task {
      do {
        outcome.result = .success(try await work())
      } catch {
        outcome.result = .failure(error)
      }
    }
    try await wait(within: limit, problem) { outcome.result != nil }
    guard let result = outcome.result else { throw Failure(description: problem) }
    return try result.get()
  }

  private final class Outcome<Value> { var result: Result<Value, any Error>? }

  /// Takes one step in time, and lets everything happen that follows at once.
  @discardableResult private func step(until limit: ContinuousClock.Instant) async throws -> Bool {
    let didStep = clock.step(until: limit)
    try await settle()
    return didStep
  }

  /// Lets everything happen that needs no time, and checks the promises.
  private func settle() async throws {
    for _ in 0..<12 { await Task.yield() }
    checkQuarantines()
    for user in users { user.checkMemory() }
    if let failure { throw failure }
  }

  /// Waits in virtual time.
  private func wait(within limit: Duration, _ problem: String, _ isDone: () -> Bool) async throws {
    let end = clock.now + limit
    try await settle()
    while !isDone() {
      guard try await step(until: end) else { throw Failure(description: "seed \(seed): \(problem).\n\(history)") }
    }
  }

  /// Ends all faults, and checks that every front end can work again.
  private func calm() async throws {
    isStormy = false
    disk = .fine
    note("calm")
    let before = users.map(\.acknowledgedCount)
    let end = clock.now + .seconds(900)
    while zip(users, before).contains(where: { $0.acknowledgedCount < $1 + 3 }) {
      guard try await step(until: end) else {
        let stuck = zip(users, before).filter { $0.acknowledgedCount < $1 + 3 }.map(\.0.state)
        throw Failure(description: "seed \(seed): These sessions are stuck: \(stuck)\n\(history)")
      }
    }
    isStormy = true
    note("storm")
  }

  /// Does something from outside.
  private func disturb() {
    switch random(0...7) {
    case 6, 7: hosts.randomElement(using: &generator)?.channel?.end(by: .kill)
    case 0, 1:
      disk = pick(Disk.allCases)
      if disk == .fine { note("the disk is fine") } else { noteFault("the disk is \(disk)") }
    case 2: endSupervisor()
    default: break
    }
  }

  // MARK: The supervisor

  func begin() {
    life += 1
    evidence = Evidence()
    note("life \(life)")
    var options = SupervisorOptions(host: "host", logFolder: folder)
    let setup =
      setup ?? Setup(hosts: random(1...2), keepsSpare: random(0...1) == 0, isolatesSessions: random(0...4) == 0)
    options.keepsSpare = setup.keepsSpare
    options.trial = .seconds(2)
    options.system.clock = clock
    options.system.disk = { [unowned self] in simulatedDisk() }
    options.system.launcher = { [unowned self, life] _, _, _ in SimulatedLauncher(simulation: self, life: life) }
    quarantined = []
    do {
      let sessions = try UserSessions(
        options, hosts: setup.hosts, folder: lifeFolder, isolatesSessions: setup.isolatesSessions)
      sessions.didEnd = { [unowned self, life] id, _ in
        if life == self.life { users.first { $0.id == id }?.hasFailed() }
      }
      self.sessions = sessions
    } catch {
      fail("\(error)")
    }
  }

  /// Ends the supervisor as SIGKILL does, and starts the next one with the files.
  private func endSupervisor() {
    noteFault("the supervisor is killed")
    guard let old = sessions else { return }
    for user in users { user.supervisorEnded(old, file(of: user)) }
    // Each life has the files in a folder of its own, because the locks of the life before end only with its tasks.
    let before = lifeFolder
    begin()
    for user in users {
      let path = "\(before)/\(user.profile)"
      guard let bytes = FileManager.default.contents(atPath: "\(path)/\(user.id).json") else { continue }
      do {
        try FileManager.default.createDirectory(
          atPath: "\(lifeFolder)/\(user.profile)", withIntermediateDirectories: true)
        let isCopied = FileManager.default.createFile(
          atPath: file(of: user), contents: bytes, attributes: [.posixPermissions: 0o600])
        if !isCopied { fail("The file of \(user.id) could not be copied") }
      } catch {
        fail("\(error)")
      }
    }
    for host in hosts { host.channel?.vanish() }
    hosts = []
    for user in users { user.begin() }
    Task { await old.stop() }
  }

  /// The hosts that run in this life of the supervisor, in the order of their starts.
  var running: [SimulatedHost] { hosts.compactMap(\.channel).filter { !$0.isGone } }

  private var lifeFolder: String { "\(folder)/life-\(life)" }
  private func file(of user: SimulatedUser) -> String { "\(lifeFolder)/\(user.profile)/\(user.id).json" }

  /// Returns the operations of a session on the simulated disk, for this life of the supervisor.
  func simulatedDisk() -> SessionDisk {
    let life = life
    var operations = SessionDisk()
    operations.clock = clock
    operations.append = { [unowned self] bytes, descriptor in
      guard life == self.life else { return false }
      switch disk {
      case .fine: return ProcessIO.writeAll(bytes, to: descriptor)
      case .full: return false
      case .torn:
        _ = ProcessIO.writeAll(Array(bytes.prefix(random(0...bytes.count - 1))), to: descriptor)
        return false
      case .slow:
        clock.pass(.milliseconds(random(1...900)))
        return ProcessIO.writeAll(bytes, to: descriptor)
      }
    }
    operations.write = { [unowned self] file, checkpoint in
      try MainActor.assumeIsolated {
        guard life == self.life, disk == .fine || disk == .slow else {
          throw SupervisorFailure("The simulated disk is \(disk).")
        }
        if disk == .slow { clock.pass(.milliseconds(random(1...900))) }
        return try file.writeBeside(checkpoint)
      }
    }
    operations.inBackground = { [unowned self] work in
      try? await clock.sleep(for: .milliseconds(random(1...2_000)))
      return work()
    }
    return operations
  }

  /// Starts a host.
  func start(_ settings: HostLaunch, number: Int) -> SimulatedHost {
    note("host \(number) starts")
    let host = SimulatedHost(self, settings, number: number)
    hosts.removeAll { $0.channel?.isGone ?? true }
    hosts.append(.init(channel: host))
    return host
  }

  // MARK: Promises

  /// Checks that a host receives all that was acknowledged.
  func check(opened checkpoint: Checkpoint?, _ session: SessionID) {
    users.first { $0.id == session }?.check(checkpoint, "a host")
  }

  private func checkQuarantines() {
    guard let now = sessions?.quarantined, !now.isEmpty || !quarantined.isEmpty else { return }
    for (name, reason) in now.sorted(by: { $0.key < $1.key }) where !quarantined.contains(name) {
      let plugin = SimulatedHost.features.first { $0.rawValue == name || SimulatedHost.file(of: $0) == name }
      guard let plugin else { return fail("'\(name)', which no host has, is quarantined") }
      note("quarantined: \(plugin), \(reason)")
      if let problem = evidence.problem(of: plugin, reason) { return fail(problem) }
    }
    quarantined = Set(now.keys)
  }
}

/// Starts simulated hosts in one life of the supervisor.
struct SimulatedLauncher: HostLauncher {
  unowned let simulation: Simulation
  let life: Int

  func start(_ settings: HostLaunch, number: Int) throws -> any HostChannel {
    guard life == simulation.life else { throw SupervisorFailure("This supervisor was killed.") }
    return simulation.start(settings, number: number)
  }
}
