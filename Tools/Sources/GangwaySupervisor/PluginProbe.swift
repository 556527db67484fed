import GangwayHost
import GangwayProtocol
import Subprocess
import SystemPackage

extension HostMessage.PluginStatus {
  /// The plugin, or why there is none, in a line.
  public var line: String {
    if let refusal { return "\(file): \(refusal)" }
    return "\(id ?? "?") \(version ?? "?")  \(contributions.joined(separator: ", "))  \(file)"
  }
}

/// Plugins as JSON, with the version of the format.
public struct PluginListing: Codable, Sendable {
  var format = 1
  /// The plugins.
  public var plugins: [HostMessage.PluginStatus]
  /// Makes a listing.
  public init(plugins: [HostMessage.PluginStatus]) { self.plugins = plugins }
  /// The listing as a line of JSON.
  public func json() throws -> String { String(decoding: try Line.encode(self), as: UTF8.self) }
}

/// Asks a host, in processes that may die of it, what files are.
public struct PluginProbe: Sendable {
  /// The host's executable.
  public let host: String

  /// Uses a host.
  public init(host: String) { self.host = host }

  /// The files a host would find.
  public static func files(in folders: [String], host: String) -> [String] {
    HostFiles.find(in: folders, hostFolder: host.lastIndex(of: "/").map { String(host[..<$0]) } ?? ".")
  }

  /// Probes files; libraries that are no plugins are left out of the answer.
  ///
  /// A file that ends the host is refused, and the rest probed by another.
  public func run(_ files: [String]) async throws -> [HostMessage.PluginStatus] {
    var found: [HostMessage.PluginStatus] = []
    var rest = files[...]
    while !rest.isEmpty {
      let (statuses, announced) = try await probe(Array(rest))
      found += statuses.filter { $0.cause != "not-a-plugin" }
      rest = rest.dropFirst(statuses.count)
      guard let file = rest.first else { break }
      let reason = announced == file ? "it ends the process that loads it" : "the host ended before it was loaded"
      found.append(
        HostMessage.PluginStatus(
          file: file,
          refusal: "\(reason). Run `gangway-host --plugin \(file)` under a debugger to see where.",
          cause: Refusal.Code.crashed.rawValue))
      rest = rest.dropFirst()
    }
    return found.sorted { ($0.id ?? "~", $0.file) < ($1.id ?? "~", $1.file) }
  }

  private func probe(_ files: [String]) async throws -> ([HostMessage.PluginStatus], announced: String?) {
    let result: ExecutionResult<Void, BytesOutput, DiscardedOutput>
    do {
      result = try await Subprocess.run(
        .path(FilePath(host)), arguments: Arguments(["--probe"] + files),
        environment: .inherit.updating(["SWIFT_BACKTRACE": "enable=no"]), output: .bytes(limit: 64 << 20),
        error: .discarded)
    } catch {
      throw SupervisorFailure("The host '\(host)' cannot be run: \(error). Build it, or name another with --host.")
    }
    var splitter = LineSplitter()
    var statuses: [HostMessage.PluginStatus] = []
    var announced: String?
    for case .line(let bytes) in splitter.append(result.standardOutput) {
      switch try? Line.decode(HostMessage.self, from: bytes) {
      case .ready(let answer): statuses += answer
      case .loading(let file): announced = file
      default: break
      }
    }
    return (statuses, announced)
  }
}
