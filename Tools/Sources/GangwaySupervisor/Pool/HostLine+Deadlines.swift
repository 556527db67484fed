@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// Timeouts for a host that makes no progress.
extension HostLine {
  /// Watches the load of a library and ends the host if the library's code does not return.
  ///
  /// Such a host cannot load any other library.
  func watchLoad(of file: String) {
    loadWatch?.cancel()
    // The host reports such a library after `loadPatience`, unless the library blocks the host completely.
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

  /// Watches a new host and ends it if it sends nothing.
  ///
  /// The host's last activity is to blame, as if the host had crashed in it.
  func watchStart(of host: RunningHost) {
    startWatch?.cancel()
    let limit = options.startPatience
    startWatch = Task { [weak self, weak host, clock] in
      while let self, let host, self.host === host, phase == .starting {
        let before = host.messages
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        guard self.host === host, phase == .starting, host.messages == before else { continue }
        if options.launch.waitsForDebugger || host.channel.processID.map(Debugger.isAttached) == true { continue }
        return endHung(after: limit)
      }
    }
  }
}
