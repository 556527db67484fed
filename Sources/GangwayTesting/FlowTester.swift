import FoundationEssentials
import Gangway
import GangwayProtocol

/// Runs a flow in isolation: no host, no libraries, no front end.
///
/// Every step acts as a person would, by visible label or by `#id`, then waits until the session is idle; nothing
/// sleeps. A step that the flow refuses, or that fails, throws ``FlowFailure`` naming the step's file and line.
///
/// ```swift
/// let flow = try await FlowTester(TodosCoordinator(store: .inMemory()))
/// try await flow.tap("New")
/// ```
@MainActor public final class FlowTester<Root: Coordinator> {
  /// How long a step may keep the session busy before it fails.
  public var timeLimit: Duration = .seconds(10)
  /// What the person was told in the last step.
  public private(set) var notices: [Update.Notice] = []

  private let make: @MainActor () throws -> Root
  private let registry: Registry
  private let folder: URL
  var session: Session
  private var eventCount = 0

  /// Starts a flow at its first screen.
  ///
  /// - Parameters:
  ///   - make: makes the coordinator; evaluated again by ``restart(file:line:)``.
  ///   - plugins: other features, whose places the flow shows.
  /// - Throws: ``FlowFailure`` if the flow does not start, or a plugin does not register.
  public init(
    _ make: @autoclosure @escaping @MainActor () throws -> Root, plugins: [any Plugin.Type] = [],
    file: String = #fileID, line: Int = #line
  ) async throws {
    self.make = make
    let place = SourcePlace(file: file, line: line)
    registry = Registry()
    do {
      for plugin in plugins { try registry.register(plugin) }
    } catch {
      throw FlowFailure("A plugin was refused: \(error)", at: place)
    }
    folder = FileManager.default.temporaryDirectory.appending(
      path: "gangway-flow-\(UUID().uuidString)", directoryHint: .isDirectory)
    session = Self.makeSession(registry, folder, make)
    try await begin(nil, place)
  }

  isolated deinit {
    session.close()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: What is there

  /// The flow's coordinator.
  public var coordinator: Root? { session.rootCoordinator as? Root }

  /// What the person sees, as text: a line of tabs, the path, the elements of the top screen.
  public var screen: String { session.presentation.plainText }

  /// What the person sees.
  public var presentation: Presentation { session.presentation }

  /// The navigation tree, a node a line: style, title, route, coordinator, plugin.
  public var tree: String { session.tree.lines.joined(separator: "\n") }

  /// What the flow can be restored from now.
  public var checkpoint: Checkpoint { session.checkpoint }

  // MARK: Steps

  /// Presses a button, a link, or an answer of an alert.
  public func tap(_ label: String, file: String = #fileID, line: Int = #line) async throws {
    try await act(on: label, [.button, .link], SourcePlace(file: file, line: line)) { .tap($0) }
  }

  /// Replaces the text of a field.
  public func type(_ text: String, into label: String, file: String = #fileID, line: Int = #line) async throws {
    try await act(on: label, [.field], SourcePlace(file: file, line: line)) { .edit($0, text: text) }
  }

  /// Turns a toggle over.
  public func toggle(_ label: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let isOn = try find(label, [.toggle], place).value == "on"
    try await act(on: label, [.toggle], place) { .toggle($0, isOn: !isOn) }
  }

  /// Chooses an option of a picker, by its title.
  public func choose(_ option: String, in label: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let picker = try find(label, [.picker], place)
    guard let chosen = picker.options.first(where: { $0.title == option }) else {
      let titles = picker.options.map { "'\($0.title)'" }.joined(separator: ", ")
      throw FlowFailure("'\(label)' has no option '\(option)'. It has \(titles).", at: place)
    }
    try await act(on: label, [.picker], place) { .choose($0, option: chosen.id) }
  }

  /// Presses a cell of a grid; row and column count from 0.
  public func tapCell(
    row: Int, column: Int, in label: String? = nil, file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    let grids = presentation.reachable.filter { $0.kind == .grid }
    guard let name = label ?? grids.first.map({ "#\($0.id)" }) else {
      throw FlowFailure("There is no grid on the screen:\n\(screen)", at: place)
    }
    try await act(on: name, [.grid], place) { .cell($0, row: row, column: column) }
  }

  /// Goes one step back.
  public func back(file: String = #fileID, line: Int = #line) async throws {
    try await perform(.back, SourcePlace(file: file, line: line))
  }

  /// Waves the topmost modal away.
  public func dismiss(file: String = #fileID, line: Int = #line) async throws {
    try await perform(.dismiss, SourcePlace(file: file, line: line))
  }

  /// Taps a tab, by its title.
  public func tab(_ title: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let tabs = presentation.tabBars.flatMap { $0 }
    guard let tab = tabs.last(where: { $0.title == title }) else {
      let titles = tabs.map { "'\($0.title)'" }.joined(separator: ", ")
      throw FlowFailure("There is no tab '\(title)'. Tabs: \(titles.isEmpty ? "none" : titles).", at: place)
    }
    try await perform(.tab(tab.node), place)
  }

  /// Sends an event as a front end would, to what may no longer be there.
  public func send(_ action: Event.Action, file: String = #fileID, line: Int = #line) async throws {
    try await perform(action, SourcePlace(file: file, line: line))
  }

  /// Lets a test's clock go on, one sleeper after the other, and waits after each until the flow is idle.
  public func advance(
    _ clock: TestClock, by duration: Duration, file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    let target = clock.now.advanced(by: duration)
    while clock.wakeNext(until: target) { try await settle(place) }
    clock.set(target)
    try await settle(place)
  }

  /// Waits until nothing is on its way, as after a double of the test's own was resumed.
  public func settle(file: String = #fileID, line: Int = #line) async throws {
    try await settle(SourcePlace(file: file, line: line))
  }

  /// Ends the flow as a crash would, and restores a new one from what was stored.
  ///
  /// What was only in memory is gone: `await`ed results, `onDismiss` closures, state that is not `Codable`.
  public func restart(file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let stored: Checkpoint
    do {
      let text = try Line.encode(session.checkpoint)
      stored = try Line.decode(Checkpoint.self, from: text)
    } catch {
      throw FlowFailure("The flow cannot be stored: \(error)", at: place)
    }
    session.onUpdate = { _ in }
    session.abandon()
    session = Self.makeSession(registry, folder, make)
    try await begin(stored, place)
  }

  // MARK: Inside

  private static func makeSession(
    _ registry: Registry, _ folder: URL, _ make: @escaping @MainActor () throws -> Root
  ) -> Session {
    let folders = PluginFolders(
      data: folder.appending(path: "data"), cache: folder.appending(path: "cache"), log: { _ in })
    return Session(registry: registry, folders: folders) { _ in try make() }
  }

  private func begin(_ checkpoint: Checkpoint?, _ place: SourcePlace) async throws {
    notices = []
    session.onUpdate = { [weak self] in self?.notices += $0.notices }
    do {
      notices = try session.start(from: checkpoint).notices
    } catch {
      throw FlowFailure("The flow cannot be restored: \(error)", at: place)
    }
    try await settle(place)
    try checkNotices(place)
  }

  private func find(_ label: String, _ kinds: Set<Element.Kind>, _ place: SourcePlace) throws -> Element {
    do {
      return try ElementLookup(label, kinds: kinds).find(in: presentation)
    } catch {
      throw FlowFailure("\(error)", at: place)
    }
  }

  private func act(
    on label: String, _ kinds: Set<Element.Kind>, _ place: SourcePlace,
    _ action: (Event.ElementReference) -> Event.Action
  ) async throws {
    let element = try find(label, kinds, place)
    guard let node = presentation.top?.node else { return }
    try await perform(action(Event.ElementReference(node: node, element: element.id)), place)
  }

  private func perform(_ action: Event.Action, _ place: SourcePlace) async throws {
    eventCount += 1
    notices = []
    let update = session.handle(Event(id: eventCount, revision: presentation.revision, action: action))
    notices += update.notices
    try await settle(place)
    try checkNotices(place)
  }

  private func settle(_ place: SourcePlace) async throws {
    guard await session.idle(within: timeLimit) else {
      throw FlowFailure(
        "Work that the flow started did not end within \(timeLimit): \(session.pending.count) pending. Give it a "
          + "TestClock or a double that the test controls.", at: place)
    }
  }

  private func checkNotices(_ place: SourcePlace) throws {
    let problems = notices.filter { $0.kind != .information }.map(\.text)
    guard problems.isEmpty else {
      throw FlowFailure(problems.joined(separator: "\n") + "\nOn the screen:\n" + screen, at: place)
    }
  }
}

extension FlowTester where Root: StackCoordinator {
  /// The routes of the flow's stack, from its root; places of other features are left out.
  public var path: [Root.Route] { coordinator?.router.path ?? [] }
}

extension FlowTester where Root: TabCoordinator {
  /// The tab that is shown.
  public var selection: Root.Tab? { coordinator?.router.selection }
}
