/// The system as a supervisor uses it: its time, its disk, and its processes. A simulation has others.
package struct SupervisorSystem: Sendable {
  package var clock: any SupervisorClock = SystemClock()
  /// Returns the operations that store one session.
  package var disk: @MainActor @Sendable () -> SessionDisk = { SessionDisk() }
  /// Returns the way to start the hosts of a pool.
  package var launcher:
    @MainActor @Sendable (SupervisorOptions, LogFolder, FeatureProcesses) throws -> any HostLauncher = {
      try ProcessLauncher($0, $1, $2)
    }
}
