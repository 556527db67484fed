import GangwayClient
import GangwayProtocol

/// What a line does when its host does not get on.
extension HostLine {
  /// Ends a host in which a library's code does not return when it is loaded: no other can be loaded there any more.
  func watchLoad(of file: String) {
    loadWatch?.cancel()
    // The host itself says before that a library's code does not return, unless that keeps it from saying anything.
    let limit = options.loadPatience * 3
    loadWatch = Task { [weak self] in
      repeat {
        guard (try? await Task.sleep(for: limit)) != nil else { return }
      } while self?.host?.processID.map(Debugger.isAttached) == true
      guard let self, incident.loading == file else { return }
      // Its code cannot be running where it is not: something else keeps the loader, and the host goes on without it.
      guard host?.processID.map({ MappedFiles.contains(file, process: $0) }) != false else { return }
      endHung(after: limit)
    }
  }

  /// Ends the watch over a library that has been loaded or refused.
  func endLoadWatch() {
    loadWatch?.cancel()
    loadWatch = nil
    incident.loading = nil
  }

  /// Ends a host that was started and says nothing: what it was doing last is to blame, as if it had died of it.
  func watchStart(of host: HostProcess) {
    startWatch?.cancel()
    let limit = options.startPatience
    startWatch = Task { [weak self, weak host] in
      while let self, let host, self.host === host, phase == .starting {
        let before = host.messages
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        guard self.host === host, phase == .starting, host.messages == before else { continue }
        if options.waitsForDebugger || host.processID.map(Debugger.isAttached) == true { continue }
        return endHung(after: limit)
      }
    }
  }
}
