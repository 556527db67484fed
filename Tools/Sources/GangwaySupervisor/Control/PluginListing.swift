import GangwayProtocol

extension HostMessage.PluginStatus {
  /// The plugin's file, and why it is refused where it is.
  public var line: String { refusal.map { "\(file): \($0)" } ?? file }
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
