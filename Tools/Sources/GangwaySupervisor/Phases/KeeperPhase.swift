/// Where a kept session stands.
enum KeeperPhase: String, CaseIterable, Sendable {
  /// No host has it.
  case waiting
  /// A host has been given it and has not shown it yet.
  case opening
  /// It is shown, and the person may do something.
  case ready
  /// A host handles what the person did.
  case handling
  /// It has for too long: the person is being asked whether to go on waiting.
  case asking
  /// There is no host for it, nor will there be.
  case failed
  /// It has ended.
  case closed
}

/// What can happen to a kept session.
enum KeeperHappening: String, CaseIterable, Sendable {
  /// It was given to a host.
  case opened
  /// Its first update from a host.
  case shown
  /// An event was given to the host.
  case sent
  /// The update that answers it.
  case answered
  /// No answer in the time there is.
  case overdue
  /// The person goes on waiting.
  case waitOn
  /// The host has ended, whatever it did.
  case hostEnded
  /// Another host has taken over, with what this session showed.
  case takenOver
  /// No host stays up.
  case fail
  /// The session is put away.
  case close
}

/// What a keeper does when something happens.
enum KeeperAction: String, Sendable {
  /// Lets those go on who wait for the screen, and tells what was lost.
  case announce
  /// Lets the next event go.
  case next
  /// Sets the time that the answer has.
  case watch
  /// Puts the question on the screen.
  case ask
  /// Takes the question from the screen, and ends the watch.
  case endWatch = "end the watch"
  /// Notes the event that was being handled: it is named, never done again.
  case noteLoss = "note what was lost"
  /// Ends questions to the host that is gone.
  case endQuestions = "end questions"
  /// Drops the events that wait, and questions to the host.
  case drop = "drop what waits"
}

extension KeeperPhase {
  /// What follows when something happens in this phase. It depends on nothing else.
  func after(_ happening: KeeperHappening) -> PhaseStep<KeeperPhase, KeeperAction> {
    switch (self, happening) {
    case (.closed, _): .ignored("it has ended")
    case (_, .close): .to(.closed, [.endWatch, .drop])
    case (.failed, .fail): .ignored("it has been said")
    case (.failed, _): .ignored("nothing is started any more")
    case (_, .fail): .to(.failed, [.endWatch, .drop])

    case (.waiting, .opened): .to(.opening)
    case (.waiting, .hostEnded): .ignored("it was given to none")
    case (.waiting, .shown), (.waiting, .answered): .impossible("no host has the session")
    case (.waiting, _): .impossible("events wait until the session is shown")

    case (.opening, .shown): .to(.ready, [.announce, .next])
    case (.opening, .hostEnded): .to(.waiting)
    case (.opening, .opened): .impossible("it was given to the host before")
    case (.opening, .takenOver): .impossible("only what is shown can be replaced")
    case (.opening, _): .impossible("events wait until the session is shown")

    case (.ready, .sent): .to(.handling, [.watch])
    // What came while the host ended waits for the next one.
    case (.ready, .hostEnded): .to(.waiting, [.endQuestions])
    case (.ready, .takenOver): .to(.ready, [.next])
    case (.ready, .opened), (.ready, .shown): .impossible("it is shown")
    case (.ready, .answered): .ignored("it answers an event that is no longer waited for")
    case (.ready, .overdue), (.ready, .waitOn): .ignored("the answer has come")

    case (.handling, .answered): .to(.ready, [.endWatch, .next])
    case (.handling, .overdue): .to(.asking, [.ask])
    case (.handling, .hostEnded): .to(.waiting, [.endWatch, .noteLoss, .drop])
    case (.handling, .sent): .impossible("one event at a time")
    case (.handling, .opened), (.handling, .shown): .impossible("it is shown")
    case (.handling, .takenOver): .impossible("a host is replaced between two events")
    case (.handling, .waitOn): .ignored("nobody was asked")

    case (.asking, .answered): .to(.ready, [.endWatch, .next])
    case (.asking, .waitOn): .to(.handling, [.endWatch, .watch])
    case (.asking, .hostEnded): .to(.waiting, [.endWatch, .noteLoss, .drop])
    case (.asking, .sent): .impossible("one event at a time")
    case (.asking, .opened), (.asking, .shown): .impossible("it is shown")
    case (.asking, .takenOver): .impossible("a host is replaced between two events")
    case (.asking, .overdue): .ignored("the person is being asked")
    }
  }
}
