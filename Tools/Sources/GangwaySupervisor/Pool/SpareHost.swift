@_spi(FrontEnd) import GangwayProtocol

/// A host that has scanned all plugins and has no session.
///
/// It takes over when another host dies, so that only the sessions remain to be restored.
@MainActor final class SpareHost {
  let host: RunningHost
  /// The states of the plugins, once the host has reported them.
  private(set) var plugins: [HostMessage.PluginStatus]?
  /// The quarantined plugins at the start of the host.
  private let quarantined: [String: String]
  private let allowed: Set<PluginID>
  /// The states of the plugin files and folders when the host scanned them.
  private var files: [String: FileState?] = [:]

  /// Takes over a host that was just started.
  ///
  /// - Parameters:
  ///   - ledger: the ledger that the host was started with.
  ///   - folders: the plugin folders, where the host does not notice new files.
  ///   - ended: called if the host does not stay up.
  init(_ host: RunningHost, _ ledger: PluginLedger, folders: [String], ended: @escaping @MainActor () -> Void) {
    self.host = host
    (quarantined, allowed) = (ledger.quarantined, ledger.allowed)
    // This must precede the host's scan.
    for folder in folders { files[folder] = FileState(folder) }
    host.channel.send(.hello(.current, takesPatches: true))
    host.channel.follow { [weak self] report in
      switch report {
      case .message(.ready(let plugins)): self?.isUp(plugins)
      case .message: break
      case .garbled, .dying, .closed:
        ended()
        return false
      }
      return true
    }
  }

  private func isUp(_ plugins: [HostMessage.PluginStatus]) {
    host.isReady = true
    self.plugins = plugins
    for path in plugins.map(\.file) { files[path] = FileState(path) }
  }

  /// Returns whether a host started now would have the same plugins.
  func isUpToDate(_ ledger: PluginLedger) -> Bool {
    plugins != nil && !host.channel.isGone && quarantined == ledger.quarantined && allowed == ledger.allowed
      && files.allSatisfy { FileState($0.key) == $0.value }
  }
}

/// Keeping a spare host.
extension HostPool {
  /// The process ID of the spare that would take over now; nil if none is ready.
  @_spi(FrontEnd) public var spareProcessID: Int32? {
    spare.flatMap { $0.isUpToDate(ledger) ? $0.host.channel.processID : nil }
  }

  /// Starts a spare after a delay, if the options ask for one.
  func scheduleSpare() {
    guard options.keepsSpare, !options.launch.waitsForDebugger, !isStopped, spareWait == nil else { return }
    let delay = options.spareDelay
    spareWait = Task { [weak self, clock = options.clock] in
      guard (try? await clock.sleep(for: delay)) != nil, let self else { return }
      spareWait = nil
      if self.spare?.isUpToDate(ledger) != true { startSpare() }
    }
  }

  private func startSpare() {
    dropSpare()
    guard !isStopped, spareFailures < 3, let host = try? startHost() else { return }
    spare = SpareHost(host, ledger, folders: options.searchedFolders) { [weak self] in
      guard let self, self.spare?.host === host else { return }
      spare = nil
      // A spare that does not stay up is useless, but the host in charge continues.
      spareFailures += 1
      host.channel.kill()
      scheduleSpare()
    }
  }

  /// Returns the spare if it is up to date, and removes it from the pool.
  func takeSpare() -> SpareHost? {
    defer { scheduleSpare() }
    guard let spare, spare.isUpToDate(ledger) else {
      dropSpare()
      return nil
    }
    self.spare = nil
    spareFailures = 0
    return spare
  }

  /// Ends the spare.
  func dropSpare() {
    guard let spare else { return }
    self.spare = nil
    retire(spare.host)
  }
}
