/// The phase of a host line.
enum HostPhase: String, CaseIterable, Sendable {
  /// No host has been requested.
  case idle
  /// A host is running, but has not sent its first update.
  case starting
  /// A host shows its sessions.
  case serving
  /// A host shows its sessions, while another one is starting to replace it.
  case replacing
  /// The host has been killed, but its end has not been reported.
  case ending
  /// No host stays up.
  case failed
  /// The app is ending.
  case stopped
}

/// An event in the life of a host line.
enum HostHappening: String, CaseIterable, Sendable {
  /// The first session needs a host.
  case start
  /// The host has sent its first update.
  case cameUp
  /// The host has ended, or reports that it is crashing.
  case died
  /// The user, a timeout or an impossible message requires the host to end and the next one to start.
  case end
  /// A host with the current file of a plugin should replace the running host.
  case replace
  /// The replacement shows all sessions.
  case replaced
  /// The replacement did not come up.
  case notReplaced
  /// Too many hosts in a row did not come up, or no host can be started.
  case giveUp
  /// The app is ending.
  case stop
}

/// An action of a host line.
enum HostAction: String, Sendable {
  /// Starts a host and gives it the sessions.
  case launch
  /// Finds the plugin to blame and starts the next host.
  case recover
  case kill
  /// Lets the host end in order.
  case quit
  /// Starts a host beside the running one.
  case startCandidate = "start a candidate"
  /// Kills the host that should have replaced the running one.
  case dropCandidate = "drop the candidate"
  /// Lets the candidate take over and the old host end.
  case swap
  /// Tells every session that no host stays up.
  case fail
}

extension HostPhase {
  /// Returns the next phase and its actions, or why nothing changes; a pure function.
  func after(_ happening: HostHappening) -> PhaseStep<HostPhase, HostAction> {
    switch (self, happening) {
    case (.stopped, .stop): .ignored("the app is already ending")
    case (_, .stop): .to(.stopped, self == .replacing ? [.dropCandidate, .quit] : self == .idle ? [] : [.quit])
    case (.stopped, _): .ignored("the app is ending")

    case (.failed, .giveUp): .ignored("the failure was already reported")
    case (.failed, .start), (.failed, .replace): .impossible("new sessions get an error instead of a host")
    case (.failed, _): .ignored("no host is started after the failure")

    case (.idle, .start): .to(.starting, [.launch])
    case (.idle, .giveUp): .to(.failed, [.fail])
    case (.idle, _): .impossible("no host is running")

    case (_, .start): .ignored("the running host gets the session")
    case (.replacing, .giveUp): .to(.failed, [.dropCandidate, .kill, .fail])
    case (_, .giveUp): .to(.failed, [.kill, .fail])

    case (.starting, .cameUp): .to(.serving)
    case (.starting, .died): .to(.starting, [.recover])
    case (.starting, .end): .to(.ending, [.kill])
    case (.starting, .replace): .ignored("the host has not shown a session yet")
    case (.starting, .replaced), (.starting, .notReplaced): .ignored("the running host stopped in the meantime")

    case (.serving, .cameUp): .ignored("the host is already up")
    case (.serving, .died): .to(.starting, [.recover])
    case (.serving, .end): .to(.ending, [.kill])
    case (.serving, .replace): .to(.replacing, [.startCandidate])
    case (.serving, .replaced), (.serving, .notReplaced): .ignored("the running host stopped in the meantime")

    case (.replacing, .cameUp): .ignored("the host is already up")
    case (.replacing, .died): .to(.starting, [.dropCandidate, .recover])
    case (.replacing, .end): .to(.ending, [.dropCandidate, .kill])
    case (.replacing, .replace): .ignored("another replacement is starting")
    case (.replacing, .replaced): .to(.serving, [.swap])
    case (.replacing, .notReplaced): .to(.serving, [.dropCandidate])

    case (.ending, .cameUp): .ignored("the host is already killed")
    case (.ending, .died): .to(.starting, [.recover])
    case (.ending, .end): .ignored("the host is already killed")
    case (.ending, .replace): .ignored("the host is being killed")
    case (.ending, .replaced), (.ending, .notReplaced): .ignored("the running host stopped in the meantime")
    }
  }
}
