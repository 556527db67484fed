@_spi(FrontEnd) import GangwayProtocol

extension HostMessage.PluginStatus {
  /// The plugin's file, followed by the reason if the plugin was refused.
  @_spi(FrontEnd) public var line: String { refusal.map { "\(file): \($0)" } ?? file }
}

/// A list of plugins as JSON, with the version of the format.
@_spi(FrontEnd) public struct PluginListing: Codable, Sendable {
  var format = 1
  /// The listed plugins.
  public var plugins: [HostMessage.PluginStatus]
  /// Creates a listing.
  public init(plugins: [HostMessage.PluginStatus]) { self.plugins = plugins }
  /// Returns the listing as a line of JSON.
  public func json() throws -> String { String(decoding: try Line.encode(self), as: UTF8.self) }
}
