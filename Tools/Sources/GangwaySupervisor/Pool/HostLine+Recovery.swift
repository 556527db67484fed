import GangwayProtocol
import Glibc

/// What a line of hosts does when one has died.
extension HostLine {
  /// Starts the next host after one died, and says what happened.
  func recover(from host: HostProcess, reportIsComing: Bool) async {
    self.host = nil
    startWatch?.cancel()
    loadWatch?.cancel()
    // Waiting for the exit would wait for the report too: only a host that wrote no byte is asked how it ended.
    let status = reportIsComing ? nil : await host.statusWithoutChannel()
    guard phase == .starting else { return }
    if let failure = host.startFailure { return giveUp("\(failure). Name another with --host.") }
    let ending = ending(status, host, reportIsComing)
    let report = report(on: host, ending)
    let text = blame(ending)
    reap(host, ending, report)
    guard incident.failedStarts < Self.maximumFailedStarts else {
      return giveUp(
        "No host stays up: \(ending.cause). The session is kept. Report: \(options.logFolder)/host.log")
    }
    let acting = ending.acting
    for keeper in keepers {
      let isToBeTold = incident.isUp && (!incident.isWanted || keeper.isHandling)
      let words = keeper === acting || acting == nil ? text : ending.elsewhere
      keeper.hostEnded(isToBeTold ? .init(.failure, words, plugin: ending.culprit, detail: ending.detail) : nil)
    }
    // One session's events do not stop the others a second time.
    if let pool, let acting, keepers.count > 1, ![.wanted, .outside].contains(ending.evidence.cause),
      stopsTooOften(acting)
    {
      remove(acting)
      pool.ownLine().add(acting)
    }
    launch()
  }

  /// What is known of the end of the present host.
  private func ending(_ status: HostEnd?, _ host: HostProcess, _ reportIsComing: Bool) -> Ending {
    // Events are handled in the order in which they came: the oldest without an answer was being handled.
    let acting =
      keepers.filter(\.isHandling).min { ($0.inFlight?.id ?? 0) < ($1.inFlight?.id ?? 0) }
      ?? keepers.first { $0.unfinished != nil }
    let unfinished = acting?.unfinished
    let frame = reportIsComing ? CrashFrames(file: host.crashFrames)?.culprit(among: pluginFiles) : nil
    return Ending(
      incident: incident, status: status, report: host.crashReport, isCutOff: host.isCutOff, hasCrashed: reportIsComing,
      event: acting?.inFlight?.name, work: unfinished?.name,
      inUse: acting?.inFlight?.plugin ?? unfinished?.plugin, acting: acting,
      evidence: evidence(cause(status, host), frame: frame, hasEvent: acting?.inFlight != nil))
  }

  /// The plugins there are, by the last components of their files' paths.
  private var pluginFiles: [String: String] {
    let files = statuses.values.compactMap { status in status.id.map { (Self.name(ofFile: status.file), $0) } }
    return Dictionary(files, uniquingKeysWith: { first, _ in first })
  }

  private static func name(ofFile path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

  private func cause(_ status: HostEnd?, _ host: HostProcess) -> EndEvidence.Cause {
    if incident.isHung != nil { return .hung }
    if incident.impossible != nil { return .impossible }
    if incident.isWanted { return .wanted }
    // A host that gets a signal from another process ends by this one, too.
    if case .signaled(SIGKILL) = status, !host.isCutOff { return .outside }
    return .itself
  }

  private func evidence(_ cause: EndEvidence.Cause, frame: String?, hasEvent: Bool) -> EndEvidence {
    var evidence = EndEvidence(cause: cause, frame: frame, hasEvent: hasEvent)
    evidence.loading = incident.loading.map { file in
      .init(
        file: file, plugin: statuses.values.first { $0.file == file }?.id, isRunning: incident.isLoadedCodeRunning)
    }
    // What is made only when the person goes there is their event's, which is not done again.
    if let (session, _, plugin) = incident.restoring, keeper(of: session)?.isHandling == false {
      evidence.restoring = plugin
    }
    return evidence
  }

  /// Counts an end for what it is evidence of, and sets aside what stopped hosts too often.
  ///
  /// - Returns: what to tell the person.
  private func blame(_ ending: Ending) -> String {
    let blame = ending.evidence.blame
    if case .loading(let file) = blame {
      ledger.setAside(
        file, incident.isHung == nil ? "it stopped the host while being loaded" : "its loading did not end")
      if !incident.isUp { tell(.init(.failure, ending.whileLoading(file))) }
      return ending.whileLoading(file)
    }
    if !incident.isUp { incident.failedStarts += 1 }
    switch blame {
    case .restoring(let plugin, let isInFrame):
      countRestoring(plugin, ending)
      return isInFrame ? count(crashOf: plugin, ending) : ending.text
    case .crash(let plugin): return count(crashOf: plugin, ending)
    case .nobody, .unexplained, .loading: break
    }
    if ending.evidence.cause == .outside { leaveOutWhatKeepsComingBack(ending) }
    return ending.text
  }

  /// Counts a crash.
  ///
  /// - Returns: what to tell the person.
  private func count(crashOf plugin: String, _ ending: Ending) -> String {
    let text = ledger.count(plugin) ? ending.quarantining(plugin) : ending.text
    // Of an end before anything was shown nobody is told otherwise.
    if !incident.isUp { tell(.init(.failure, text, plugin: plugin)) }
    return text
  }

  /// Counts a death during restoring; after two in a row at one entry, its plugin is left out and its entries wait for it.
  private func countRestoring(_ plugin: String, _ ending: Ending) {
    guard let (session, node, _) = incident.restoring else { return }
    incident.restoreDeaths[session, default: [:]][node, default: .init()].own += 1
    guard incident.restoreDeaths[session]?[node]?.own ?? 0 >= 2 else { return }
    ledger.setAside(plugin, "it stopped the host twice while its screens were being restored")
    incident.failedStarts = 0
    tell(.init(.failure, ending.whileRestoring(plugin), plugin: plugin))
  }

  /// Goes on without something that was coming back each of many times in a row when the host was ended from outside. The system
  /// may do that for the memory that it takes, and would do it for ever.
  private func leaveOutWhatKeepsComingBack(_ ending: Ending) {
    if let file = incident.loading {
      guard ledger.countKill(whileLoading: file) >= Ending.killLimit else { return }
      ledger.setAside(file, "the app was ended from outside \(Ending.killLimit) times while it was being loaded")
    } else if let (session, node, _) = incident.restoring, let plugin = ending.evidence.restoring {
      incident.restoreDeaths[session, default: [:]][node, default: .init()].kills += 1
      guard incident.restoreDeaths[session]?[node]?.kills ?? 0 >= Ending.killLimit else { return }
      ledger.setAside(
        plugin, "the app was ended from outside \(Ending.killLimit) times while its screens were being restored")
    } else {
      return
    }
    incident.failedStarts = 0
    tell(.init(.failure, ending.waiting(ending.evidence.loading?.plugin ?? ending.evidence.restoring ?? "a feature")))
  }

  /// What is to be reported of it, as far as it is known before the runtime has written its part.
  private func report(on host: HostProcess, _ ending: Ending) -> IncidentReport {
    let keeper = ending.acting ?? (keepers.count == 1 ? keepers.first : nil)
    return IncidentReport(
      what: ending.what, cause: ending.cause, recording: keeper?.recording(endingWith: ending.what),
      plugins: Array(statuses.values), uptime: ContinuousClock.now - host.start, path: host.crashReport)
  }

  /// Gives a dying host time for its report, makes sure of its end, and counts it for the plugin that the report names, where
  /// the host itself could not say whose code ran.
  private func reap(_ host: HostProcess, _ ending: Ending, _ report: IncidentReport) {
    guard !incident.isWanted else { return }
    let uptime = report.uptime
    let isToBeExplained = incident.isUp
    let task = Task {
      let limit = Task {
        try await Task.sleep(for: .seconds(10))
        host.kill()
      }
      _ = await host.status()
      limit.cancel()
      let words = host.errors.fatalError
      let culprit = await Task.detached {
        let runtime = report.runtimeReport
        report.write(words, runtime)
        return report.culprit(in: runtime)
      }.value
      folder.clear()
      count(ending, culprit?.plugin)
      guard phase != .stopped, [.nobody, .unexplained].contains(ending.evidence.blame) else { return }
      var evidence = ending.evidence
      evidence.frame = ending.hasCrashed ? culprit?.plugin : nil
      switch evidence.blame {
      case .crash(let plugin): blame(plugin, culprit?.frame.text ?? "", host.crashReport)
      case .unexplained where isToBeExplained: noteUnexplained(ending, after: uptime)
      default: break
      }
    }
    note(report: task)
  }

  /// Counts a host that ended by itself.
  ///
  /// - Parameter culprit: whose code ran, where the report tells.
  private func count(_ ending: Ending, _ culprit: String?) {
    let file = ending.incident.loading.map(Self.name)
    options.counts?.hostEnded(plugin: ending.culprit ?? culprit ?? file ?? "", cause: ending.kind)
  }

  /// Counts a crash for the plugin whose code ran, as the report says afterwards.
  private func blame(_ plugin: String, _ frame: String, _ report: String) {
    let isSetAside = ledger.count(plugin)
    var text = "It was the plugin \(plugin) whose code ran when the host stopped: \(frame)."
    if isSetAside {
      text += " It has now stopped the host \(CrashTally.limit) times within a minute, so it is set aside."
    }
    tell(.init(isSetAside ? .failure : .information, "\(text) Report: \(report)", plugin: plugin))
    if isSetAside { restart() }
  }
}
