import GangwayClient
import GangwayProtocol
import Glibc

/// Starting hosts and taking what they say.
extension Supervisor {
  func launch() throws {
    restored = checkpoint
    generation += 1
    incident = Incident(restoreDeaths: incident.restoreDeaths, failedStarts: incident.failedStarts)
    let host = try startHost()
    self.host = host
    host.send(.hello(.current))
    host.open(Self.session, checkpoint.records.isEmpty ? nil : checkpoint, isFromFile: isFromFile)
    follow(host)
    watchStart(of: host)
  }

  /// Starts a host.
  ///
  /// - Parameter plugins: those that it loads at once, whether they are needed or not.
  func startHost(loading plugins: [String] = []) throws -> HostProcess {
    var arguments = ["--serve"]
    for plugin in options.plugins { arguments += ["--plugin", plugin] }
    for plugin in options.without { arguments += ["--without", plugin] }
    for (plugin, reason) in quarantined.sorted(by: { $0.key < $1.key }) {
      arguments += ["--quarantine", plugin, "--because", reason]
    }
    for folder in options.pluginFolders { arguments += ["--plugins-dir", folder] }
    if let configuration = options.configuration { arguments += ["--config", configuration] }
    if options.isSafe {
      arguments.append("--safe-mode")
      for plugin in allowed.union(plugins).sorted() { arguments += ["--allow", plugin] }
    }
    if options.waitsForDebugger { arguments.append("--wait-for-debugger") }
    // Once is enough: what was found out by the first host is known to those after it.
    if options.rescans, generation == 1 { arguments.append("--rescan") }
    // The host's own deadline is for a host that nobody watches: here its process is ended before, and the file set aside.
    arguments += ["--load-timeout", "\((options.loadPatience * 2) / .seconds(1))"]
    if let deadline = options.probeTimeout { arguments += ["--probe-timeout", "\(deadline)"] }
    for plugin in plugins { arguments += ["--load", plugin] }
    return try HostProcess(
      executable: options.host, arguments: arguments, environment: options.environment, log: log,
      crashReport: folder.report(process: getpid(), generation: generation))
  }

  /// Takes what a host says, while it is in charge or is to be.
  func follow(_ host: HostProcess) {
    Task {
      for await report in host.reports {
        if let candidate, candidate.host === host {
          take(report, of: candidate)
        } else {
          guard self.host === host else { return }
          await take(report, from: host)
        }
      }
    }
  }

  private func take(_ report: HostProcess.Report, from host: HostProcess) async {
    switch report {
    case .message(let message):
      host.messages += 1
      take(message)
    case .garbled(let text): onUpdate(note(.failure, "The host said something that is no message: \(text)"))
    case .dying: await recover(from: host, reportIsComing: true)
    case .closed:
      guard !isStopped else { return }
      await recover(from: host, reportIsComing: false)
    }
  }

  private func take(_ message: HostMessage) {
    switch message {
    case .hello(let version, _):
      guard version.major == ProtocolVersion.current.major else {
        return giveUp(
          "The host '\(options.host)' speaks protocol \(version), this command speaks \(ProtocolVersion.current). Install "
            + "both from one release.")
      }
    case .probing: break
    case .loading(let file):
      incident.loading = file
      watchLoad(of: file)
    case .restoring(_, let node, let plugin): incident.restoring = (node, plugin)
    case .plugin(let status):
      endLoadWatch()
      note(status)
    case .ready(let plugins):
      recorder?.begin(plugins)
      for plugin in plugins {
        note(plugin)
        guard plugin.state == .refused, plugin.cause != "not-a-plugin", toldRefusals.insert(plugin.file).inserted else {
          continue
        }
        tell(.init(.failure, "\(plugin.file) was refused: \(plugin.refusal ?? "")"))
      }
      endListing()
    case .update(_, let update): take(update)
    case .tree(_, let tree):
      if !treeWaiters.isEmpty { treeWaiters.removeFirst().resume(returning: tree) }
    case .history(_, let lines):
      if !historyWaiters.isEmpty { historyWaiters.removeFirst().resume(returning: lines) }
    // Already part of their update.
    case .records, .closed: break
    case .failure(let failure): take(failure)
    }
  }

  /// Notes how far a plugin has come. One that is loaded although it was set aside was wanted by the person.
  func note(_ status: HostMessage.PluginStatus) {
    guard let id = status.id else { return }
    statuses[id] = status
    guard status.state == .active else { return }
    if options.isSafe { allowed.insert(id) }
    if quarantined.removeValue(forKey: id) != nil { tally.forget(id) }
    if quarantined.removeValue(forKey: status.file) != nil { tally.forget(id) }
  }

  private func take(_ update: Update) {
    fold(update)
    if let waiting = inFlight, waiting.id == update.event { working[waiting.id] = waiting.name }
    let unfinished = Set(pending.compactMap(\.event))
    working = working.filter { unfinished.contains($0.key) }
    if !incident.isUp {
      // Nobody follows yet what comes with the first screen of a run.
      if !hasListener { startNotices += update.notices }
      cameUp()
    }
    if let waiting = inFlight, waiting.id == update.event {
      inFlight = nil
      endWatch()
      if let reply = waiting.reply { return reply.resume(returning: shown(update)) }
      next()
    }
    onUpdate(shown(update))
  }

  /// An update as front ends get it: with what the supervisor has to say.
  private func shown(_ update: Update) -> Update {
    var update = update
    if update.presentation != nil { update.presentation = presentation }
    return update
  }

  private func fold(_ update: Update) {
    if let next = update.presentation { shown = next }
    pending = update.pending
    guard let change = update.checkpoint else { return }
    checkpoint.fold(change)
    recorder?.note(change)
    scheduleSave()
  }

  private func cameUp() {
    // From now on the records themselves say which entries no guard has been asked about.
    isFromFile = false
    incident.isUp = true
    incident.failedStarts = 0
    incident.restoring = nil
    for waiter in startWaiters { waiter.resume() }
    startWaiters = []
    for observer in startObservers { observer.resume() }
    startObservers = []
  }

  /// Takes the updates of a host that takes the place of another.
  func takeOver(_ updates: [Update]) {
    incident = Incident()
    incident.isUp = true
    working = [:]
    for update in updates {
      fold(update)
      onUpdate(shown(update))
    }
  }

  private func take(_ failure: HostMessage.Failure) {
    switch failure.code {
    case "plugins", "version": giveUp(failure.message)
    case "checkpoint":
      checkpoint = Checkpoint()
      if case .setAside(let notice)? = stateFile?.setAside(failure.message) { tell(.init(.failure, notice)) }
      host?.send(.open(session: Self.session, checkpoint: nil))
    default: onUpdate(note(.failure, failure.message))
    }
  }

  func tell(_ notice: Update.Notice) {
    if !incident.isUp {
      startNotices.append(notice)
    } else if hasListener {
      onUpdate(note(notice.kind, notice.text, plugin: notice.plugin))
    } else {
      untold.append(notice)
    }
  }
}
