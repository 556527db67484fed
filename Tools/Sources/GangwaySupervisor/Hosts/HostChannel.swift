@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Subprocess

/// The exit status of a host process.
package typealias HostEnd = TerminationStatus

/// A host that was started, as the pool reaches it: ``HostProcess``, or a simulated host.
@MainActor package protocol HostChannel: AnyObject {
  /// The host's process ID; nil before the process runs.
  var processID: pid_t? { get }
  /// The reason why the host could not be started.
  var startFailure: String? { get }
  /// Whether the host has ended.
  var isGone: Bool { get }
  /// Whether the host was killed because its channel was closed.
  var isCutOff: Bool { get }
  /// The path of the host's crash report.
  var crashReport: String { get }
  /// The call stack that a crashing host writes at once; nil if there is none.
  var crashFrames: CrashFrames? { get }

  /// Sends a message without waiting; drops a message to a host that has ended.
  ///
  /// - Returns: the length in bytes of a message that does not fit in a line and was not sent; nil if it was sent.
  @discardableResult func send(_ message: ClientMessage) -> Int?

  /// Passes the host's reports to a handler, in order, until the output ends or the handler returns false.
  ///
  /// A further call replaces the handler for all later reports.
  ///
  /// - Parameter take: the handler of a report; returns false to stop.
  func follow(_ take: @escaping @MainActor (HostOutput.Report) -> Bool)

  /// Kills the host.
  func kill()

  /// Waits for the end of the host.
  func status() async -> HostEnd?

  /// Waits for the end of a host whose channel is closed, and kills the host after 200 ms.
  func statusWithoutChannel() async -> HostEnd?

  /// Writes a report, after the part that the dying host writes itself. The host has 10 s for that, and is then killed.
  ///
  /// - Returns: the plugin whose code was running, if the report names one, and the call in words.
  func write(_ report: IncidentReport) async -> (plugin: PluginID, call: String)?
}

extension HostChannel {
  /// Opens a session from a checkpoint of any size.
  func open(_ session: SessionID, _ checkpoint: Checkpoint?, isFromFile: Bool = false, profile: String? = nil) {
    if send(.open(session: session, checkpoint: checkpoint, isFromFile: isFromFile, profile: profile)) == nil { return }
    guard let checkpoint else { return }
    let groups = Line.groups(checkpoint.records.values.sorted { $0.id < $1.id }).groups
    for group in groups.dropLast() { send(.records(session: session, group)) }
    let last = Dictionary((groups.last ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    send(
      .open(
        session: session, checkpoint: Checkpoint(nextNode: checkpoint.nextNode, records: last), isFromFile: isFromFile,
        profile: profile))
  }

  /// Asks the host to end, and kills it after a second.
  func retire(_ clock: any SupervisorClock) async {
    send(.quit)
    let impatience = Task {
      try await clock.sleep(for: .seconds(1))
      kill()
    }
    _ = await status()
    impatience.cancel()
  }
}

/// A host with what its line knows of it.
@MainActor final class RunningHost {
  let channel: any HostChannel
  /// The number of messages received; an increase shows that the host is alive.
  var messages = 0
  /// The budget of notifications for this second.
  var notices: NoticeBudget
  /// Whether the host has sent its list of plugins.
  var isReady = false
  /// The plugin that was on trial when the host started (``CulpritSearch``); nil if there was none.
  var onTrial: PluginID?
  /// The time at which the host started.
  var start: ContinuousClock.Instant

  /// Notes a host that was started at a moment.
  init(_ channel: any HostChannel, at moment: ContinuousClock.Instant) {
    (self.channel, start) = (channel, moment)
    notices = NoticeBudget(at: moment)
  }
}
