import GangwayClient
import GangwayProtocol

/// A host that is being started beside the one that runs, to take its place if it comes up.
@MainActor final class Candidate {
  let host: HostProcess
  /// The plugin for whose sake it is started.
  let plugin: String
  /// What became of each file, once the host has said so.
  var statuses: [HostMessage.PluginStatus]?
  /// Its first screen, and what changed since.
  var updates: [Update] = []
  /// What it announced last.
  var loading: String?
  private var outcome: Result<Void, SupervisorFailure>?
  private var waiter: CheckedContinuation<Result<Void, SupervisorFailure>, Never>?

  init(_ host: HostProcess, plugin: String) {
    self.host = host
    self.plugin = plugin
  }

  /// Comes up when both are there, in either order.
  func finishIfUp() {
    if !updates.isEmpty, statuses != nil { finish(.success(())) }
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
extension Supervisor {
  /// Starts a new host with the present file of a plugin, restores the session in it, and lets it take the place of the
  /// one that runs. If it does not come up, the old one stays.
  ///
  /// - Parameter plugin: its id; nil stands for the plugin of the screen in front.
  /// - Returns: what to tell the person.
  /// - Throws: ``SupervisorFailure`` with the reason, when nothing was changed.
  public func reload(_ plugin: String? = nil) async throws -> String {
    if overlay.question != nil {
      throw SupervisorFailure("The app does not answer, so nothing can be reloaded. Answer Wait or Restart first.")
    }
    await listed()
    while isBusy {
      guard await withCheckedContinuation({ queue.append($0) }) else {
        throw SupervisorFailure("The host stopped meanwhile, so nothing was reloaded. Try again.")
      }
    }
    guard let old = host, !isStopped, incident.isUp else { throw failure ?? SupervisorFailure("The host has ended.") }
    let plugin = try reloadable(plugin)
    isReloading = true
    defer {
      isReloading = false
      next()
    }
    // Set aside by its id, or, where it stopped a host while it was loaded, by its file.
    let before = quarantined
    quarantined[plugin] = nil
    if let file = statuses[plugin]?.file { quarantined[file] = nil }
    do {
      let (host, updates) = try await replacement(for: plugin)
      self.host = host
      tally.forget(plugin)
      retire(old)
      isReloading = false
      takeOver(updates)
      let version = statuses[plugin]?.version.map { " \($0)" } ?? ""
      return "The plugin \(plugin)\(version) was reloaded."
    } catch {
      quarantined = before
      throw error
    }
  }

  private func reloadable(_ plugin: String?) throws -> String {
    let known = statuses.keys.sorted()
    guard let plugin else {
      guard let front = presentation.layers.last.flatMap({ checkpoint.records[$0.node]?.plugin }) else {
        throw SupervisorFailure("The screen in front belongs to no plugin, so there is nothing to reload.")
      }
      return front
    }
    guard known.contains(plugin) else {
      let nearest = NearestMatch.of(plugin, among: known).map { " Did you mean '\($0)'?" } ?? ""
      throw SupervisorFailure(
        "There is no plugin '\(plugin)' in this app.\(nearest) Plugins: \(known.joined(separator: ", ")).")
    }
    return plugin
  }

  /// Starts a host with the present files and waits until it shows what this one shows.
  private func replacement(for plugin: String) async throws -> (HostProcess, [Update]) {
    generation += 1
    let host = try startHost(loading: [plugin])
    let candidate = Candidate(host, plugin: plugin)
    self.candidate = candidate
    defer { self.candidate = nil }
    host.send(.hello(.current))
    host.open(Self.session, checkpoint.records.isEmpty ? nil : checkpoint)
    follow(host)
    let limit = Task {
      repeat { try await Task.sleep(for: options.startPatience) } while options.waitsForDebugger
      let activity = candidate.loading.map { "loading '\($0)'" } ?? "starting"
      candidate.finish(
        .failure(SupervisorFailure("it did not come up within \(options.startPatience): it was \(activity)")))
    }
    defer { limit.cancel() }
    switch await candidate.result() {
    case .success:
      guard self.host != nil else {
        host.kill()
        throw SupervisorFailure("The host stopped meanwhile, so nothing was reloaded. Try again.")
      }
      for status in candidate.statuses ?? [] { note(status) }
      return (host, candidate.updates)
    case .failure(let reason):
      host.kill()
      throw SupervisorFailure("The plugin \(plugin) was not reloaded, and runs as it was: \(reason)")
    }
  }

  /// Takes what a host says that is not in charge yet.
  func take(_ report: HostProcess.Report, of candidate: Candidate) {
    switch report {
    case .message(.loading(let file)): candidate.loading = file
    case .message(.ready(let statuses)):
      candidate.statuses = statuses
      let own = statuses.first { $0.id == candidate.plugin }
      let before = self.statuses[candidate.plugin]
      let refused = own ?? statuses.first { $0.file == before?.file }
      guard own?.state == .active else {
        return candidate.finish(.failure(SupervisorFailure(refused?.refusal ?? "its file is no longer there")))
      }
      candidate.finishIfUp()
    case .message(.update(_, let update)):
      candidate.updates.append(update)
      candidate.finishIfUp()
    case .message(.failure(let failure)): candidate.finish(.failure(SupervisorFailure(failure.message)))
    case .dying, .closed:
      let activity = candidate.loading.map { "; it was loading '\($0)'" } ?? ""
      candidate.finish(
        .failure(SupervisorFailure("the new host stopped\(activity). Report: \(candidate.host.crashReport)")))
    case .message, .garbled: break
    }
  }

  private func retire(_ old: HostProcess) {
    old.send(.quit)
    Task {
      let limit = Task {
        try await Task.sleep(for: .seconds(1))
        old.kill()
      }
      _ = await old.status()
      limit.cancel()
    }
  }
}
