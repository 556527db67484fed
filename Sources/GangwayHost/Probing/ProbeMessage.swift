import Gangway

/// What a probing host says of the files it was given, one JSON object a line.
enum ProbeMessage: Codable {
  /// The file is about to be loaded: should the process end now, it is to blame.
  case loading(file: String)
  /// It has been loaded, and its `register(in:)` is about to run.
  case registering(file: String, plugin: String)
  /// What it contributes, and whether its library needs Foundation.
  case accepted(file: String, PluginManifest, needsFoundation: Bool)
  /// Why it is refused.
  case refused(file: String, step: Refusal.Step, code: String, reason: String, advice: String)
}
