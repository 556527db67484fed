extension HostMessage {
  /// The host's view of a plugin.
  @_spi(FrontEnd) public struct PluginStatus: Codable, Hashable, Sendable {
    /// The state of a plugin. The set is closed: later versions add no states.
    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
      /// The file exists, but is not checked yet.
      case found
      /// The host refused the file, for the given reason. It runs none of its code.
      case refused
      /// The host may load the file. Its contributions are not known yet.
      case verified
      /// The contributions are known, but the code is not loaded.
      case registered
      /// The host is loading the code.
      case loading
      /// The code is loaded.
      case active
      /// The load or the registration failed, for the given reason.
      case failed
      /// The plugin stopped the host too often, for the given reason. The host loads it again when the user asks for
      /// it.
      case quarantined
      /// The plugin is excluded, for the given reason.
      case disabled
    }

    /// The state of the plugin.
    public var state: State
    /// The plugin's id; nil if the host refused the file before it knew the id.
    public var id: PluginID?
    /// The plugin's version.
    public var version: String?
    /// The path of the library.
    public var file: String
    /// The contributions of an active plugin, such as `tab todos.list`, `coordinator todos.detail`.
    public var contributions: [String]
    /// The reason why the plugin is refused, failed, quarantined or disabled, and the fix; nil in other states.
    public var refusal: String?
    /// A word for the cause of a refusal, such as `other-abi`. `not-a-plugin` is a library that merely is in the
    /// folder.
    public var cause: String?
    /// The step that refused the plugin: `find`, `trust`, `file`, `contract`, `probe`, `plan`, `load`, `register`.
    public var step: String?

    /// Makes a status.
    public init(
      _ state: State, id: PluginID? = nil, version: String? = nil, file: String, contributions: [String] = [],
      refusal: String? = nil, cause: String? = nil, step: String? = nil
    ) {
      self.state = state
      self.id = id
      self.version = version
      self.file = file
      self.contributions = contributions
      self.refusal = refusal
      self.cause = cause
      self.step = step
    }
  }
}
