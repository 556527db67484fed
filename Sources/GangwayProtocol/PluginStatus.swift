extension HostMessage {
  /// A plugin as the host sees it.
  public struct PluginStatus: Codable, Hashable, Sendable {
    /// How far a plugin has come. The set is closed: there are no others.
    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
      /// There is a file, which nobody has looked into.
      case found
      /// It is not let in, for the reason given. None of its code runs in this host.
      case refused
      /// The file is one that may be loaded; what it contributes is not known.
      case verified
      /// What it contributes is known; its code is not here.
      case registered
      /// Its code is being loaded.
      case loading
      /// Its code is here.
      case active
      /// It could not be loaded, or did not register, for the reason given.
      case failed
      /// It stopped the host too often, for the reason given, and is loaded again when the person says so.
      case quarantined
      /// It is not to be loaded, for the reason given.
      case disabled
    }

    /// How far it has come.
    public var state: State
    /// The plugin's id; nil where the file was refused before it was known.
    public var id: String?
    /// The plugin's version.
    public var version: String?
    /// The library.
    public var file: String
    /// What it contributes, where it is active, as `tab todos.list`, `coordinator todos.detail`.
    public var contributions: [String]
    /// Why it is refused, failed, quarantined or disabled, and what to do; nil where it is not.
    public var refusal: String?
    /// A word for the cause of a refusal, such as `other-abi`; `not-a-plugin` is a library that merely lies there.
    public var cause: String?
    /// The step at which it was refused: `find`, `trust`, `file`, `contract`, `probe`, `plan`, `load`, `register`.
    public var step: String?

    /// Makes a status.
    public init(
      _ state: State, id: String? = nil, version: String? = nil, file: String, contributions: [String] = [],
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

    /// Reads a status; a host of protocol 1.1 says no state.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      id = try fields.decodeIfPresent(String.self, forKey: .id)
      version = try fields.decodeIfPresent(String.self, forKey: .version)
      file = try fields.decode(String.self, forKey: .file)
      contributions = try fields.decode([String].self, forKey: .contributions)
      refusal = try fields.decodeIfPresent(String.self, forKey: .refusal)
      cause = try fields.decodeIfPresent(String.self, forKey: .cause)
      step = try fields.decodeIfPresent(String.self, forKey: .step)
      state = try fields.decodeIfPresent(State.self, forKey: .state) ?? (refusal == nil ? .active : .refused)
    }
  }
}
