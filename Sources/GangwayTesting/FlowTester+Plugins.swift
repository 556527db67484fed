@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FlowTester where Root == RootCoordinator {
  /// Starts the application of several plugins: their tabs, links, guards and places together.
  ///
  /// - Parameters:
  ///   - plugins: the features.
  ///   - stubs: replacements for missing features.
  ///   - placement: the tab bar and the first screen, as in the app's configuration.
  ///   - data: the features' data at the start: a folder with one folder for each plugin, named for its id.
  ///   - schemes: the schemes of the app's links, as in its configuration. URLs that the app creates have the first.
  ///   - origins: web addresses that belong to the app, such as `https://example.org/app`.
  ///   - ignoresCase: whether links are compared without case.
  /// - Throws: ``FlowFailure`` if the flow does not start, a plugin does not register, the data cannot be copied, or an
  ///   origin is not a web address.
  public convenience init(
    plugins: [any Plugin.Type], stubs: [Stub] = [], placement: Placement = Placement(), data: URL? = nil,
    schemes: [String] = ["gangway"], origins: [String] = [], ignoresCase: Bool = false, file: String = #fileID,
    line: Int = #line
  ) async throws {
    let links = LinkSettings(schemes: schemes, origins: origins, ignoresCase: ignoresCase)
    try await self.init(plugins, stubs, links, nil, SourcePlace(file: file, line: line), data: data) { registry in
      registry.arrange(placement)
      return RootCoordinator(registry)
    }
  }

  /// Returns the folder that a plugin gets as `dataFolder`, to read what the plugin stored.
  ///
  /// - Parameter plugin: the plugin's id.
  public func dataFolder(of plugin: PluginID) -> URL {
    folder.appending(path: "data").appending(path: plugin.rawValue, directoryHint: .isDirectory)
  }
}
