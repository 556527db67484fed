@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Replay of a user's actions before a crash, in the feature's own test.
extension FlowTester where Root == RootCoordinator {
  /// Starts the application at the beginning of a crash report's recording, and replays all recorded actions.
  ///
  /// The last step is included, so a debugger stops where the host crashed. After the bug is fixed, the flow reaches
  /// the screen after that step.
  ///
  /// A report contains no text from secure fields, so such a step leaves the field empty. It also contains no data that
  /// the features had on disk.
  ///
  /// ```swift
  /// let flow = try await FlowTester(replaying: "crashes/1795316855-919-1.log", plugins: [TodosPlugin.self])
  /// ```
  ///
  /// - Parameters:
  ///   - report: the path of a crash report, or of a file from `gangway run --record`.
  ///   - plugins: the features of the recording: at least those with a recorded action.
  ///   - stubs: replacements for missing features.
  ///   - placement: the tab bar and the first screen, as in the app's configuration.
  ///   - schemes: the schemes of the app's links, as in its configuration.
  ///   - origins: web addresses that belong to the app, such as `https://example.org/app`.
  ///   - ignoresCase: whether links are compared without case.
  /// - Throws: ``FlowFailure`` if the file has no recording, if a step is in a missing feature, or if the flow does not
  ///   start. Steps that the flow refuses are no failures, because they were refused in the recording, too.
  public convenience init(
    replaying report: String, plugins: [any Plugin.Type], stubs: [Stub] = [], placement: Placement = Placement(),
    schemes: [String] = ["gangway"], origins: [String] = [], ignoresCase: Bool = false, file: String = #fileID,
    line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    let recording = try Self.recording(report, place)
    let given = Set(plugins.map { $0.pluginID }).union(stubs.map(\.plugin))
    // The tree at the first step. Without the missing features, it would begin differently, and its entries would have
    // other ids.
    var beginning = recording.header.checkpoint ?? Checkpoint()
    let changes = recording.entries.prefix { $0.event == nil && $0.restart == nil }.compactMap(\.change)
    for change in changes { beginning.fold(change) }
    let asksGuards = changes.isEmpty && recording.header.asksGuards ?? true
    let checkpoint = beginning.records.isEmpty ? nil : beginning
    let links = LinkSettings(schemes: schemes, origins: origins, ignoresCase: ignoresCase)
    try await self.init(plugins, stubs, links, checkpoint, place, asksGuards: asksGuards) { registry in
      registry.arrange(placement)
      return RootCoordinator(registry)
    }
    for entry in recording.entries {
      if entry.restart == true { try await restart(file: file, line: line) }
      guard let event = entry.event else { continue }
      if let plugin = event.node.flatMap({ session.checkpoint.records[$0]?.plugin }), !given.contains(plugin) {
        throw FlowFailure(
          "The step '\(entry.step ?? event.name)' belongs to the feature '\(plugin)', which the test does not have. "
            + "Pass it as a plugin, or pass a stub.", at: place)
      }
      notices = []
      note(session.handle(Event(id: event.id, revision: presentation.revision, action: event.action)))
      try await settle(place)
    }
  }

  private static func recording(_ path: String, _ place: SourcePlace) throws -> Recording {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw FlowFailure("The report '\(path)' could not be read.", at: place)
    }
    do {
      return try Recording(bytes)
    } catch {
      throw FlowFailure("'\(path)' \(error).", at: place)
    }
  }
}
