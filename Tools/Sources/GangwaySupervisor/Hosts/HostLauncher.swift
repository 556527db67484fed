@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The start of hosts: ``ProcessLauncher``, or a simulation.
@MainActor package protocol HostLauncher {
  /// Starts a host.
  ///
  /// - Parameters:
  ///   - settings: the host's settings.
  ///   - number: the number of the host within its pool, from 1.
  /// - Throws: the system's error if the channels cannot be opened.
  func start(_ settings: HostLaunch, number: Int) throws -> any HostChannel
}

/// Starts hosts as processes.
struct ProcessLauncher: HostLauncher {
  let options: SupervisorOptions
  let folder: LogFolder
  let log: HostLog
  /// The processes that the hosts' features start.
  let processes: FeatureProcesses

  /// Prepares for hosts.
  ///
  /// - Throws: ``SupervisorFailure`` if the log cannot be written.
  @MainActor init(_ options: SupervisorOptions, _ folder: LogFolder, _ processes: FeatureProcesses) throws {
    signal(SIGPIPE, SIG_IGN)
    (self.options, self.folder, self.processes) = (options, folder, processes)
    log = try folder.openLog()
  }

  func start(_ settings: HostLaunch, number: Int) throws -> any HostChannel {
    let membership = processes.addHost()
    var settings = settings
    settings.controlGroup = membership.controlGroup
    return try HostProcess(
      executable: options.host, arguments: settings.arguments, environment: options.environment,
      orphans: membership.orphans, log: log, crashReport: folder.report(process: getpid(), generation: number))
  }
}
