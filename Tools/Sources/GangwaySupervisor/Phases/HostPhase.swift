/// Where a line of hosts stands.
enum HostPhase: String, CaseIterable, Sendable {
  /// No host has been asked for.
  case idle
  /// A host runs that has shown nothing yet.
  case starting
  /// A host shows its sessions.
  case serving
  /// One shows them, and another is being started to take its place.
  case replacing
  /// One that is to end has been killed; its end has not come yet.
  case ending
  /// No host stays up.
  case failed
  /// The app ends.
  case stopped
}

/// What can happen to a line of hosts.
enum HostHappening: String, CaseIterable, Sendable {
  /// The first session is to be shown.
  case start
  /// The first update of a host has come.
  case cameUp
  /// The host's end has come, or its byte that says so.
  case died
  /// Somebody wants the host to end, and the next one to go on: a person, a deadline, what it said.
  case end
  /// A host with a plugin's present file is to take the place of the one that runs.
  case replace
  /// It shows what the other shows.
  case replaced
  /// It does not come up.
  case notReplaced
  /// Too many hosts in a row did not come up, or none can be started.
  case giveUp
  /// The app ends.
  case stop
}

/// What a line of hosts does when something happens.
enum HostAction: String, Sendable {
  /// Starts a host and gives it the sessions.
  case launch
  /// Finds out who is to blame, and starts the next host.
  case recover
  /// Kills the host.
  case kill
  /// Lets the host end in order.
  case quit
  /// Starts a host beside the one that runs.
  case startCandidate = "start a candidate"
  /// Kills the host that was to take the other's place.
  case dropCandidate = "drop the candidate"
  /// Lets the candidate take over, and the other one end.
  case swap
  /// Tells every session that there is no host any more.
  case fail
}

extension HostPhase {
  /// What follows when something happens in this phase. It depends on nothing else.
  func after(_ happening: HostHappening) -> PhaseStep<HostPhase, HostAction> {
    switch (self, happening) {
    case (.stopped, .stop): .ignored("it is ending")
    case (_, .stop): .to(.stopped, self == .replacing ? [.dropCandidate, .quit] : self == .idle ? [] : [.quit])
    case (.stopped, _): .ignored("the app ends")

    case (.failed, .giveUp): .ignored("it has been said")
    case (.failed, .start), (.failed, .replace): .impossible("sessions are told of the failure instead")
    case (.failed, _): .ignored("nothing is started any more")

    case (.idle, .start): .to(.starting, [.launch])
    case (.idle, .giveUp): .to(.failed, [.fail])
    case (.idle, _): .impossible("there is no host")

    case (_, .start): .ignored("a host runs, which gets the session")
    case (.replacing, .giveUp): .to(.failed, [.dropCandidate, .kill, .fail])
    case (_, .giveUp): .to(.failed, [.kill, .fail])

    case (.starting, .cameUp): .to(.serving)
    case (.starting, .died): .to(.starting, [.recover])
    case (.starting, .end): .to(.ending, [.kill])
    case (.starting, .replace): .ignored("nothing is shown that could be replaced")
    case (.starting, .replaced), (.starting, .notReplaced): .ignored("the host stopped meanwhile")

    case (.serving, .cameUp): .ignored("another session's first update")
    case (.serving, .died): .to(.starting, [.recover])
    case (.serving, .end): .to(.ending, [.kill])
    case (.serving, .replace): .to(.replacing, [.startCandidate])
    case (.serving, .replaced), (.serving, .notReplaced): .ignored("the host stopped meanwhile")

    case (.replacing, .cameUp): .ignored("another session's first update")
    case (.replacing, .died): .to(.starting, [.dropCandidate, .recover])
    case (.replacing, .end): .to(.ending, [.dropCandidate, .kill])
    case (.replacing, .replace): .ignored("one replacement at a time")
    case (.replacing, .replaced): .to(.serving, [.swap])
    case (.replacing, .notReplaced): .to(.serving, [.dropCandidate])

    case (.ending, .cameUp): .ignored("it is killed already")
    case (.ending, .died): .to(.starting, [.recover])
    case (.ending, .end): .ignored("it is killed already")
    case (.ending, .replace): .ignored("the host is being ended")
    case (.ending, .replaced), (.ending, .notReplaced): .ignored("the host stopped meanwhile")
    }
  }
}
