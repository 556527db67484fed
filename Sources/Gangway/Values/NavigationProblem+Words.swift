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
      "This \(coordinator) is not on screen: it has not been shown yet, or it was removed."
    case .entryGone(let coordinator):
      "The screen of this router is no longer in the stack of \(coordinator)."
    case .planClosed:
      "A plan is valid only inside the closure of transaction(_:). Call its operations there."
    case .modalInTheWay(let title):
      "'\(title)' is open and must be answered first."
    case .modalMustBeAnswered(let title):
      "'\(title)' must be answered first."
    case .firstEntry(let title):
      "'\(title)' is the first entry of its stack and cannot be removed. To end the flow, call finish, cancel or "
        + "dismissFlow."
    case .nothingToGoBackTo:
      "Cannot go back: this is the first screen."
    case .emptyStack:
      "A stack cannot be empty. Pass at least the root's route to set(_:)."
    case .notInStack(let title):
      "'\(title)' is not in a stack, so stack operations cannot change it."
    case .isRoot(let coordinator):
      "'\(coordinator)' is the root, so its flow cannot be removed."
    case .isTab(let title):
      "'\(title)' is a tab, so its flow cannot be removed. Select another tab."
    case .nothingToDismiss:
      "No modal is open."
    case .notInModal(let coordinator):
      "\(coordinator) is not in a modal. To remove an entry of the stack, call pop."
    case .unexpectedFlow(let route, let found, let wanted):
      "The route \(route) shows \(found), not \(wanted)."
    case .unexpectedTab(let tab, let wanted):
      "The tab \(tab) does not contain \(wanted)."
    case .unexpectedResult(let found, let wanted):
      "The flow ended with \(found), but its handler takes \(wanted)."
    case .unknownPlace(let place, let reason):
      "\(place) cannot be shown: \(reason.ended) Load the plugin that registers it, or check "
        + "router.unavailability(of: \"\(place)\") first."
    case .placeFailed(let place, let reason):
      "\(place) cannot be shown: \(reason.ended)"
    case .pluginAbsent(let plugin, let reason):
      "The plugin \(plugin) is not available: \(reason.ended)"
    case .redirectNowhere(let name, let place):
      "The guard '\(name)' redirects to \(place), but no stack can show it."
    case .payloadDoesNotEncode(let place, let why):
      "The payload for \(place) cannot be encoded: \(why)."
    case .payloadMismatch(let place, let taking, let given, let why):
      "\(place) takes \(taking), but was given \(given): \(why)."
    case .resultMismatch(let place, let given, let taking, let why):
      "\(place) ended with \(given), but its caller takes \(taking): \(why)."
    case .unreadableRoute(let type, let stored, let schema, let current, let why):
      "The stored route \(stored)\(Self.stored(schema, current)) is not a route of "
        + "\(type)\(Self.current(schema, current)): \(why). The route stays stored until a build can read it."
    case .unreadableState(let coordinator, let type, let stored, let schema, let current, let why):
      "The stored state of \(coordinator)\(Self.stored(schema, current)) is not of type "
        + "\(type)\(Self.current(schema, current)): \(why). The state stays stored until a build can read it. "
        + "The state is: \(stored)"
    case .serviceMismatch(let call, let plugin, let offered, let wanted, let why):
      "\(call) of the plugin \(plugin) \(offered); \(wanted): \(why)."
    case .configurationMismatch(let plugin, let section, let type, let why):
      "The configuration's section plugins.\(plugin) is \(section), which does not fit \(type): \(why). Correct the "
        + "file that --config names."
    case .unknownReturnPoint(let id, let known):
      "No entry below the current one has the name \(id), so returnTo cannot find it. "
        + "\(known.isEmpty ? "No entry below the current one has a name" : "The named entries are \(known)"). "
        + "To name an entry, call returnPoint on the destination of its route."
    case .linkLooksUp(let url, let pattern, let plugin):
      "\(url) matches the link \(pattern) of the plugin \(plugin). The link needs a lookup, which only a session can "
        + "run. Open the URL in a session."
    case .linkNotOnTop(let url, let pattern, let plugin):
      "In \(url), the part after /+/ matches \(pattern) of the plugin \(plugin). This link opens no place. "
        + "Only links to places may follow /+/."
    case .linkMismatch(let url, let pattern, let plugin, let payload, let why):
      "\(url) matches \(pattern) of the plugin \(plugin), but does not fit \(payload): \(why)."
    case .foreignRoute(let route, let type):
      "\(route) is not a route of type \(type)."
    case .noRoute(let type):
      "The entry has no route of \(type)."
    case .linkHasNoStack(let route):
      "The link opens \(route), but none of the stacks that it passes through has the route \(route)."
    case .unknownTab(let coordinator, let tab, let known):
      "\(coordinator) has no tab \(tab). It has \(known)."
    case .notATab(let title):
      "'\(title)' is not a tab."
    case .tabGone(let title):
      "'\(title)' is no longer a tab."
    case .linkTabMissing(let tab, let reason):
      "The link opens the tab \(tab), which is not in the tab bar now\(reason.map { ": \($0)" } ?? "")."
    case .rootShowsNoTabs(let tab):
      "This app has a custom root, which does not show the tabs that plugins register, such as \(tab)."
    case .pluginHasNoTab(let plugin, let name):
      "The plugin \(plugin) did not register the tab '\(name)'."
    case .coordinatorInUse(let coordinator):
      "\(coordinator) is already shown. Create a new coordinator in the destination's builder."
    case .nestedTooDeep(let coordinator, let limit):
      "\(coordinator) would be nested more than \(limit) coordinators deep. Does a flow start itself?"
    case .noAncestor(let wanted, let found):
      "Neither this coordinator nor any above it is of type \(wanted). From here up to the root: \(found)."
    case .sessionEnded(let plugin):
      "The session of \(plugin) has ended."
    case .unknownService(let service, let asker):
      "No plugin registered the service \(service), which \(asker) asks for. Call registry.service { … } in the "
        + "plugin that offers it, and load that plugin."
    case .serviceUnavailable(let service, let asker, let reason):
      "\(service), which \(asker) asks for, cannot be called: \(reason.ended) Check unavailability(ofService:) first."
    case .serviceOfOtherType(let service, let found):
      "The object of the service \(service) has the wrong type: \(found)."
    case .serviceIsLoading(let service, let plugin):
      "The service \(service) is in the plugin \(plugin), which is not loaded yet. Outside of a navigation, call `try "
        + "await service(…)`."
    case .noOperation(let service, let operation, let caller, let known):
      "\(service) has no operation '\(operation)', which \(caller) calls. It has \(known)."
    case .noChanges(let service, let changes, let caller, let known):
      "\(service) has no changes named '\(changes)', which \(caller) follows. It has \(known). In a test, "
        + "add the missing changes with .service(_:changes:)."
    case .serviceOfSession(let service):
      "\(service) belongs to one session, but it is requested by a service that all sessions of a user share. Give "
        + "\(service) the scope .host, or request it in a session."
    case .makingFailed(let title, let why):
      "'\(title)' could not be created: \(why.ended)"
    case .notLoaded(let plugin):
      "The plugin \(plugin) is needed here but is not loaded. Run 'gangway why \(plugin)'."
    case .linkThrough(let title, _, let cause, _):
      "The link must open '\(title)' first, but '\(title)' cannot be shown: \(cause.ended)"
    case .notPresentable(let route, let reason):
      "The destination of \(route) is .nowhere, so \(route) cannot be shown: \(reason.ended)"
    case .otherCase(let route, let before):
      "update changes only the payload, but \(route) is a different case from \(before). Call show instead."
    case .unknownEntry(let wanted, let coordinator, let path):
      "\(wanted) is not in the stack of \(coordinator), which contains: \(path)."
    case .nothingToUndo:
      "There is nothing to undo."
    case .nothingToRedo:
      "There is nothing to redo."
    case .undoneEntryGone(let title):
      "'\(title)' is gone, so the commit cannot be undone."
    case .tabsAreNotUndone:
      "Adding or removing a tab cannot be undone: the coordinator's `tabs` decides which tabs exist."
    case .finalCommit(let operation):
      "'\(operation)' cannot be undone: it ended a flow with a value, or its plan called preventUndo()."
    case .denied(let reason):
      "\(reason)"
    case .deniedSilently(let name):
      "The guard '\(name)' denied the navigation and gave no reason."
    case .guardFailed(let name, let why):
      "Nothing was done, because the guard '\(name)' failed: \(why.ended)"
    case .guardTimedOut(let name, let limit):
      "The guard '\(name)' did not answer within \(limit). Nothing was done."
    case .redirectCycle(let name, let circle):
      "The guard '\(name)' redirects in a circle: \(circle). A guard must allow the place that it "
        + "redirects to."
    case .redirectCancelled(let target, let place, _, let reason, _):
      "\(target) was not shown: \(place) had to finish first, but ended without a result: \(reason.ended)"
    case .insideGuard:
      "A guard cannot navigate. Return .redirect(place) instead."
    case .superseded:
      "The user navigated elsewhere in the meantime."
    case .sessionClosed:
      "The session ended."
    case .cancelledByPerson:
      "The user went back in the meantime."
    case .malformedURL(let url, let why, let byte):
      "'\(url)' is not a URL: \(why), at byte \(byte)."
    case .urlTooLong(let beginning, let bytes, let limit):
      "The URL \(beginning)… has \(bytes) bytes; the maximum is \(limit)."
    case .invalidScheme(let scheme, let known):
      "The scheme '\(scheme)' does not belong to this app. Its schemes and origins are: \(known)."
    case .noHost(let scheme):
      "The URL is empty after '\(scheme)://'."
    case .missingQuery(let url, let pattern, let plugin, let wanted):
      "\(url) has no query, but \(pattern) of the plugin \(plugin) needs ?\(wanted)."
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
      "This screen is no longer open."
    case .routerNotShown:
      "This screen is no longer open."
    case .entryGone:
      "This screen is no longer open."
    case .planClosed:
      "This cannot be opened because of a mistake in the feature."
    case .modalInTheWay(let title):
      "'\(title)' is open and must be answered first."
    case .modalMustBeAnswered(let title):
      "'\(title)' must be answered first."
    case .firstEntry(let title):
      "'\(title)' is the first screen, so it cannot be closed."
    case .nothingToGoBackTo:
      "This is the first screen."
    case .emptyStack:
      "This cannot be opened because of a mistake in the feature."
    case .notInStack(let title):
      "'\(title)' cannot be closed."
    case .isRoot:
      "This screen cannot be closed."
    case .isTab(let title):
      "'\(title)' is a tab, so it cannot be closed. Choose another tab."
    case .nothingToDismiss:
      "There is nothing to close."
    case .notInModal:
      "There is nothing to close."
    case .unexpectedFlow:
      "This cannot be opened because of a mistake in the feature."
    case .unexpectedTab:
      "This cannot be opened because of a mistake in the feature."
    case .unexpectedResult:
      "The result could not be used because of a mistake in the feature."
    case .unknownPlace, .placeFailed, .pluginAbsent:
      "This cannot be opened, because it needs a feature that is not available."
    case .redirectNowhere:
      "This needs another screen first, such as a sign-in. That screen cannot be opened from here."
    case .payloadDoesNotEncode:
      "This cannot be opened because of a mistake in the feature."
    case .payloadMismatch:
      "This screen needs another version of the feature."
    case .resultMismatch:
      "Two features have versions that do not fit together."
    case .unreadableRoute:
      "This screen needs another version of the feature. The screen is kept until that version is installed."
    case .unreadableState:
      "Another version of the feature stored this screen. The app keeps the stored screen until you choose Start over."
    case .serviceMismatch:
      "Two features have versions that do not fit together."
    case .configurationMismatch:
      "This part of the app is not set up correctly. Tell the owner of the app."
    case .unknownReturnPoint:
      "The screen to return to is gone."
    case .linkLooksUp:
      "This link works only in the running app."
    case .linkNotOnTop:
      "No screen in this app has this link."
    case .linkMismatch:
      "The link is incomplete or has a mistake."
    case .foreignRoute:
      "This cannot be opened because of a mistake in the feature."
    case .noRoute:
      "This cannot be opened because of a mistake in the feature."
    case .linkHasNoStack:
      "No screen in this app has this link."
    case .unknownTab:
      "There is no such tab."
    case .notATab:
      "There is no such tab."
    case .tabGone(let title):
      "The tab '\(title)' is gone."
    case .linkTabMissing:
      "This link opens a tab that is not available now."
    case .rootShowsNoTabs:
      "This cannot be opened because of a mistake in the feature."
    case .pluginHasNoTab:
      "This cannot be opened because of a mistake in the feature."
    case .coordinatorInUse:
      "This cannot be opened because of a mistake in the feature."
    case .nestedTooDeep:
      "This cannot be opened because of a mistake in the feature: it would open itself again and again."
    case .noAncestor:
      "This cannot be opened because of a mistake in the feature."
    case .sessionEnded:
      "This session has ended."
    case .unknownService:
      "This screen needs a feature that is not installed."
    case .serviceUnavailable:
      "This screen needs another feature, which is not available."
    case .serviceOfOtherType:
      "This cannot be opened because of a mistake in the feature."
    case .serviceIsLoading:
      "This screen needs a feature that is still loading. Try again."
    case .noOperation, .noChanges:
      "Two features have versions that do not fit together."
    case .serviceOfSession:
      "This cannot be opened because of a mistake in the feature."
    case .makingFailed(let title, let why):
      "'\(title)' cannot be shown: \(why.ended)"
    case .notLoaded:
      "This cannot be opened, because it needs a feature that is not available."
    case .linkThrough(let title, let reason, _, _):
      "'\(title)', which this link opens first, cannot be shown: \(reason.ended)"
    case .notPresentable:
      "This cannot be opened because of a mistake in the feature."
    case .otherCase:
      "This cannot be opened because of a mistake in the feature."
    case .unknownEntry:
      "This screen is no longer open."
    case .nothingToUndo:
      "There is nothing to undo."
    case .nothingToRedo:
      "There is nothing to redo."
    case .undoneEntryGone(let title):
      "'\(title)' is gone, so this cannot be undone."
    case .tabsAreNotUndone:
      "Adding or removing a tab cannot be undone."
    case .finalCommit:
      "This cannot be undone."
    case .denied(let reason):
      "\(reason)"
    case .deniedSilently:
      "This is not available now."
    case .guardFailed(_, let why):
      "Nothing was done, because the app could not check whether this is allowed: \(why.ended)"
    case .guardTimedOut:
      "The app could not check in time whether this is allowed. Nothing was done."
    case .redirectCycle:
      "Nothing was done, because a mistake in the feature would send you in a circle."
    case .redirectCancelled(_, _, let title, _, _):
      "'\(title)' was cancelled."
    case .insideGuard:
      "This cannot be opened because of a mistake in the feature."
    case .superseded:
      "You opened something else in the meantime."
    case .sessionClosed:
      "The session ended."
    case .cancelledByPerson:
      "You went back in the meantime."
    case .malformedURL(let url, let why, _):
      "'\(url)' is not a valid link: \(why)."
    case .urlTooLong(let beginning, _, _):
      "The link \(beginning)… is too long."
    case .invalidScheme(_, let known):
      "This link belongs to another app. Links of this app begin with \(known)."
    case .noHost:
      "The link is incomplete."
    case .missingQuery(let url, _, _, let wanted):
      "The link \(url) is incomplete: ?\(wanted) is missing."
    case .unmatchedLink(let url, _):
      "No screen in this app has the link \(url)."
    }
  }

  private static func stored(_ version: Int, _ current: Int) -> String {
    version == current ? "" : " (version \(version))"
  }

  private static func current(_ stored: Int, _ version: Int) -> String {
    stored == version ? "" : " in version \(version)"
  }
}

extension String {
  /// The reason from an author, with a full stop unless it already ends a sentence.
  fileprivate var ended: String { last.map { ".!?…。".contains($0) } == true ? self : self + "." }
}
