import FoundationEssentials
import GangwayClient
import GangwayProtocol
import Glibc

/// Sessions of any number of people, each in a file of its own: opened when they are asked for, put away when they are left.
@MainActor public final class SessionShelf {
  private let pools: [HostPool]
  private let folder: String?
  private let isolatesSessions: Bool
  private var keepers: [SessionID: SessionKeeper] = [:]
  /// What a session that is stored nowhere goes on from.
  private var checkpoints: [SessionID: Checkpoint] = [:]

  /// Prepares a shelf; the first session of each pool starts a host.
  ///
  /// - Parameters:
  ///   - options: those of the hosts; their state file is not used.
  ///   - hosts: how many hosts share the sessions, one at the least.
  ///   - folder: where sessions are kept between runs, a folder for each profile; nil for nowhere.
  ///   - isolatesSessions: whether each session gets a host of its own.
  /// - Throws: ``SupervisorFailure`` if a log cannot be written.
  public init(_ options: SupervisorOptions, hosts: Int = 1, folder: String?, isolatesSessions: Bool = false) throws {
    self.folder = folder
    self.isolatesSessions = isolatesSessions
    pools = try (0..<max(1, hosts)).map { number in
      var options = options
      // Reports are numbered by pool.
      if number > 0 { options.logFolder += "/pool-\(number)" }
      return try HostPool(options)
    }
  }

  /// The processes of the hosts that run.
  public var hostProcessIDs: [Int32] { pools.flatMap(\.hostProcessIDs) }

  /// A session: the one that is open, the one that is stored, or a new one.
  ///
  /// - Parameters:
  ///   - id: its name: letters and digits.
  ///   - profile: whose it is: at most 64 letters, digits, `-` and `_`.
  /// - Returns: the session with its first screen, and what to tell the person.
  /// - Throws: ``SupervisorFailure`` if no host stays up.
  public func open(_ id: SessionID, of profile: String) async throws -> (
    session: SessionKeeper, notices: [Update.Notice]
  ) {
    if let keeper = keepers[id] { return (keeper, []) }
    let opening = file(id, profile).map { SessionStore.open($0, isFresh: false) }
    let pool = pools.min { $0.sessionCount < $1.sessionCount } ?? pools[0]
    let stored = opening?.checkpoint ?? checkpoints.removeValue(forKey: id)
    let keeper = pool.keep(
      id, from: stored, isFromFile: stored != nil, profile: profile, isAlone: isolatesSessions)
    keeper.store = opening?.store
    if let notice = opening?.notice { keeper.tell(.init(.information, notice)) }
    keeper.store?.current = { [weak keeper] in keeper?.checkpoint }
    keeper.store?.didFail = { [weak keeper] in keeper?.tell(.init(.failure, $0)) }
    keepers[id] = keeper
    do {
      return (keeper, try await keeper.start())
    } catch {
      keepers[id] = nil
      throw error
    }
  }

  /// Whether a session is open, put away or stored.
  public func isKnown(_ id: SessionID, of profile: String) -> Bool {
    if let keeper = keepers[id] { return keeper.profile == profile }
    return checkpoints[id] != nil || file(id, profile).map { access($0, F_OK) == 0 } ?? false
  }

  /// Has a session that is not open yet begin where another one is.
  public func copy(_ id: SessionID, to other: SessionID) { checkpoints[other] = keepers[id]?.checkpoint }

  /// Stores a session and takes it from its host.
  public func putAway(_ id: SessionID) async {
    guard let keeper = keepers.removeValue(forKey: id) else { return }
    if folder == nil { checkpoints[id] = keeper.checkpoint }
    await keeper.close()
  }

  /// Stores all sessions and ends all hosts.
  public func stop() async {
    for keeper in keepers.values { await keeper.close(keepingHost: true) }
    keepers = [:]
    for pool in pools { await pool.stop() }
  }

  private func file(_ id: SessionID, _ profile: String) -> String? {
    folder.map { "\($0)/\(profile)/\(id).json" }
  }
}
