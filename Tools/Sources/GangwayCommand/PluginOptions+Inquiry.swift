@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Subprocess
import SystemPackage

/// The answer of a separate host, and its exit status.
struct HostInquiry {
  /// The lines that the host wrote, without their newlines.
  var lines: [[UInt8]] = []
  var ending: TerminationStatus
  /// The message of the fatal error that ended the host; nil if there is none.
  var fatalError: String?
}

extension PluginOptions {
  /// Asks a separate host, which may crash or hang because of the plugins that it loads.
  ///
  /// - Parameters:
  ///   - arguments: the host's arguments, to which the plugin folders are added.
  ///   - limit: the time limit, after which the host is ended.
  ///   - bytes: the most output in bytes.
  /// - Throws: an error if the host cannot be started or writes more than `bytes`.
  func inquire(_ arguments: [String], limit: Duration, bytes: Int = 64 << 20) async throws -> HostInquiry {
    let processes = await FeatureProcesses(host: executable)
    let membership = await processes.addHost()
    let arguments = arguments + hostArguments + membership.arguments
    var variables: [Environment.Key: String?] = ["SWIFT_BACKTRACE": "enable=no"]
    for (name, value) in membership.environment { variables[Environment.Key(stringLiteral: name)] = value }
    let environment = Environment.inherit.updating(variables)
    let (errorsOut, errorsIn) = try FileDescriptor.pipe()
    let errors = HostErrors(errorsOut.rawValue)
    let process = Task { [executable] in
      try await Subprocess.run(
        .path(FilePath(executable)), arguments: Arguments(arguments), environment: environment,
        output: .bytes(limit: bytes), error: .fileDescriptor(errorsIn, closeAfterSpawningProcess: true))
    }
    let clock = Task {
      try await Task.sleep(for: limit)
      process.cancel()
    }
    defer { clock.cancel() }
    let answer = await process.result
    await processes.end()
    let result = try answer.get()
    var splitter = LineSplitter()
    var inquiry = HostInquiry(ending: result.terminationStatus)
    if case .signaled = result.terminationStatus {
      // Another thread reads the message, and may not have it yet.
      for _ in 0..<50 where errors.fatalError == nil { try? await Task.sleep(for: .milliseconds(10)) }
      inquiry.fatalError = errors.fatalError
    }
    for case .line(let bytes) in splitter.append(result.standardOutput) { inquiry.lines.append(Array(bytes)) }
    return inquiry
  }
}
