@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The recovery from the end of a host.
extension HostLine {
  /// Starts the next host after one has died and notifies the sessions.
  func recover(from host: RunningHost, reportIsComing: Bool) async {
    self.host = nil
    endOpeningWatch()
    loadWatch?.cancel()
    // A crashing host is not asked for its exit status, because the exit waits until the crash report is written.
    let status = reportIsComing ? nil : await host.channel.statusWithoutChannel()
    guard phase == .starting else { return }
    if let failure = host.channel.startFailure { return giveUp(Words.Host.nameAnother(failure)) }
    let ending = ending(status, host, reportIsComing)
    let report = report(on: host, ending)
    let told = blame(ending)
    reap(host, ending, report)
    guard incident.failedStarts < Self.maximumFailedStarts else {
      return giveUp(Words.Host.doesNotStayUp(cause: ending.cause, log: "\(options.logFolder)/host.log"))
    }
    let acting = ending.acting
    for keeper in keepers {
      let endsUndo = keeper.notices.offersUndo
      let words = keeper === acting || acting == nil ? told : ending.elsewhere(endsUndo: endsUndo)
      var notice: Update.Notice?
      if incident.isUp, !incident.isWanted || keeper.isHandling {
        notice = words.notice(plugin: ending.culprit)
      } else if endsUndo {
        // A restart that the user wanted is no failure.
        notice = Update.Notice(.information, "\(Words.Crash.restarted) \(Words.Crash.undoEnded)")
      }
      keeper.hostEnded(
        notice,
        facts: incident.isUp || incident.isWanted ? nil : words.detail)
    }
    // The session moves to a host of its own, so that its events do not stop the other sessions again.
    if let pool, let acting, keepers.count > 1, ![.wanted, .outside].contains(ending.evidence.cause),
      stops.note(acting.id, at: clock.now)
    {
      remove(acting)
      pool.ownLine().add(acting)
    }
    launch()
  }

  /// Collects the evidence about the end of a host.
  private func ending(_ status: HostEnd?, _ host: RunningHost, _ reportIsComing: Bool) -> HostCrash {
    // Events are handled in order, so the host was handling the oldest unanswered event.
    let acting =
      keepers.filter(\.isHandling).min { ($0.events.inFlight?.id ?? 0) < ($1.events.inFlight?.id ?? 0) }
      ?? keepers.first { $0.unfinished != nil }
    let unfinished = acting?.unfinished
    // A host on a busy machine can end before it has announced its crash, but not before it has written the frames.
    let frames = host.channel.crashFrames
    let frame = frames?.culprit(among: pluginFiles)
    return HostCrash(
      incident: incident, status: status, report: host.channel.crashReport, isCutOff: host.channel.isCutOff,
      hasCrashed: reportIsComing || frames != nil,
      event: acting?.events.inFlight?.name, input: acting?.events.inFlight?.input, work: unfinished?.name,
      inUse: acting?.events.inFlight?.plugin ?? unfinished?.plugin, acting: acting,
      endsUndo: (acting.map { [$0] } ?? keepers).contains { $0.notices.offersUndo },
      evidence: evidence(cause(status, host), frame: frame, hasEvent: acting?.events.inFlight != nil))
  }

  /// The ids of the plugins, by file name.
  private var pluginFiles: [String: PluginID] {
    let files = statuses.values.compactMap { status in status.id.map { (Self.name(ofFile: status.file), $0) } }
    return Dictionary(files, uniquingKeysWith: { first, _ in first })
  }

  private static func name(ofFile path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

  private func cause(_ status: HostEnd?, _ host: RunningHost) -> EndEvidence.Cause {
    if incident.isHung != nil { return .hung }
    if incident.impossible != nil { return .impossible }
    if incident.isWanted { return .wanted }
    // A host that another process signals also ends itself with SIGKILL.
    if case .signaled(SIGKILL) = status, !host.channel.isCutOff { return .outside }
    return .itself
  }

  private func evidence(_ cause: EndEvidence.Cause, frame: PluginID?, hasEvent: Bool) -> EndEvidence {
    var evidence = EndEvidence(cause: cause, frame: frame, hasEvent: hasEvent)
    evidence.loading = incident.loading.map { file in
      .init(
        file: file, plugin: statuses.values.first { $0.file == file }?.id, isRunning: incident.isLoadedCodeRunning)
    }
    // An entry restored during an event belongs to the event, which is not repeated.
    if let (session, _, plugin) = incident.restoring, keeper(of: session)?.isHandling == false {
      evidence.restoring = plugin
    }
    return evidence
  }

  /// Counts the end of a host against the plugin to blame, and quarantines a plugin that stopped hosts too often.
  ///
  /// - Returns: the words about the end.
  private func blame(_ ending: HostCrash) -> CrashWords {
    let blame = ending.evidence.blame
    if case .loading(let file) = blame {
      ledger.setAside(
        file: file, incident.isHung == nil ? Words.SetAside.crashedWhileLoading : Words.SetAside.didNotFinishLoading)
      if !incident.isUp { tell(ending.whileLoading(file).notice()) }
      return ending.whileLoading(file)
    }
    if !incident.isUp { incident.failedStarts += 1 }
    switch blame {
    case .restoring(let plugin, let isInFrame):
      countRestoring(plugin, ending)
      return isInFrame ? count(crashOf: plugin, ending) : ending.told
    case .crash(let plugin): return count(crashOf: plugin, ending)
    case .nobody, .unexplained, .loading: break
    }
    if ending.evidence.cause == .outside { leaveOutWhatKeepsComingBack(ending) }
    return ending.told
  }

  /// Counts a crash of a plugin.
  ///
  /// - Returns: the words about the end.
  private func count(crashOf plugin: PluginID, _ ending: HostCrash) -> CrashWords {
    let words = ledger.count(plugin, at: clock.now) ? ending.quarantining(plugin) : ending.told
    // `recover` does not report an end before the first update.
    if !incident.isUp { tell(words.notice(plugin: plugin)) }
    return words
  }

  /// Counts a death during restoring.
  ///
  /// After two deaths in a row at one entry, the plugin is quarantined and its entries wait for it.
  private func countRestoring(_ plugin: PluginID, _ ending: HostCrash) {
    guard let (session, node, _) = incident.restoring else { return }
    incident.restoreDeaths[session, default: [:]][node, default: .init()].own += 1
    guard incident.restoreDeaths[session]?[node]?.own ?? 0 >= 2 else { return }
    ledger.setAside(plugin, Words.SetAside.crashedWhileRestoring)
    incident.failedStarts = 0
    tell(ending.whileRestoring(plugin).notice(plugin: plugin))
  }

  /// Quarantines a plugin if hosts were killed ``HostCrash/killLimit`` times in a row while they loaded or restored it.
  ///
  /// The system may kill the host for the memory that the plugin uses, and would do so forever.
  private func leaveOutWhatKeepsComingBack(_ ending: HostCrash) {
    if let file = incident.loading {
      guard ledger.countKill(whileLoading: file) >= HostCrash.killLimit else { return }
      ledger.setAside(file: file, Words.SetAside.closedWhileLoading(times: HostCrash.killLimit))
    } else if let (session, node, _) = incident.restoring, let plugin = ending.evidence.restoring {
      incident.restoreDeaths[session, default: [:]][node, default: .init()].kills += 1
      guard incident.restoreDeaths[session]?[node]?.kills ?? 0 >= HostCrash.killLimit else { return }
      ledger.setAside(plugin, Words.SetAside.closedWhileRestoring(times: HostCrash.killLimit))
    } else {
      return
    }
    incident.failedStarts = 0
    let plugin = ending.evidence.loading?.plugin ?? ending.evidence.restoring
    tell(ending.waiting(plugin?.rawValue ?? Words.Crash.someFeature).notice())
  }

  /// Creates the report of an incident, as far as it is known before the runtime has written its part.
  private func report(on host: RunningHost, _ ending: HostCrash) -> IncidentReport {
    let keeper = ending.acting ?? (keepers.count == 1 ? keepers.first : nil)
    return IncidentReport(
      what: ending.what, cause: ending.cause, hasCrashed: ending.hasCrashed,
      recording: keeper?.recording(endingWith: ending.what),
      plugins: Array(statuses.values), uptime: clock.now - host.start, path: host.channel.crashReport)
  }

  /// Writes the incident report once a dying host has written its part.
  ///
  /// If the host could not tell whose code was running, the plugin that the crash report names is blamed.
  private func reap(_ host: RunningHost, _ ending: HostCrash, _ report: IncidentReport) {
    guard !incident.isWanted else { return }
    let uptime = report.uptime
    let isToBeExplained = incident.isUp
    let task = Task {
      let culprit = await host.channel.write(report)
      folder.clear()
      count(ending, culprit?.plugin)
      guard phase != .stopped, [.nobody, .unexplained].contains(ending.evidence.blame) else { return }
      var evidence = ending.evidence
      evidence.frame = ending.hasCrashed ? culprit?.plugin : nil
      switch evidence.blame {
      case .crash(let plugin): blame(plugin, culprit?.call ?? "", host.channel.crashReport)
      case .unexplained where isToBeExplained: noteUnexplained(ending, of: host, after: uptime)
      default: break
      }
    }
    reports.note(task)
  }

  /// Counts an unrequested end of a host in the metrics.
  ///
  /// - Parameter culprit: the plugin whose code was running, if the report names one.
  private func count(_ ending: HostCrash, _ culprit: PluginID?) {
    let file = ending.incident.loading.map(Self.name)
    options.counts?.hostEnded(
      plugin: (ending.culprit ?? culprit)?.rawValue ?? file ?? "", cause: ending.kind)
  }

  /// Counts a crash for the plugin that the crash report names.
  private func blame(_ plugin: PluginID, _ frame: String, _ report: String) {
    let isSetAside = ledger.count(plugin, at: clock.now)
    var facts = Words.CrashFacts.codeRan(plugin, frame: frame)
    if isSetAside { facts += " " + Words.CrashFacts.isSetAside(times: CrashTally.limit) }
    let words = CrashWords(
      text: isSetAside ? Words.Crash.featureIsOff(times: CrashTally.limit) : Words.Crash.causeKnown,
      detail: "\(facts) \(Words.CrashFacts.report(report))")
    tell(words.notice(isSetAside ? .failure : .information, plugin: plugin))
    if isSetAside { restart() }
  }
}
