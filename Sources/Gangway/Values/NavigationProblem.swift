@_spi(FrontEnd) import GangwayProtocol

/// A problem that stops a navigation, with its facts; another file has the sentences about it.
///
/// A new problem needs a case here, its code below, and two sentences in `NavigationProblem+Words.swift`.
indirect enum NavigationProblem: Hashable, Sendable {
  /// An error that an author created.
  case custom(NavigationError.Code, String)
  /// One of several operations failed.
  case step(number: Int, operation: String, NavigationProblem)
  case routerGone(coordinator: String)
  case routerNotShown(coordinator: String)
  case entryGone(coordinator: String)
  case planClosed
  case modalInTheWay(title: String)
  case modalMustBeAnswered(title: String)
  case firstEntry(title: String)
  case nothingToGoBackTo
  case emptyStack
  case notInStack(title: String)
  case isRoot(coordinator: String)
  case isTab(title: String)
  case nothingToDismiss
  case notInModal(coordinator: String)
  case unexpectedFlow(route: String, found: String, wanted: String)
  case unexpectedTab(tab: String, wanted: String)
  case unexpectedResult(found: String, wanted: String)
  case unknownPlace(place: ContributionID, reason: String)
  case placeFailed(place: ContributionID, reason: String)
  case pluginAbsent(plugin: PluginID, reason: String)
  case redirectNowhere(name: String, place: ContributionID)
  case payloadDoesNotEncode(place: ContributionID, why: String)
  case payloadMismatch(place: ContributionID, taking: String, given: String, why: String)
  case resultMismatch(place: ContributionID, given: String, taking: String, why: String)
  case unreadableRoute(type: String, stored: String, schema: Int, current: Int, why: String)
  case unreadableState(coordinator: String, type: String, stored: String, schema: Int, current: Int, why: String)
  case serviceMismatch(call: String, plugin: PluginID, offered: String, wanted: String, why: String)
  case configurationMismatch(plugin: PluginID, section: String, type: String, why: String)
  case unknownReturnPoint(id: ContributionID, known: String)
  case linkLooksUp(url: String, pattern: String, plugin: PluginID)
  case linkNotOnTop(url: String, pattern: String, plugin: PluginID)
  case linkMismatch(url: String, pattern: String, plugin: PluginID, payload: String, why: String)
  case foreignRoute(route: String, type: String)
  case noRoute(type: String)
  case linkHasNoStack(route: String)
  case unknownTab(coordinator: String, tab: String, known: String)
  case notATab(title: String)
  case tabGone(title: String)
  case linkTabMissing(tab: ContributionID, reason: String?)
  case rootShowsNoTabs(tab: ContributionID)
  case pluginHasNoTab(plugin: PluginID, name: String)
  case coordinatorInUse(coordinator: String)
  case nestedTooDeep(coordinator: String, limit: Int)
  case noAncestor(wanted: String, found: String)
  case sessionEnded(plugin: PluginID)
  case unknownService(service: String, asker: PluginID)
  case serviceUnavailable(service: String, asker: PluginID, reason: String)
  case serviceOfOtherType(service: String, found: String)
  case serviceIsLoading(service: String, plugin: PluginID)
  case noOperation(service: ContributionID, operation: String, caller: PluginID, known: String)
  case noChanges(service: ContributionID, changes: String, caller: PluginID, known: String)
  case serviceOfSession(service: String)
  case makingFailed(title: String, why: String)
  case notLoaded(plugin: PluginID)
  case linkThrough(title: String, reason: String, cause: String, node: NodeID)
  case notPresentable(route: String, reason: String)
  case unknownEntry(wanted: String, coordinator: String, path: String)
  case otherCase(route: String, before: String)
  case nothingToUndo
  case nothingToRedo
  case undoneEntryGone(title: String)
  case tabsAreNotUndone
  case finalCommit(operation: String)
  case denied(reason: String)
  /// The guard gave no reason, so the user sees no message.
  case deniedSilently(name: String)
  case guardFailed(name: String, why: String)
  case guardTimedOut(name: String, limit: String)
  case redirectCycle(name: String, circle: String)
  case redirectCancelled(target: String, place: ContributionID, title: String, reason: String, isChosen: Bool)
  case insideGuard
  case superseded
  case sessionClosed
  case cancelledByPerson
  case malformedURL(url: String, why: String, byte: Int)
  case urlTooLong(beginning: String, bytes: Int, limit: Int)
  case invalidScheme(scheme: String, known: String)
  case noHost(scheme: String)
  case missingQuery(url: String, pattern: String, plugin: PluginID, wanted: String)
  case unmatchedLink(url: String, known: String)

  var code: NavigationError.Code {
    switch self {
    case .custom(let code, _): code
    case .step(_, _, let problem): problem.code
    case .routerGone, .routerNotShown: .detached
    case .entryGone: .entryGone
    case .planClosed: .planClosed
    case .modalInTheWay, .modalMustBeAnswered: .modalNotDismissible
    case .firstEntry, .nothingToGoBackTo, .emptyStack: .rootEntry
    case .notInStack, .isRoot, .isTab, .nothingToDismiss, .notInModal: .noParent
    case .unexpectedFlow, .unexpectedTab, .unexpectedResult: .unexpectedDestination
    case .unknownPlace, .placeFailed, .pluginAbsent, .redirectNowhere: .unknownPlace
    case .payloadDoesNotEncode, .payloadMismatch, .resultMismatch, .unreadableRoute, .unreadableState, .serviceMismatch,
      .linkMismatch:
      .payload
    case .configurationMismatch: .configuration
    case .foreignRoute, .noRoute, .linkHasNoStack: .foreignRoute
    case .unknownTab, .notATab, .tabGone, .linkTabMissing, .rootShowsNoTabs, .pluginHasNoTab: .unknownTab
    case .coordinatorInUse: .coordinatorInUse
    case .nestedTooDeep: .nestedTooDeep
    case .noAncestor: .noAncestor
    case .sessionEnded, .unknownService, .serviceUnavailable, .serviceOfOtherType, .serviceIsLoading, .noOperation,
      .noChanges, .serviceOfSession:
      .noService
    case .makingFailed, .notLoaded, .linkThrough: .makingFailed
    case .linkLooksUp: .lookupNeeded
    case .notPresentable: .notPresentable
    case .unknownEntry, .unknownReturnPoint: .unknownEntry
    case .otherCase: .otherRoute
    case .nothingToUndo, .nothingToRedo, .undoneEntryGone, .tabsAreNotUndone: .noHistory
    case .finalCommit: .cannotUndo
    case .denied, .deniedSilently: .denied
    case .guardFailed: .guardFailed
    case .guardTimedOut: .guardTimedOut
    case .redirectCycle: .redirectCycle
    case .redirectCancelled: .redirectCancelled
    case .insideGuard: .insideGuard
    case .superseded, .sessionClosed: .superseded
    case .cancelledByPerson: .cancelledByPerson
    case .malformedURL, .urlTooLong: .malformedURL
    case .invalidScheme: .invalidScheme
    case .noHost: .unknownURL
    case .missingQuery: .missingQueryString
    case .unmatchedLink, .linkNotOnTop: .unmatchedLink
    }
  }
  /// Whether no message is shown: the user caused the problem, or a guard gave no reason.
  ///
  /// The user went back, went elsewhere, or cancelled a redirect.
  var isSilent: Bool {
    switch self {
    case .step(_, _, let problem): problem.isSilent
    case .deniedSilently: true
    case .redirectCancelled(_, _, _, _, let isChosen): isChosen
    default: [.superseded, .cancelledByPerson].contains(code)
    }
  }
}
