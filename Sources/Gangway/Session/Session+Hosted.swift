@_spi(FrontEnd) import GangwayProtocol

/// Sessions that share an app among several hosts.
extension Session {
  /// The signed-in user; nil if nobody has signed in.
  package var user: User? {
    get { services.user }
    set { services.user = newValue }
  }

  /// The other host, which runs the flows of some plugins; set it before the start. The session does not keep it.
  package var flowHost: (any FlowHost)? {
    get { navigation.maker.flowHost }
    set { navigation.maker.flowHost = newValue }
  }

  /// Creates the session of a flow that is an entry of another session; see ``HostedFlow``.
  ///
  /// - Parameters:
  ///   - registry: the contributions of plugins.
  ///   - folders: the folders for plugins' files.
  ///   - start: the content that the flow begins with.
  ///   - didEnd: takes the end of the flow, and closes the session if its entry goes. The user sees an error that it
  ///     throws.
  package convenience init(
    registry: Registry, folders: PluginFolders, flow start: HostedFlow.Start,
    didEnd: @escaping @MainActor (HostedFlow.Ending) async throws -> Void
  ) {
    self.init(registry, folders, start.destination)
    navigation.maker.rootDidEnd = didEnd
  }

  /// Runs the leave guards of everything in the session, for another session that wants to remove its entry.
  ///
  /// - Throws: `denied` if a guard refuses, `guardFailed` or `guardTimedOut` if it gives no answer, `superseded` if the
  ///   user navigates meanwhile.
  package func askToLeave() async throws {
    let navigation = navigation
    // The call may come from a guard of the other session, which does not wait for itself here.
    try await WaitingPlan.$asking.withValue(nil) {
      try await navigation.planner.carryOut(Intent(source: .person)) { try $0.askLeaving(navigation.table.root) }
    }
  }
}
