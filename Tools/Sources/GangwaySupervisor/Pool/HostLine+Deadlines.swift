@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// Timeouts for a host that makes no progress.
extension HostLine {
  /// Watches the load of a library and ends the host if the library's code does not return.
  ///
  /// Such a host cannot load any other library.
  func watchLoad(of file: String) {
    loadWatch?.cancel()
    // The host reports such a library after `loadDeadline`, unless the library blocks the host completely.
    let limit = options.launch.loadDeadline * 3
    loadWatch = Task { [weak self, clock] in
      repeat {
        guard (try? await clock.sleep(for: limit)) != nil else { return }
      } while self?.host?.channel.processID.map(Debugger.isAttached) == true
      guard let self, incident.loading == file else { return }
      // A library that is not mapped runs no code: something else holds the loader, and the host continues without it.
      guard host?.channel.processID.map({ MappedFiles.contains(file, process: $0) }) != false else { return }
      endHung(after: limit)
    }
  }

  /// Ends the watch over a library that has been loaded or refused.
  func endLoadWatch() {
    loadWatch?.cancel()
    loadWatch = nil
    incident.loading = nil
  }

  /// Watches a host that has not shown all its sessions yet, and ends it if it sends nothing.
  ///
  /// The host's last activity is to blame, as if the host had crashed in it. A watch that is under way goes on.
  func watchOpening() {
    guard openingWatch == nil else { return }
    let limit = options.startPatience
    openingWatch = Task { [weak self, clock] in
      while let self, isOpening, let before = progress {
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        guard isOpening, let now = progress, now == before else { continue }
        // Such an event has a timeout of its own, and its user may choose to wait.
        if phase != .starting, keepers.contains(where: \.isHandling) { continue }
        if options.launch.waitsForDebugger || host?.channel.processID.map(Debugger.isAttached) == true { continue }
        endHung(after: limit)
        break
      }
      self?.openingWatch = nil
    }
  }

  /// Ends the watch over a host that has ended.
  func endOpeningWatch() {
    openingWatch?.cancel()
    openingWatch = nil
  }

  /// The host, and the number of its messages; nil while there is no host.
  private var progress: (ObjectIdentifier, Int)? { host.map { (ObjectIdentifier($0), $0.messages) } }

  /// Whether the host has sessions that it has not shown yet.
  private var isOpening: Bool { phase == .starting || keepers.contains { $0.phase == .opening } }
}
