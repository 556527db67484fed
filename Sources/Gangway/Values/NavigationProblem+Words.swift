/// The sentences about a navigation problem: one for a developer, one for the user.
extension NavigationProblem {
  /// The problem, its reason and its fix, with the names that the sources use.
  var developerWords: String {
    switch self {
    case .custom(_, let message): message
    case .step(let number, let operation, let problem):
      "Step \(number) of the plan, \(operation), failed: \(problem.developerWords)"
    case .routerGone(let coordinator):
      "The \(coordinator) of this router is gone: its flow has ended."
    case .routerNotShown(let coordinator):
      "This \(coordinator) is not shown: not yet, or no longer."
    case .entryGone(let coordinator):
      "The screen that asks is no longer in the stack of \(coordinator)."
    case .planClosed:
      "A plan holds only while the closure runs that it was given to. Call its operations within transaction(_:)."
    case .modalInTheWay(let title):
      "'\(title)' is open and must be answered first; it cannot be dismissed."
    case .modalMustBeAnswered(let title):
      "'\(title)' must be answered; it cannot be dismissed."
    case .firstEntry(let title):
      "'\(title)' is the first entry of its stack and cannot be removed from it. To end the whole flow call finish, cancel or dismissFlow."
    case .nothingToGoBackTo:
      "There is nothing to go back to."
    case .emptyStack:
      "A stack cannot be empty. Give set at least the route of its root."
    case .notInStack(let title):
      "'\(title)' is not an entry of a stack, so it cannot be removed from one."
    case .isRoot(let coordinator):
      "'\(coordinator)' is the root: nothing contains it."
    case .isTab(let title):
      "'\(title)' is a tab, which is not dismissed: select another tab instead."
    case .nothingToDismiss:
      "Nothing is open that could be dismissed."
    case .notInModal(let coordinator):
      "\(coordinator) stands in no modal, so there is none to dismiss. To remove an entry of the stack call pop."
    case .unexpectedFlow(let route, let found, let wanted):
      "The route \(route) leads to \(found), not to \(wanted)."
    case .unexpectedTab(let tab, let wanted):
      "The tab \(tab) does not hold a \(wanted)."
    case .unexpectedResult(let found, let wanted):
      "The flow ended with \(found), its handler takes \(wanted)."
    case .unknownPlace(let place, let reason):
      "\(place) cannot be shown: \(reason.ended) Load the plugin that registers it, or ask router.unavailability(of: \"\(place)\") before offering it."
    case .placeFailed(let place, let reason):
      "\(place) cannot be shown: \(reason.ended)"
    case .pluginAbsent(let plugin, let reason):
      "The plugin \(plugin) is not there: \(reason)"
    case .redirectNowhere(let name, let place):
      "The guard '\(name)' leads to \(place), and no stack is there to show it in."
    case .payloadDoesNotEncode(let place, let why):
      "The payload for \(place) does not encode: \(why)."
    case .payloadMismatch(let place, let taking, let given, let why):
      "\(place) takes \(taking), and was given \(given): \(why)."
    case .resultMismatch(let place, let given, let taking, let why):
      "\(place) ended with \(given), and what waits for it takes \(taking): \(why)."
    case .unreadableRoute(let type, let stored, let schema, let current, let why):
      "\(stored) was stored\(Self.versions(schema, current)), and is no route of \(type) now: \(why). It stays stored, and comes back with a build that can read it."
    case .unreadableState(let coordinator, let type, let stored, let schema, let current, let why):
      "The state of \(coordinator) was stored\(Self.versions(schema, current)), and is no \(type) now: \(why). It stays stored: \(stored)"
    case .serviceMismatch(let call, let plugin, let offered, let wanted, let why):
      "\(call) of the plugin \(plugin) \(offered); \(wanted): \(why)."
    case .configurationMismatch(let plugin, let section, let type, let why):
      "The configuration's section plugins.\(plugin) is \(section), which does not fit \(type): \(why). Correct the "
        + "file after --config."
    case .unknownReturnPoint(let id, let known):
      "No entry below is named \(id), so there is no return to it. \(known.isEmpty ? "None below has a name" : "Named are \(known)"): name one with returnPoint at its destination."
    case .linkLooksUp(let url, let pattern, let plugin):
      "\(url) matches \(pattern) of the plugin \(plugin), which looks something up in a session: open it there."
    case .linkNotOnTop(let url, let pattern, let plugin):
      "In \(url) the link \(pattern) of the plugin \(plugin) stands after /+/, where only links to places can stand: what they lead to is shown on top of what comes before."
    case .linkMismatch(let url, let pattern, let plugin, let payload, let why):
      "\(url) matches \(pattern) of the plugin \(plugin), and is no \(payload): \(why)."
    case .foreignRoute(let route, let type):
      "\(route) is not one of \(type)."
    case .noRoute(let type):
      "The entry has no route of \(type)."
    case .linkHasNoStack(let route):
      "The link leads to \(route), and no stack on its way has such a route."
    case .unknownTab(let coordinator, let tab, let known):
      "\(coordinator) has no tab \(tab). It has \(known)."
    case .notATab(let title):
      "'\(title)' is no tab."
    case .tabGone(let title):
      "'\(title)' is no tab any more."
    case .linkTabMissing(let tab, let reason):
      "The link leads to the tab \(tab), which is not on the bar now\(reason.map { ": \($0)" } ?? "")."
    case .rootShowsNoTabs(let tab):
      "The application's root shows no registered tabs, so not \(tab) either."
    case .pluginHasNoTab(let plugin, let name):
      "The plugin \(plugin) registered no tab '\(name)'."
    case .coordinatorInUse(let coordinator):
      "\(coordinator) is shown already. A destination's builder makes a new coordinator each time."
    case .nestedTooDeep(let coordinator, let limit):
      "\(coordinator) would be nested \(limit) coordinators deep: a flow that starts itself?"
    case .noAncestor(let wanted, let found):
      "No \(wanted) is among the coordinators here: \(found)."
    case .sessionEnded(let plugin):
      "The session of \(plugin) has ended, and its services with it."
    case .unknownService(let service, let asker):
      "No plugin registered the service \(service), which \(asker) asks for. Call registry.service { … } in the plugin that offers it, and load that plugin too."
    case .serviceUnavailable(let service, let asker, let reason):
      "\(service), which \(asker) asks for, cannot be called: \(reason.ended) Ask unavailability(ofService:) before offering what needs it."
    case .serviceOfOtherType(let service, let found):
      "The service \(service) was made as \(found)."
    case .serviceIsLoading(let service, let plugin):
      "The service \(service) is in the plugin \(plugin), which is not loaded yet. Where there is no navigation to wait with it, call `try await service(…)`."
    case .noOperation(let service, let operation, let caller, let known):
      "\(service) has no operation '\(operation)', which \(caller) calls. It has \(known)."
    case .serviceOfSession(let service):
      "\(service) is a session's, and was asked for by a service that all sessions share. Give it the scope .host, or ask for it where there is a session."
    case .makingFailed(let title, let why):
      "'\(title)' could not be made: \(why)"
    case .notLoaded(let plugin):
      "The plugin \(plugin) is not loaded, and should have been."
    case .linkThrough(let title, let reason):
      "The link leads through '\(title)', which cannot be shown: \(reason)"
    case .notPresentable(let route, let reason):
      "\(route) is not shown by itself: \(reason)"
    case .otherCase(let route, let before):
      "\(route) is no other payload of \(before), so the entry cannot be updated with it: show it."
    case .unknownEntry(let wanted, let coordinator, let path):
      "\(wanted) is not in the stack of \(coordinator), which holds \(path)."
    case .nothingToUndo:
      "There is nothing to step back to."
    case .nothingToRedo:
      "There is nothing to step forward to."
    case .undoneEntryGone(let title):
      "'\(title)' is no longer there, so the commit cannot be undone."
    case .tabsAreNotUndone:
      "The tabs follow what their coordinator offers; a change of them is not stepped through."
    case .finalCommit(let operation):
      "'\(operation)' cannot be undone: it ended a flow with a value, or its plan was said to be final."
    case .denied(let reason):
      "\(reason)"
    case .guardFailed(let name, let why):
      "The guard '\(name)' failed, so nothing was done: \(why)"
    case .guardTimedOut(let name, let limit):
      "The guard '\(name)' gave no answer within \(limit), so nothing was done."
    case .redirectCycle(let name, let circle):
      "The guard '\(name)' leads in a circle: \(circle). It must allow what it leads to, and, once that has finished, what it led away from."
    case .redirectCancelled(let target, let place, _, let reason, _):
      "\(target) was not shown: \(place), which comes before it, ended without a result: \(reason.ended)"
    case .insideGuard:
      "A guard may not navigate while it is asked. Let it answer .redirect(to) with the place instead."
    case .superseded:
      "The person went elsewhere while it was still being waited for."
    case .sessionClosed:
      "The session ended."
    case .cancelledByPerson:
      "The person went back while it was still being waited for."
    case .malformedURL(let url, let why, let byte):
      "'\(url)' is no URL: \(why), at byte \(byte)."
    case .urlTooLong(let beginning, let bytes, let limit):
      "The URL \(beginning)… has \(bytes) bytes; at most \(limit) are taken."
    case .invalidScheme(let scheme, let known):
      "The scheme '\(scheme)' is not one of this application's: \(known)."
    case .noHost(let scheme):
      "The URL names nothing: after '\(scheme)://' comes no host."
    case .missingQuery(let url, let pattern, let plugin, let wanted):
      "\(url) matches \(pattern) of the plugin \(plugin), which needs ?\(wanted), and has no query."
    case .unmatchedLink(let url, let known):
      "No plugin registered a link for \(url). \(known)"
    }
  }

  /// The problem for the user of the app: no names of types, no stored values, no advice to developers.
  var personWords: String {
    switch self {
    case .custom(_, let message): message
    case .step(_, _, let problem): problem.personWords
    case .routerGone:
      "That screen is no longer open."
    case .routerNotShown:
      "That screen is no longer open."
    case .entryGone:
      "That screen is no longer open."
    case .planClosed:
      "That cannot be shown here: the feature has a mistake in it."
    case .modalInTheWay(let title):
      "'\(title)' is open and must be answered first; it cannot be dismissed."
    case .modalMustBeAnswered(let title):
      "'\(title)' must be answered; it cannot be dismissed."
    case .firstEntry(let title):
      "'\(title)' is the first screen here, so it stays."
    case .nothingToGoBackTo:
      "There is nothing to go back to."
    case .emptyStack:
      "That cannot be shown here: the feature has a mistake in it."
    case .notInStack(let title):
      "'\(title)' cannot be closed."
    case .isRoot:
      "This cannot be closed: it is the app itself."
    case .isTab(let title):
      "'\(title)' is a tab: choose another one instead."
    case .nothingToDismiss:
      "Nothing is open that could be dismissed."
    case .notInModal:
      "There is nothing to dismiss here."
    case .unexpectedFlow:
      "That cannot be shown here: the feature has a mistake in it."
    case .unexpectedTab:
      "That cannot be shown here: the feature has a mistake in it."
    case .unexpectedResult:
      "That cannot be shown here: the feature has a mistake in it."
    case .unknownPlace(_, let reason):
      "That cannot be shown: \(reason.ended)"
    case .placeFailed(_, let reason):
      "That cannot be shown: \(reason.ended)"
    case .pluginAbsent(let plugin, let reason):
      "The feature \(plugin) is not there: \(reason)"
    case .redirectNowhere:
      "Something has to be done first, and there is no room to show it in."
    case .payloadDoesNotEncode:
      "That cannot be shown here: the feature has a mistake in it."
    case .payloadMismatch:
      "This screen does not fit the version of the feature that is installed."
    case .resultMismatch:
      "The result of this screen does not fit what waits for it; the two features are of different versions."
    case .unreadableRoute:
      "This screen was stored by another version, and cannot be shown by the one that is installed. It is kept for a version that can."
    case .unreadableState:
      "What was stored here is of another version, and the one that is installed cannot read it. It is kept until you start over."
    case .serviceMismatch:
      "Two features do not understand each other: they are of different versions."
    case .configurationMismatch:
      "This part of the app is not set up correctly. Tell the owner of the app."
    case .unknownReturnPoint:
      "What this would return to is no longer there."
    case .linkLooksUp:
      "Where this address leads is known in the running app only."
    case .linkNotOnTop:
      "The address leads nowhere in this app."
    case .linkMismatch(let url, _, _, _, _):
      "The address \(url) is not complete, or has a mistake in it."
    case .foreignRoute:
      "That cannot be shown here: the feature has a mistake in it."
    case .noRoute:
      "That cannot be shown here: the feature has a mistake in it."
    case .linkHasNoStack:
      "The address leads nowhere in this app."
    case .unknownTab:
      "That tab is not there."
    case .notATab:
      "That tab is not there."
    case .tabGone(let title):
      "The tab '\(title)' is no longer there."
    case .linkTabMissing(_, let reason):
      "The address leads to a tab that is not there now\(reason.map { ": \($0)" } ?? "")."
    case .rootShowsNoTabs:
      "That cannot be shown here: the feature has a mistake in it."
    case .pluginHasNoTab:
      "That cannot be shown here: the feature has a mistake in it."
    case .coordinatorInUse:
      "That cannot be shown here: the feature has a mistake in it."
    case .nestedTooDeep:
      "This cannot be shown: it contains itself."
    case .noAncestor:
      "That cannot be shown here: the feature has a mistake in it."
    case .sessionEnded:
      "That is over: the session has ended."
    case .unknownService:
      "Something that this needs is not installed."
    case .serviceUnavailable(_, _, let reason):
      "Something that this needs is not there: \(reason.ended)"
    case .serviceOfOtherType:
      "That cannot be shown here: the feature has a mistake in it."
    case .serviceIsLoading:
      "Something that this needs is still being loaded. Try again."
    case .noOperation:
      "Two features do not understand each other: they are of different versions."
    case .serviceOfSession:
      "That cannot be shown here: the feature has a mistake in it."
    case .makingFailed(let title, let why):
      "'\(title)' cannot be shown: \(why)"
    case .notLoaded(let plugin):
      "The feature \(plugin) is not there."
    case .linkThrough(let title, let reason):
      "The address leads through '\(title)', which cannot be shown: \(reason)"
    case .notPresentable:
      "That cannot be shown here: the feature has a mistake in it."
    case .otherCase:
      "That cannot be shown here: the feature has a mistake in it."
    case .unknownEntry:
      "That is no longer open."
    case .nothingToUndo:
      "There is nothing to undo."
    case .nothingToRedo:
      "There is nothing to do again."
    case .undoneEntryGone(let title):
      "'\(title)' is no longer there, so this cannot be undone."
    case .tabsAreNotUndone:
      "A change of the tabs cannot be undone."
    case .finalCommit:
      "That cannot be undone: it is done."
    case .denied(let reason):
      "\(reason)"
    case .guardFailed(_, let why):
      "Whether this is allowed could not be found out, so nothing was done: \(why)"
    case .guardTimedOut:
      "Whether this is allowed was not answered in time, so nothing was done."
    case .redirectCycle:
      "What must be done before this leads back to itself, so nothing was done."
    case .redirectCancelled(_, _, let title, _, let isChosen):
      isChosen ? "'\(title)' was cancelled." : "'\(title)' was closed before it was done, so nothing was opened."
    case .insideGuard:
      "That cannot be shown here: the feature has a mistake in it."
    case .superseded:
      "You went elsewhere meanwhile."
    case .sessionClosed:
      "The session ended."
    case .cancelledByPerson:
      "You went back meanwhile."
    case .malformedURL(let url, let why, let byte):
      "'\(url)' is no address: \(why), at character \(byte)."
    case .urlTooLong(let beginning, _, _):
      "The address \(beginning)… is too long."
    case .invalidScheme(_, let known):
      "That is no address of this app; they begin with \(known)."
    case .noHost:
      "The address names nothing."
    case .missingQuery(let url, _, _, let wanted):
      "The address \(url) is not complete: ?\(wanted) is missing."
    case .unmatchedLink(let url, _):
      "Nothing in this app has the address \(url)."
    }
  }

  private static func versions(_ stored: Int, _ current: Int) -> String {
    stored == current ? "" : " in version \(stored), and this is version \(current)"
  }
}

extension String {
  /// The reason from an author, with a full stop unless it already ends a sentence.
  fileprivate var ended: String { last.map { ".!?…。".contains($0) } == true ? self : self + "." }
}
