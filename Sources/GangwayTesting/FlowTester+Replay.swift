@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
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
  /// Each step waits for its element, which must have the recorded label and kind. Then it waits as long as the user
  /// did, at most 10 s, for work such as loading to end.
  ///
  /// A report contains no text from secure fields, so such a step leaves the field empty. It also contains no data that
  /// the features had on disk: pass it as `data`.
  ///
  /// ```swift
  /// let flow = try await FlowTester(replaying: "crashes/1795316855-919-1.log", plugins: [TodosPlugin.self])
  /// ```
  ///
  /// - Parameters:
  ///   - report: the path of a crash report, or of a file from `gangway run --record`.
  ///   - plugins: the features of the recording: at least those with a recorded action.
  ///   - stubs: replacements for missing features.
  ///   - placement: the tab bar and the first screen, as in the configuration of the recorded app.
  ///   - data: the data at the start, as for the other initializers.
  ///   - schemes: the schemes of the app's links, as in its configuration.
  ///   - origins: web addresses that belong to the app, such as `https://example.org/app`.
  ///   - ignoresCase: whether links are compared without case.
  /// - Throws: ``FlowFailure`` if the file has no recording, or the flow does not start. Also if a step is in a missing
  ///   feature, or its element is missing or another one. A step that the flow refuses was refused in the recording,
  ///   too, and is no failure. If the recording ended with a crash, and this flow goes on, standard error says so.
  public convenience init(
    replaying report: String, plugins: [any Plugin.Type], stubs: [Stub] = [], placement: Placement = Placement(),
    data: URL? = nil, schemes: [String] = ["gangway"], origins: [String] = [], ignoresCase: Bool = false,
    file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    let recording = try Self.recording(report, place)
    guard recording.failure != nil || recording.entries.contains(where: { $0.event != nil }) else {
      throw FlowFailure("The recording '\(report)' has no step, so there is nothing to replay.", at: place)
    }
    let given = Set(plugins.map { $0.pluginID }).union(stubs.map(\.plugin))
    // The tree at the first step. Without the missing features, it would begin differently, and its entries would have
    // other ids.
    var beginning = recording.header.checkpoint ?? Checkpoint()
    let changes = recording.entries.prefix { $0.event == nil && $0.restart == nil }.compactMap(\.change)
    for change in changes { beginning.fold(change) }
    let asksGuards = changes.isEmpty && recording.header.asksGuards ?? true
    let checkpoint = beginning.records.isEmpty ? nil : beginning
    let links = LinkSettings(schemes: schemes, origins: origins, ignoresCase: ignoresCase)
    try await self.init(plugins, stubs, links, checkpoint, place, asksGuards: asksGuards, data: data) { registry in
      registry.arrange(placement)
      return RootCoordinator(registry)
    }
    for (number, entry) in recording.entries.enumerated() {
      if entry.restart == true { try await restart(file: file, line: line) }
      guard let event = entry.event else { continue }
      if let plugin = event.node.flatMap({ session.checkpoint.records[$0]?.plugin }), !given.contains(plugin) {
        throw FlowFailure(
          "The step '\(entry.step ?? event.name)' belongs to the feature '\(plugin)', which the test does not have. "
            + "Pass it as a plugin, or pass a stub.", at: place)
      }
      try await awaitElement(of: entry, event, place)
      notices = []
      note(session.handle(Event(id: event.id, revision: presentation.revision, action: event.action)))
      await wait(as: recording.entries.dropFirst(number + 1).first { $0.event != nil || $0.failure != nil })
    }
    if let failure = recording.failure {
      let message = recording.entries.last?.message.map { " (\($0))" } ?? ""
      let words = "The replay of \(report) did not fail. The recording ended with: \(failure)\(message)\n"
      _ = ProcessIO.writeAll(Array(words.utf8), to: 2)
    }
  }

  /// Waits until a step's element is on the screen.
  private func awaitElement(of entry: Recording.Entry, _ event: Event, _ place: SourcePlace) async throws {
    guard let id = event.element, let node = event.node else { return }
    let step = entry.step ?? event.name
    let deadline = ContinuousClock.now + timeLimit
    while true {
      let screens = presentation.layers.flatMap(\.columns).filter { $0.node == node }
      if let element = screens.lazy.compactMap({ $0.elements.flattened.first { $0.id == id } }).first {
        guard let problem = Recording.mismatch(of: entry, with: element) else { return }
        throw FlowFailure("The step '\(step)' does not match the screen: \(problem).", at: place)
      }
      guard ContinuousClock.now < deadline else {
        throw FlowFailure(
          "The step '\(step)' cannot run: element #\(id) is not on the screen. The screen is:\n\(screen)", at: place)
      }
      _ = await session.idle(within: .milliseconds(20))
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Waits until the flow is idle, or as long as the user waited before the next step.
  private func wait(as next: Recording.Entry?) async {
    let pause = min(max(next?.pause ?? 0, 0.05), 10)
    let isEnd = next?.failure != nil
    // The crash may come from work that waits in silence, so twice the time is given to it.
    let deadline = ContinuousClock.now + .seconds(isEnd ? 2 * pause + 1 : pause)
    while session.isWorking || !session.isIdle, ContinuousClock.now < deadline {
      if !isEnd { _ = await session.idle(within: deadline - .now, quiet: quietLimit) }
      if !isEnd, session.isIdle { return }
      try? await Task.sleep(for: .milliseconds(2))
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
