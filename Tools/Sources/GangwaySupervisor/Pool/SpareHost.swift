import GangwayProtocol

/// A host that has looked into everything and has no session: it takes over when one dies, so that restoring is all that is
/// left to do.
@MainActor final class SpareHost {
  let host: HostProcess
  /// How far the plugins have come in it, once it has said so.
  private(set) var plugins: [HostMessage.PluginStatus]?
  /// What was set aside when it was started.
  private let quarantined: [String: String]
  private let allowed: Set<String>
  /// What its files were when it looked into them.
  private var files: [String: FileState?] = [:]

  /// Begins with a host that was just started.
  ///
  /// - Parameters:
  ///   - folders: where plugins are looked for: what is new there is not known to it.
  ///   - ended: called when it does not stay up.
  init(_ host: HostProcess, _ ledger: PluginLedger, folders: [String], ended: @escaping @MainActor () -> Void) {
    self.host = host
    (quarantined, allowed) = (ledger.quarantined, ledger.allowed)
    // Before the host reads them.
    for folder in folders { files[folder] = FileState(folder) }
    host.send(.hello(.current, takesPatches: true))
    host.follow { [weak self] report in
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

  /// Whether it knows what one that is started now would.
  func isUpToDate(_ ledger: PluginLedger) -> Bool {
    plugins != nil && !host.isGone && quarantined == ledger.quarantined && allowed == ledger.allowed
      && files.allSatisfy { FileState($0.key) == $0.value }
  }
}

/// Keeping a spare.
extension HostPool {
  /// The process of the host that would take over now; nil where none is ready.
  public var spareProcessID: Int32? { spare.flatMap { $0.isUpToDate(ledger) ? $0.host.processID : nil } }

  /// Has a spare started, if there is to be one, as soon as it disturbs nobody.
  func scheduleSpare() {
    guard options.keepsSpare, !options.waitsForDebugger, !isStopped, spareWait == nil else { return }
    let delay = options.spareDelay
    spareWait = Task { [weak self] in
      guard (try? await Task.sleep(for: delay)) != nil, let self else { return }
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
      // One that does not stay up is of no use; the one in charge goes on.
      spareFailures += 1
      host.kill()
      scheduleSpare()
    }
  }

  /// The spare, if it is up and knows what a host would that is started now.
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
