import Gangway
import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a person did until a feature crashed, in the feature's own test.
extension FlowTester where Root == RootCoordinator {
  /// Starts the application that plugins make where the recording in a crash report begins, and does again what was done
  /// then, the last step included: a debugger stops where the host crashed. When the fault is mended, the flow is at the
  /// screen that comes after it.
  ///
  /// Text that was typed into secure fields is not in a report; such a step leaves the field empty. Data that the features
  /// had on disk is not in it either.
  ///
  /// ```swift
  /// let flow = try await FlowTester(replaying: "crashes/1795316855-919-1.log", plugins: [TodosPlugin.self])
  /// ```
  ///
  /// - Parameters:
  ///   - report: the path of a crash report, or of what `gangway run --record` wrote.
  ///   - plugins: the features that were there: at least those in which something was done.
  ///   - stubs: what stands for features that are not there.
  /// - Throws: ``FlowFailure`` if the file has no recording in it, a step is in a feature that is not given, or the flow does
  ///   not start. Steps that the flow refuses are no failures: they were refused then, too.
  public convenience init(
    replaying report: String, plugins: [any Plugin.Type], stubs: [Stub] = [], placement: Placement = Placement(),
    file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    let recording = try Self.recording(report, place)
    let given = Set(plugins.map { $0.id }).union(stubs.map(\.plugin))
    // The tree as it was at the first step: without the features that are not given it would begin otherwise, and its
    // entries would have other numbers.
    var beginning = recording.header.checkpoint ?? Checkpoint()
    let changes = recording.entries.prefix { $0.event == nil && $0.restart == nil }.compactMap(\.change)
    for change in changes { beginning.fold(change) }
    let asksGuards = changes.isEmpty && recording.header.asksGuards ?? true
    let checkpoint = beginning.records.isEmpty ? nil : beginning
    try await self.init(plugins, stubs, checkpoint, place, asksGuards: asksGuards) { registry in
      registry.arrange(placement)
      return RootCoordinator(registry)
    }
    for entry in recording.entries {
      if entry.restart == true { try await restart(file: file, line: line) }
      guard let event = entry.event else { continue }
      if let plugin = event.node.flatMap({ session.checkpoint.records[$0]?.plugin }), !given.contains(plugin) {
        throw FlowFailure(
          "The step '\(entry.step ?? event.name)' is in the feature '\(plugin)', which is not given. Give it as a plugin, or "
            + "a stub in its place.", at: place)
      }
      notices = []
      note(session.handle(Event(id: event.id, revision: presentation.revision, action: event.action)))
      try await settle(place)
    }
  }

  private static func recording(_ path: String, _ place: SourcePlace) throws -> Recording {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw FlowFailure("The report '\(path)' cannot be read.", at: place)
    }
    do {
      return try Recording(bytes)
    } catch {
      throw FlowFailure("'\(path)' \(error).", at: place)
    }
  }
}
