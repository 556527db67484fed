@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Subprocess
import Synchronization
import SystemPackage

/// The answer of a separate host, and its exit status.
struct HostInquiry {
  /// The lines that the host wrote, without their newlines.
  var lines: [[UInt8]] = []
  var ending: TerminationStatus
  /// The message of the fatal error that ended the host; nil if there is none.
  var fatalError: String?
}

/// The time of a host's last output, or of its start.
private final class LastOutput: Sendable {
  let time = Mutex(ContinuousClock.now)
}

extension PluginOptions {
  /// Asks a separate host, which may crash or hang because of the plugins that it loads.
  ///
  /// - Parameters:
  ///   - arguments: the host's arguments, to which the plugin folders are added.
  ///   - silence: the longest time without output, after which the host is ended. A host that works through a long list
  ///     says what it does.
  ///   - bytes: the most output in bytes.
  /// - Throws: an error if the host cannot be started or writes more than `bytes`.
  func inquire(_ arguments: [String], silence: Duration, bytes: Int = 64 << 20) async throws -> HostInquiry {
    let processes = await FeatureProcesses(host: executable)
    let membership = await processes.addHost()
    let arguments = arguments + hostArguments + membership.arguments
    var variables: [Environment.Key: String?] = ["SWIFT_BACKTRACE": "enable=no"]
    for (name, value) in membership.environment { variables[Environment.Key(stringLiteral: name)] = value }
    let environment = Environment.inherit.updating(variables)
    let (errorsOut, errorsIn) = try FileDescriptor.pipe()
    let errors = HostErrors(errorsOut.rawValue)
    let lastOutput = LastOutput()
    let process = Task { [executable] in
      try await Subprocess.run(
        .path(FilePath(executable)), arguments: Arguments(arguments), environment: environment, input: .none,
        output: .sequence, error: .fileDescriptor(errorsIn, closeAfterSpawningProcess: true)
      ) { host in
        var output: [UInt8] = []
        for try await piece in host.standardOutput {
          lastOutput.time.withLock { $0 = .now }
          piece.withUnsafeBytes { output += $0 }
          guard output.count <= bytes else { throw SupervisorFailure(Words.Plugins.tooMuchOutput(bytes)) }
        }
        return output
      }
    }
    let clock = Task {
      while true {
        let left = silence - (ContinuousClock.now - lastOutput.time.withLock(\.self))
        guard left > .zero else { break }
        try await Task.sleep(for: left)
      }
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
    for case .line(let bytes) in splitter.append(result.closureResult) { inquiry.lines.append(Array(bytes)) }
    return inquiry
  }
}
