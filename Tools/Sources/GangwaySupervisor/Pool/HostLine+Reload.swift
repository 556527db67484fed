@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// A host that starts beside the running one, to replace it once it is up.
@MainActor final class Candidate {
  let host: RunningHost
  /// The plugin to reload.
  let plugin: PluginID
  /// The state of each plugin, once the host has reported it.
  var statuses: [HostMessage.PluginStatus]?
  /// The updates for each session: its first screen and the changes since.
  var updates: [SessionID: [Update]] = [:]
  /// The file that the host announced last.
  var loading: String?
  /// The path of the report, if the host has stopped.
  var report: String?
  private let sessions: Set<SessionID>
  private var outcome: Result<Void, SupervisorFailure>?
  private var waiter: CheckedContinuation<Result<Void, SupervisorFailure>, Never>?

  init(_ host: RunningHost, plugin: PluginID, sessions: [SessionID]) {
    self.host = host
    self.plugin = plugin
    self.sessions = Set(sessions)
  }

  /// Returns whether the host was given a session.
  func hasSession(_ session: SessionID) -> Bool { sessions.contains(session) }

  /// Finishes successfully once the plugins' states and all first screens have arrived, in any order.
  func finishIfUp() {
    if sessions.isSubset(of: updates.keys), statuses != nil { finish(.success(())) }
  }

  func finish(_ result: Result<Void, SupervisorFailure>) {
    guard outcome == nil else { return }
    outcome = result
    waiter?.resume(returning: result)
    waiter = nil
  }

  func result() async -> Result<Void, SupervisorFailure> {
    if let outcome { return outcome }
    return await withCheckedContinuation { waiter = $0 }
  }
}

/// Replacing a plugin while users stay on their screens.
extension HostLine {
  /// Replaces the running host by a new one that has the current file of a plugin and restores the sessions.
  ///
  /// If the new host does not come up, the old one stays. Call this method only between two events of the sessions.
  ///
  /// - Parameter plugin: the plugin's id.
  /// - Returns: the text to show the user.
  /// - Throws: ``SupervisorFailure`` with the reason; nothing has changed then.
  func reload(_ plugin: PluginID) async throws -> String {
    guard statuses[plugin] != nil else {
      let known = statuses.keys.map(\.rawValue).sorted()
      let nearest = NearestMatch.of(plugin.rawValue, among: known)
      throw SupervisorFailure(Words.Reload.unknownPlugin(plugin, nearest: nearest, known: known))
    }
    guard happen(.replace) else { throw failure ?? Self.endedMeanwhile }
    // A plugin is quarantined by its id, or by its file if it stopped a host while it was being loaded.
    let before = ledger.release(plugin, file: statuses[plugin]?.file)
    do {
      try await comeUp(with: plugin)
      guard happen(.replaced) else { throw Self.endedMeanwhile }
      ledger.forget(plugin)
      return Words.Reload.done(plugin, version: statuses[plugin]?.version)
    } catch {
      ledger.restore(before)
      happen(.notReplaced)
      throw error
    }
  }

  /// Waits until no session has an event in flight.
  ///
  /// Until the next suspension, no session sends an event.
  func idle() async throws(SupervisorFailure) {
    // The next events of these sessions wait. The sessions may have left this line since.
    var held: [SessionKeeper] = []
    defer { for keeper in held { keeper.turns.next() } }
    // A session that is being closed never becomes ready.
    while let busy = keepers.first(where: { $0.isBusy && $0.phase != .closed && $0.phase != .failed }) {
      if busy.phase == .asking {
        throw SupervisorFailure(Words.Reload.noAnswer)
      }
      guard await busy.turns.turn() else { throw Self.endedMeanwhile }
      held.append(busy)
    }
    if let failure { throw failure }
  }

  private static let endedMeanwhile = SupervisorFailure(Words.Reload.endedMeanwhile)

  /// Starts a host with the current files and waits until it shows the same sessions.
  private func comeUp(with plugin: PluginID) async throws {
    guard let pool else { throw Self.endedMeanwhile }
    let host = try pool.startHost(loading: [plugin])
    noteTrial(of: host)
    let candidate = Candidate(host, plugin: plugin, sessions: keepers.map(\.id))
    self.candidate = candidate
    host.channel.send(.hello(.current, takesPatches: true))
    for keeper in keepers {
      host.channel.open(keeper.id, keeper.checkpoint.records.isEmpty ? nil : keeper.checkpoint, profile: keeper.profile)
    }
    follow(host)
    let limit = Task {
      repeat { try await clock.sleep(for: options.startPatience) } while options.launch.waitsForDebugger
      let reason = Words.Reload.didNotStart(within: options.startPatience.inSeconds, loading: candidate.loading)
      candidate.finish(.failure(SupervisorFailure(reason)))
    }
    defer { limit.cancel() }
    if case .failure(let reason) = await candidate.result() {
      guard isReplacing else { throw Self.endedMeanwhile }
      throw SupervisorFailure(
        Words.Reload.failed(plugin, reason: reason.description, report: candidate.report))
    }
  }

  /// Handles a message from a host that is not in charge yet.
  func take(_ report: HostOutput.Report, of candidate: Candidate) {
    if case .message = report { candidate.host.messages += 1 }
    switch report {
    case .message(.loading(let file)): candidate.loading = file
    case .message(.ready(let statuses)):
      candidate.host.isReady = true
      candidate.statuses = statuses
      let own = statuses.first { $0.id == candidate.plugin }
      let before = self.statuses[candidate.plugin]
      let refused = own ?? statuses.first { $0.file == before?.file }
      guard own?.state == .active else {
        return candidate.finish(.failure(SupervisorFailure(refused?.refusal ?? Words.Reload.fileIsGone)))
      }
      candidate.finishIfUp()
    case .message(.update(let session, let update)):
      candidate.updates[session, default: []].append(admitted(update, of: candidate.host, to: session))
      candidate.finishIfUp()
    case .message(.failure(let failure)): candidate.finish(.failure(SupervisorFailure(failure.message)))
    case .dying, .closed:
      candidate.report = candidate.host.channel.crashReport
      candidate.finish(.failure(SupervisorFailure(Words.Reload.stopped(loading: candidate.loading))))
    case .garbled(let text):
      candidate.finish(.failure(SupervisorFailure(Words.Reload.unreadable(text))))
    case .message: break
    }
  }

  /// Drops the candidate.
  func dropCandidate() {
    candidate?.host.channel.kill()
    candidate?.finish(.failure(Self.endedMeanwhile))
    candidate = nil
    for keeper in keepers { keeper.turns.next() }
  }

  /// Replaces the host by the candidate.
  func swap() {
    guard let candidate, let old = host else { return }
    self.candidate = nil
    host = candidate.host
    incident = Incident()
    for status in candidate.statuses ?? [] { note(status) }
    plugins.end()
    incident.isUp = true
    for keeper in keepers where candidate.hasSession(keeper.id) {
      do throws(ImpossibleMessage) {
        try keeper.takeOver(candidate.updates[keeper.id] ?? [])
      } catch {
        replace(candidate.host, error)
      }
    }
    // A session that came after the candidate had started is only in the old host.
    for keeper in keepers where !candidate.hasSession(keeper.id) {
      keeper.hostEnded(nil)
      keeper.open(on: candidate.host)
    }
    watchOpening()
    pool?.retire(old)
    pool?.scheduleSpare()
  }
}
