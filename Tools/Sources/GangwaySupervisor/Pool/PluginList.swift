@_spi(FrontEnd) import GangwayProtocol

/// The plugins of a line's hosts, and the tasks that wait for the first list of them.
@MainActor final class PluginList {
  /// The state of each plugin in the current host, by id.
  private(set) var statuses: [PluginID: HostMessage.PluginStatus] = [:]
  /// The continuations that wait for the first list; nil once it has arrived.
  private var waiters: [CheckedContinuation<Void, Never>]? = []

  /// Notes the state of a plugin.
  func note(_ status: HostMessage.PluginStatus, of id: PluginID) { statuses[id] = status }

  /// Waits for the first list.
  func arrived() async {
    guard waiters != nil else { return }
    await withCheckedContinuation { waiters?.append($0) }
  }

  /// Resumes the waiting tasks, because the list has arrived or no host will send one.
  func end() {
    for waiter in waiters ?? [] { waiter.resume() }
    waiters = nil
  }
}
