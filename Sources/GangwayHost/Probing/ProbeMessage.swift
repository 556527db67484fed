@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import Gangway

/// A message from a probing host about one of its files, one JSON object on a line.
enum ProbeMessage: Codable {
  /// The file loads next. If the process ends now, the file is the cause.
  case loading(file: String)
  /// The file is loaded, and its `register(in:)` runs next.
  case registering(file: String, plugin: PluginID)
  /// The contributions, and whether the library needs Foundation.
  case accepted(file: String, PluginManifest, needsFoundation: Bool)
  /// The refusal of the file.
  case refused(file: String, step: Refusal.Step, code: Refusal.Code, reason: String, advice: String)
}
