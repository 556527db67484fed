import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// Sessions of any number of users, each in a file of its own.
///
/// A session is opened on request and parked when its user leaves.
@_spi(FrontEnd) @MainActor public final class UserSessions {
  /// The hosts for users.
  private let shared: [HostPool]
  /// The hosts for the owner's sessions; the shared ones if everybody may use every feature.
  private let owners: [HostPool]
  /// The ids of the plugins for the owner alone.
  private let ownerOnly: [PluginID]
  var pools: [HostPool] { ownerOnly.isEmpty ? shared : owners + shared }
  let processes: FeatureProcesses
  /// The storage of the sessions; nil to store none.
  private let storage: (any SessionStorage)?
  private let isolatesSessions: Bool
  /// A running session, for any number of front ends.
  struct Open {
    let keeper: SessionKeeper
    let shared: SharedSession
    /// Whether the session is stored, now and when it is parked.
    var isKept: Bool
  }
  private(set) var sessions: [SessionID: Open] = [:]
  /// Called with the reason when no host stays up for a session.
  ///
  /// The receiver parks the session, which may be opened again.
  public var didEnd: (SessionID, any Error) -> Void = { _, _ in }
  /// Called with the reason why a session could not be stored or read, in words for the operator.
  public var didFailToStore: (any Error) -> Void = { _ in }
  /// The checkpoints of sessions that are stored in no file.
  private var checkpoints: [SessionID: Checkpoint] = [:]
  /// The tasks that park sessions.
  private var parking: [SessionID: Task<Void, Never>] = [:]
  /// The parked sessions whose latest changes are not stored.
  private(set) var unstored: [SessionID: UnstoredSession] = [:]
  private let system: SupervisorSystem

  /// Prepares a set of sessions; the first session of each pool starts a host.
  ///
  /// - Parameters:
  ///   - options: the options of the hosts; the state file is not used.
  ///   - hosts: the number of hosts that share the sessions, at least one.
  ///   - folder: the folder for stored sessions, with a subfolder for each profile; nil to store none.
  ///   - storedPerProfile: the most stored sessions of a profile; a new one replaces the least recently changed one.
  ///   - isolatesSessions: whether each session gets a host of its own.
  ///   - ownerOnly: the ids of the plugins for the owner alone. The hosts of other users do not load
  ///     their code.
  /// - Throws: ``SupervisorFailure`` if a log cannot be written, or if no plugin is left for the others.
  public init(
    _ options: SupervisorOptions, hosts: Int = 1, folder: String?, storedPerProfile: Int = 200,
    isolatesSessions: Bool = false, ownerOnly: [PluginID] = []
  ) throws {
    system = options.system
    storage = folder.map { FileStorage(path: $0, maximum: storedPerProfile, disk: options.system.disk) }
    self.isolatesSessions = isolatesSessions
    let processes = FeatureProcesses(options)
    self.processes = processes
    self.ownerOnly = ownerOnly
    var others = options
    others.launch.leaveOut(ownerOnly.map(\.rawValue))
    others.launch.plugins.removeAll { ownerOnly.contains(PluginID(rawValue: $0)) }
    guard options.launch.plugins.isEmpty || !others.launch.plugins.isEmpty else {
      throw SupervisorFailure(Words.Control.onlyOwners(options.launch.plugins))
    }
    shared = try (0..<max(1, hosts)).map { number in
      var options = others
      // Each pool numbers its own reports.
      if number > 0 { options.logFolder += "/pool-\(number)" }
      return try HostPool(options, processes)
    }
    var own = options
    own.logFolder += "/owner"
    owners = ownerOnly.isEmpty ? shared : [try HostPool(own, processes)]
    storage?.removeCopies()
  }

  /// The process IDs of the running hosts.
  public var hostProcessIDs: [Int32] { pools.flatMap(\.hostProcessIDs) }

  /// Starts the hosts before the first session needs them, so that a faulty setup shows before any user arrives.
  ///
  /// - Parameter isForOwner: whether the owner comes first. The hosts for the others then start with their sessions.
  /// - Throws: ``SupervisorFailure`` if a host does not stay up.
  public func start(isForOwner: Bool = false) async throws {
    for pool in isForOwner ? owners : shared {
      let keeper = pool.keep("start", profile: "start", isAlone: isolatesSessions)
      try await keeper.start()
      await keeper.close()
    }
  }

  /// Opens a session: the running one, the stored one, or a new one.
  ///
  /// - Parameters:
  ///   - id: the session's name: letters and digits.
  ///   - profile: the profile of the session's user: at most 64 letters, digits, `-` and `_`.
  ///   - isOwners: whether the user is the owner, who may use every feature.
  ///   - isKept: whether a new session is stored from the start; if not, ``keep(_:of:)`` stores it.
  /// - Returns: the session with its first screen, and the notifications for the user.
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  public func open(
    _ id: SessionID, of profile: String, isOwners: Bool = false, isKept: Bool = true
  ) async throws -> (session: any SessionConnection, notices: [Update.Notice]) {
    // Its file is in use until it is parked.
    while let parking = parking[id] { await parking.value }
    if let open = sessions[id] { return (open.shared.connect(), []) }
    let isKept = isKept || isStored(id, of: profile)
    let parked = unstored[id]
    let opening =
      if let parked { await parked.open() } else {
        isKept ? try await storage?.open(id, of: profile) : nil
      }
    if unstored[id] === parked { unstored[id] = nil }
    let pools = isOwners ? owners : shared
    let pool = pools.min { $0.sessionCount < $1.sessionCount } ?? pools[0]
    let stored = opening?.checkpoint ?? checkpoints.removeValue(forKey: id)
    let keeper = pool.keep(
      id, from: stored, isFromFile: stored != nil, profile: profile, isAlone: isolatesSessions)
    if let opening { use(opening, in: keeper) }
    keeper.onFailure = { [weak self] in self?.didEnd(id, $0) }
    let open = Open(keeper: keeper, shared: SharedSession(keeper.connection), isKept: isKept)
    sessions[id] = open
    do {
      let notices = try await keeper.start()
      return (open.shared.connect(), notices)
    } catch {
      await putAway(id, of: profile)
      throw error
    }
  }

  /// Stores an open session from now on; called before the user's first action.
  ///
  /// Sessions without any action are not stored, so that they never take the place of one with typed text.
  ///
  /// - Throws: ``SupervisorFailure`` if too many files are open.
  public func keep(_ id: SessionID, of profile: String) throws(SupervisorFailure) {
    guard let open = sessions[id], !open.isKept else { return }
    if let opening = try storage?.begin(id, of: profile) {
      use(opening, in: open.keeper)
      let checkpoint = open.keeper.checkpoint
      open.keeper.memory.store?.note(.init(changed: [], removed: [], nextNode: checkpoint.nextNode), of: checkpoint)
    }
    sessions[id]?.isKept = true
  }

  private func use(_ opening: OpenedSession, in keeper: SessionKeeper) {
    if let store = opening.store { keeper.follow(store) { [weak self] in self?.didFailToStore(SupervisorFailure($0)) } }
    if let notice = opening.notice {
      didFailToStore(SupervisorFailure(notice))
      keeper.tell(.init(.information, Words.Session.partNotRestored, detail: notice))
    }
  }

  /// Returns whether a profile has this session, open, parked or stored.
  public func isStored(_ id: SessionID, of profile: String) -> Bool {
    if let open = sessions[id] { return open.keeper.profile == profile }
    return checkpoints[id] != nil || unstored[id]?.profile == profile
      || storage?.isStored(id, of: profile) ?? false
  }

  /// Returns whether a profile has any session, open, parked or stored.
  public func hasSessions(of profile: String) -> Bool {
    // Without a folder, the profiles of parked sessions are unknown.
    guard let storage else { return true }
    return storage.hasSessions(of: profile) || sessions.values.contains { $0.keeper.profile == profile }
      || unstored.values.contains { $0.profile == profile }
  }

  /// Deletes the stored sessions of a user who cannot return; open sessions stay.
  ///
  /// Features are responsible for deleting the data that they store for the user.
  public func forget(_ profile: String) {
    for (id, session) in unstored where session.profile == profile {
      session.drop()
      unstored[id] = nil
    }
    storage?.removeSessions(of: profile)
  }

  /// The number of parked sessions whose latest changes are only in memory.
  public var unstoredCount: Int { unstored.count }

  /// Copies the state of an open session to a session that is not open yet.
  public func copy(_ id: SessionID, to other: SessionID, of profile: String) async throws {
    checkpoints[other] = sessions[id]?.keeper.checkpoint
  }

  /// Parks a session: stores it and removes it from its host.
  public func putAway(_ id: SessionID, of profile: String) async {
    guard let open = sessions.removeValue(forKey: id) else {
      await parking[id]?.value
      return
    }
    if storage == nil, open.isKept { checkpoints[id] = open.keeper.checkpoint }
    open.shared.close()
    let task = Task {
      if let store = await open.keeper.close(keepingHost: false) {
        unstored[id] = UnstoredSession(store, open.keeper.checkpoint, of: profile, system.clock) { [weak self] in
          self?.unstored[id] = nil
        }
      }
      parking[id] = nil
    }
    parking[id] = task
    await task.value
  }

  /// Stores all sessions and ends all hosts.
  public func stop() async {
    for open in sessions.values {
      open.shared.close()
      await open.keeper.close(keepingHost: true)
    }
    sessions = [:]
    while let task = parking.values.first { await task.value }
    for session in Array(unstored.values) { await session.finish() }
    for pool in pools { await pool.stop() }
    await processes.end()
  }
}

// MARK: - Requests of other commands

extension UserSessions: ControlledApp {
  @_spi(FrontEnd) public func status() -> AppStatus {
    let only = sessions.count == 1 ? sessions.values.first : nil
    return AppStatus(
      sessions: sessions.count, frontEnds: sessions.values.reduce(0) { $0 + $1.shared.count },
      screen: only?.keeper.presentation.top?.title)
  }

  @_spi(FrontEnd) public func plugins() async -> [HostMessage.PluginStatus] {
    let statuses = pools.flatMap(\.lines).map(\.statuses)
    return Supervisor.ordered(statuses.reduce(into: [:]) { $0.merge($1) { first, _ in first } })
  }

  /// Reloads a plugin in one host after the other; all users stay on their screens.
  @_spi(FrontEnd) public func reloaded(_ plugin: PluginID) async throws -> String {
    var texts: [String] = []
    let pools = ownerOnly.contains(plugin) ? owners : self.pools
    for line in pools.flatMap(\.lines) where line.host != nil {
      guard let keeper = line.keepers.first else { continue }
      texts.append(try await keeper.connection.reload(plugin))
    }
    guard let text = texts.first else { return Words.Reload.noSession }
    return texts.count == 1 ? text : Words.Reload.done(inHosts: texts.count, text)
  }

  @_spi(FrontEnd) public func frontEnd(_ session: SessionID?, isReadOnly: Bool) throws(SupervisorFailure)
    -> (session: SessionID, connection: FrontEndConnection)
  {
    let named = session ?? (sessions.count == 1 ? sessions.keys.first : nil)
    if let named, let open = sessions[named] {
      // An attached front end can change the session, so the session is stored.
      if !isReadOnly, let profile = open.keeper.profile { try keep(named, of: profile) }
      return (named, open.shared.connect(isReadOnly: isReadOnly))
    }
    guard !sessions.isEmpty else { throw SupervisorFailure(Words.Control.noSession) }
    let list = sessions.sorted { $0.key.rawValue < $1.key.rawValue }.prefix(20).map {
      (id: $0.key, title: $0.value.keeper.presentation.top?.title ?? "")
    }
    throw SupervisorFailure(Words.Control.nameSession(session, count: sessions.count, sessions: list))
  }
}
