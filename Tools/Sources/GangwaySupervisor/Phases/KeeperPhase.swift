/// The phase of a kept session.
enum KeeperPhase: String, CaseIterable, Sendable {
  /// No host has the session.
  case waiting
  /// A host has received the session, but has not shown it yet.
  case opening
  /// The session is shown and accepts events.
  case ready
  /// The host is handling an event.
  case handling
  /// The event is overdue, and the user is asked whether to keep waiting.
  case asking
  /// There is no host for the session, and there will be none.
  case failed
  /// The session is closed.
  case closed
}

/// An event in the life of a kept session.
enum KeeperHappening: String, CaseIterable, Sendable {
  /// A host has received the session.
  case opened
  /// A host has sent its first update.
  case shown
  /// An event was sent to the host.
  case sent
  /// The host has answered the event.
  case answered
  /// The host has not answered in time.
  case overdue
  /// The user chooses to keep waiting.
  case waitOn
  /// The host has ended, for any reason.
  case hostEnded
  /// Another host has taken over and shows the session.
  case takenOver
  /// No host stays up.
  case fail
  /// The session is being closed.
  case close
}

/// An action of a keeper.
enum KeeperAction: String, Sendable {
  /// Resumes the tasks that wait for the screen and reports what was lost.
  case announce
  /// Lets the next queued event proceed.
  case next
  /// Starts the timeout of the event in flight.
  case watch
  /// Shows the question whether to keep waiting.
  case ask
  /// Removes the question and ends the timeout.
  case endWatch = "end the watch"
  /// Notes the event in flight for a notification; the event is not repeated.
  case noteLoss = "note the lost event"
  /// Fails the requests that the previous host did not answer.
  case endQuestions = "end questions"
  /// Drops the queued events and the requests to the host.
  case drop = "drop queued work"
}

extension KeeperPhase {
  /// Returns the next phase and its actions, or why nothing changes; a pure function.
  func after(_ happening: KeeperHappening) -> PhaseStep<KeeperPhase, KeeperAction> {
    switch (self, happening) {
    case (.closed, _): .ignored("the session has ended")
    case (_, .close): .to(.closed, [.endWatch, .drop])
    case (.failed, .fail): .ignored("the failure was already reported")
    case (.failed, _): .ignored("no host opens the session after the failure")
    case (_, .fail): .to(.failed, [.endWatch, .drop])

    case (.waiting, .opened): .to(.opening)
    case (.waiting, .hostEnded): .ignored("no host has the session")
    case (.waiting, .shown), (.waiting, .answered): .impossible("no host has the session")
    case (.waiting, _): .impossible("events wait until the session is shown")

    case (.opening, .shown): .to(.ready, [.announce, .next])
    case (.opening, .hostEnded): .to(.waiting, [.endQuestions])
    case (.opening, .opened): .impossible("a host already has the session")
    case (.opening, .takenOver): .impossible("a host can be replaced only while it shows the session")
    case (.opening, _): .impossible("events wait until the session is shown")

    case (.ready, .sent): .to(.handling, [.watch])
    // Events that arrived while the host was ending wait for the next host.
    case (.ready, .hostEnded): .to(.waiting, [.endQuestions])
    // The new host does not know the requests to the old one.
    case (.ready, .takenOver): .to(.ready, [.endQuestions, .next])
    case (.ready, .opened), (.ready, .shown): .impossible("the session is already shown")
    case (.ready, .answered): .ignored("no event waits for an answer")
    case (.ready, .overdue), (.ready, .waitOn): .ignored("the answer has already arrived")

    case (.handling, .answered): .to(.ready, [.endWatch, .next])
    case (.handling, .overdue): .to(.asking, [.ask])
    case (.handling, .hostEnded): .to(.waiting, [.endWatch, .noteLoss, .drop])
    case (.handling, .sent): .impossible("the next event waits for the answer")
    case (.handling, .opened), (.handling, .shown): .impossible("the session is already shown")
    case (.handling, .takenOver): .impossible("a host can be replaced only between two events")
    case (.handling, .waitOn): .ignored("the user was not asked")

    case (.asking, .answered): .to(.ready, [.endWatch, .next])
    case (.asking, .waitOn): .to(.handling, [.endWatch, .watch])
    case (.asking, .hostEnded): .to(.waiting, [.endWatch, .noteLoss, .drop])
    case (.asking, .sent): .impossible("the next event waits for the answer")
    case (.asking, .opened), (.asking, .shown): .impossible("the session is already shown")
    case (.asking, .takenOver): .impossible("a host can be replaced only between two events")
    case (.asking, .overdue): .ignored("the user is being asked")
    }
  }
}
