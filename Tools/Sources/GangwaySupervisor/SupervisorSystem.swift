/// The system as a supervisor uses it: its time, its disk, and its processes. A simulation has others.
struct SupervisorSystem: Sendable {
  var clock: any SupervisorClock = SystemClock()
  /// Returns the operations that store one session.
  var disk: @MainActor @Sendable () -> SessionDisk = { SessionDisk() }
  /// Returns the way to start the hosts of a pool.
  var launcher: @MainActor @Sendable (SupervisorOptions, LogFolder, FeatureProcesses) throws -> any HostLauncher = {
    try ProcessLauncher($0, $1, $2)
  }
}
