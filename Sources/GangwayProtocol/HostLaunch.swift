/// The settings with which a supervisor starts a host. The host gets them as JSON on its command line.
@_spi(FrontEnd) public struct HostLaunch: Codable, Hashable, Sendable {
  /// The resource limits of a process. Each is nil for no limit.
  public struct Limits: Codable, Hashable, Sendable {
    /// The address space, in megabytes.
    ///
    /// A host that exceeds the limit crashes at the allocation, so its report names the code responsible.
    public var memory: Int?
    /// The number of open files.
    public var files: Int?
    /// The number of processes and threads beyond the present ones, after which no other can start.
    ///
    /// The system exempts root from this limit.
    public var processes: Int?

    /// Sets limits.
    public init(memory: Int? = nil, files: Int? = nil, processes: Int? = nil) {
      (self.memory, self.files, self.processes) = (memory, files, processes)
    }
  }

  /// The plugins to load, by id or path; empty for all plugins found.
  public var plugins: [String] = []
  /// The reasons of plugins that are left out, by id or path.
  public var without: [String: String] = [:]
  /// The reasons of plugins that are shown as stopped until the user chooses Try again, by id or path.
  public var quarantined: [String: String] = [:]
  /// The folders that are searched for plugins first.
  public var folders: [String] = []
  /// The path of the lock, which lists the libraries that may load; nil to load any.
  public var lock: String?
  /// The path of the public keys that must have signed each library; nil to load unsigned ones.
  public var trustedKeys: String?
  /// The path of the host's configuration; nil for none.
  public var configuration: String?
  /// Whether plugins load only at the user's request.
  public var isSafe = false
  /// The plugins that load on first use, even in safe mode.
  public var allowed: Set<PluginID> = []
  /// The plugins that load at the start.
  public var loaded: [PluginID] = []
  /// Whether to ignore the results of earlier runs.
  public var rescans = false
  /// The longest time without progress for a probed file.
  public var probeDeadline: Duration = .seconds(10)
  /// The time limit for the code that a library runs while it loads.
  public var loadDeadline: Duration = .seconds(10)
  /// Whether to wait for a debugger before anything loads.
  public var waitsForDebugger = false
  /// The limits of the process.
  public var limits = Limits()
  /// The folder of the control group (cgroup v2) to join; nil for none.
  public var controlGroup: String?

  /// Creates settings with default values.
  public init() {}

  /// Leaves plugins out at the user's wish.
  ///
  /// - Parameter plugins: their ids or paths.
  public mutating func leaveOut(_ plugins: some Sequence<String>) {
    for plugin in plugins { without[plugin] = "it was left out with --without" }
  }

  /// The longest piece in bytes. The system accepts arguments of at most 128 KB.
  private static let longestArgument = 100_000

  /// The command line of a served host with these settings, after the program's name.
  ///
  /// The JSON text is cut into pieces that the system accepts.
  public var arguments: [String] {
    get throws {
      let bytes = try Line.encode(self).dropLast()
      var pieces: [String] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        // A piece must not end within a character.
        var end = min(rest.startIndex + Self.longestArgument, rest.endIndex)
        while end < rest.endIndex, rest[end] & 0xC0 == 0x80 { end -= 1 }
        pieces.append(String(decoding: rest[..<end], as: UTF8.self))
        rest = rest[end...]
      }
      return ["--serve", "--launch"] + pieces
    }
  }

  /// Reads the pieces after `--launch`.
  ///
  /// - Throws: ``HostMessage/Failure`` with the code `malformed`, which names the wrong field and the reason.
  package init(arguments pieces: some Sequence<String>) throws {
    self = try Line.decode(HostLaunch.self, from: Array(pieces.joined().utf8))
  }
}
