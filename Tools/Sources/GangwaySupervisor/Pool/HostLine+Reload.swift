import GangwayClient
import GangwayProtocol

/// A host that is being started beside the one that runs, to take its place if it comes up.
@MainActor final class Candidate {
  let host: HostProcess
  /// The plugin for whose sake it is started.
  let plugin: String
  /// What became of each file, once the host has said so.
  var statuses: [HostMessage.PluginStatus]?
  /// The sessions' first screens, and what changed since.
  var updates: [SessionID: [Update]] = [:]
  /// What it announced last.
  var loading: String?
  private let sessions: Set<SessionID>
  private var outcome: Result<Void, SupervisorFailure>?
  private var waiter: CheckedContinuation<Result<Void, SupervisorFailure>, Never>?

  init(_ host: HostProcess, plugin: String, sessions: [SessionID]) {
    self.host = host
    self.plugin = plugin
    self.sessions = Set(sessions)
  }

  /// Comes up when all is there, in any order.
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

/// Replacing a feature while the person stays where they are.
extension HostLine {
  /// Starts a new host with the present file of a plugin, restores the sessions in it, and lets it take the place of the
  /// one that runs. If it does not come up, the old one stays. It is called between two events of the sessions.
  ///
  /// - Parameter plugin: its id.
  /// - Returns: what to tell the person.
  /// - Throws: ``SupervisorFailure`` with the reason, when nothing was changed.
  func reload(_ plugin: String) async throws -> String {
    let known = statuses.keys.sorted()
    guard known.contains(plugin) else {
      let nearest = NearestMatch.of(plugin, among: known).map { " Did you mean '\($0)'?" } ?? ""
      throw SupervisorFailure(
        "There is no plugin '\(plugin)' in this app.\(nearest) Plugins: \(known.joined(separator: ", ")).")
    }
    guard happen(.replace) else { throw failure ?? Self.endedMeanwhile }
    // Set aside by its id, or, where it stopped a host while it was loaded, by its file.
    let before = ledger.release(plugin, file: statuses[plugin]?.file)
    do {
      try await comeUp(with: plugin)
      guard happen(.replaced) else { throw Self.endedMeanwhile }
      ledger.forget(plugin)
      let version = statuses[plugin]?.version.map { " \($0)" } ?? ""
      return "The plugin \(plugin)\(version) was reloaded."
    } catch {
      ledger.restore(before)
      happen(.notReplaced)
      throw error
    }
  }

  /// Waits until it is between two events of every session.
  func idle() async throws(SupervisorFailure) {
    while let busy = keepers.first(where: \.isBusy) {
      if busy.phase == .asking {
        throw SupervisorFailure("The app does not answer, so nothing can be reloaded. Answer Wait or Restart first.")
      }
      guard await busy.turn() else { throw Self.endedMeanwhile }
    }
    if let failure { throw failure }
  }

  private static let endedMeanwhile = SupervisorFailure(
    "The host stopped meanwhile, so nothing was reloaded. Try again.")

  /// Starts a host with the present files and waits until it shows what this one shows.
  private func comeUp(with plugin: String) async throws {
    guard let pool else { throw Self.endedMeanwhile }
    let host = try pool.startHost(loading: [plugin])
    let candidate = Candidate(host, plugin: plugin, sessions: keepers.map(\.id))
    self.candidate = candidate
    host.send(.hello(.current, takesPatches: true))
    for keeper in keepers {
      host.open(keeper.id, keeper.checkpoint.records.isEmpty ? nil : keeper.checkpoint, profile: keeper.profile)
    }
    follow(host)
    let limit = Task {
      repeat { try await Task.sleep(for: options.startPatience) } while options.waitsForDebugger
      let activity = candidate.loading.map { "loading '\($0)'" } ?? "starting"
      candidate.finish(
        .failure(SupervisorFailure("it did not come up within \(options.startPatience): it was \(activity)")))
    }
    defer { limit.cancel() }
    if case .failure(let reason) = await candidate.result() {
      throw isReplacing
        ? SupervisorFailure("The plugin \(plugin) was not reloaded, and runs as it was: \(reason)")
        : Self.endedMeanwhile
    }
  }

  /// Takes what a host says that is not in charge yet.
  func take(_ report: HostProcess.Report, of candidate: Candidate) {
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
        return candidate.finish(.failure(SupervisorFailure(refused?.refusal ?? "its file is no longer there")))
      }
      candidate.finishIfUp()
    case .message(.update(let session, let update)):
      candidate.updates[session, default: []].append(admitted(update, of: candidate.host, to: session))
      candidate.finishIfUp()
    case .message(.failure(let failure)): candidate.finish(.failure(SupervisorFailure(failure.message)))
    case .dying, .closed:
      let activity = candidate.loading.map { "; it was loading '\($0)'" } ?? ""
      candidate.finish(
        .failure(SupervisorFailure("the new host stopped\(activity). Report: \(candidate.host.crashReport)")))
    case .garbled(let text):
      candidate.finish(.failure(SupervisorFailure("the new host said what is no message: \(text)")))
    case .message: break
    }
  }

  /// Gives up the host that was to take over.
  func dropCandidate() {
    candidate?.host.kill()
    candidate?.finish(.failure(Self.endedMeanwhile))
    candidate = nil
    for keeper in keepers { keeper.next() }
  }

  /// Lets the candidate take over.
  func swap() {
    guard let candidate, let old = host else { return }
    self.candidate = nil
    host = candidate.host
    for status in candidate.statuses ?? [] { note(status) }
    incident = Incident()
    incident.isUp = true
    for keeper in keepers {
      do throws(ImpossibleMessage) {
        try keeper.takeOver(candidate.updates[keeper.id] ?? [])
      } catch {
        replace(candidate.host, error)
      }
    }
    pool?.retire(old)
    pool?.scheduleSpare()
  }
}
