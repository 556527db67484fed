@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
/// A test driver that runs a flow in isolation: no host, no libraries, no front end.
///
/// Every step acts as a user would, by visible label or by `#id`. Then it waits until the session is idle, without
/// sleeping. A step that the flow refuses, or that fails, throws ``FlowFailure`` with the step's file and line.
///
/// ```swift
/// let flow = try await FlowTester(TodosCoordinator(store: .inMemory()))
/// try await flow.tap("New")
/// ```
@MainActor public final class FlowTester<Root: Coordinator> {
  /// The longest time that a step may keep the session busy before it fails.
  public var timeLimit: Duration = .seconds(10)
  /// The time without visible effects after which a screen's `.task` counts as waiting, as one that observes does.
  ///
  /// Steps do not wait for such a task. They wait for work of a tap, however long it does nothing.
  public var quietLimit: Duration = .milliseconds(300)
  /// Whether a step fails if a coordinator stays in memory after its flow has ended.
  public var checksLeaks = true
  /// Whether a step fails if the stored state would not restore the same flow.
  ///
  /// The check creates a second coordinator.
  public var checksRestoration = true
  /// The notifications of the last step.
  public internal(set) var notices: [Update.Notice] = [] {
    didSet { if notices.count < checkedNotices { checkedNotices = 0 } }
  }
  /// The number of notifications of the last step that were checked already.
  private var checkedNotices = 0
  /// The last step's transition of the top screen; nil if there was none.
  public private(set) var transition: Update.Transition?
  /// The value that the flow finished with; nil before. The flow stays on the screen.
  ///
  /// So a flow with a result is tested alone: `#expect(flow.result == "Ann")`. Cancelling the root throws `noParent`,
  /// as in an app.
  public private(set) var result: Root.Output?
  /// The last 50 notifications of all steps.
  package private(set) var told = NoticeList()

  /// Called with every change that does not answer an event, for scripts.
  var didUpdate: (Update) -> Void = { _ in }
  let make: @MainActor (Registry) throws -> Root
  let registry: Registry
  let folder: URL
  let log = StubLog()
  var session: Session
  private var lastEvent: EventID = 0

  /// Starts a flow at its first screen.
  ///
  /// - Parameters:
  ///   - make: creates the coordinator. It runs again in ``restart(file:line:)`` and after each step, to check that the
  ///     flow can be restored.
  ///   - checkpoint: the state to restore, such as one from an earlier version for a test of its migrations. Without
  ///     one, the flow begins at its first screen.
  ///   - plugins: other features, whose places the flow shows.
  ///   - stubs: replacements for missing features.
  ///   - data: the features' data at the start: a folder with one folder for each plugin, named for its id. The test
  ///     works on a copy, as `dataFolder` of the plugin's context.
  ///   - schemes: the schemes of the app's links, as in its configuration. URLs that the app creates have the first.
  ///   - origins: web addresses that belong to the app, such as `https://example.org/app`.
  ///   - ignoresCase: whether links are compared without case.
  /// - Throws: ``FlowFailure`` if the flow does not start, a plugin does not register, the data cannot be copied, or an
  ///   origin is not a web address.
  public convenience init(
    _ make: @autoclosure @escaping @MainActor () throws -> Root, restoring checkpoint: Checkpoint? = nil,
    plugins: [any Plugin.Type] = [], stubs: [Stub] = [], data: URL? = nil, schemes: [String] = ["gangway"],
    origins: [String] = [], ignoresCase: Bool = false, file: String = #fileID, line: Int = #line
  ) async throws {
    let links = LinkSettings(schemes: schemes, origins: origins, ignoresCase: ignoresCase)
    let place = SourcePlace(file: file, line: line)
    try await self.init(plugins, stubs, links, checkpoint, place, data: data) { _ in try make() }
  }

  init(
    _ plugins: [any Plugin.Type], _ stubs: [Stub], _ links: LinkSettings, _ checkpoint: Checkpoint?,
    _ place: SourcePlace, asksGuards: Bool = false, data: URL? = nil,
    make: @escaping @MainActor (Registry) throws -> Root
  ) async throws {
    self.make = make
    registry = Registry()
    // Plugins compare their links as they register.
    try links.apply(to: registry.links, place)
    do {
      for plugin in plugins { try registry.register(plugin) }
    } catch {
      throw FlowFailure("A plugin was refused: \(error)", at: place)
    }
    for stub in stubs { stub.install(StubDraft(registry, plugin: stub.plugin), log) }
    folder = FileManager.default.temporaryDirectory.appending(
      path: "gangway-flow-\(UUID().uuidString)", directoryHint: .isDirectory)
    if let data { try Self.copy(data, to: folder, place) }
    session = Self.makeSession(registry, folder, make)
    try await begin(checkpoint, place, asksGuards: asksGuards)
  }

  private static func copy(_ data: URL, to folder: URL, _ place: SourcePlace) throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try DataCopy.make(of: data.path, at: folder.appending(path: "data").path)
    } catch {
      throw FlowFailure("The data in '\(data.path)' could not be copied: \(error)", at: place)
    }
  }

  isolated deinit {
    session.close()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: State

  /// The flow's coordinator.
  public var coordinator: Root? { session.rootCoordinator as? Root }

  /// Returns the router of the newest coordinator of a type that is still shown; nil if there is none.
  public func router<C: Coordinator>(of type: C.Type) -> Router<C>? { session.router(of: type) }

  /// The visible screen as text: a line of tabs, the path, the elements of the top screen.
  public var screen: String { session.presentation.plainText }

  /// The screens that are visible beside each other if there is room, as text, from the left.
  public var panes: [String] {
    (presentation.top?.columns ?? []).map { $0.elements.flatMap(\.plainLines).joined(separator: "\n") }
  }

  /// The visible presentation.
  public var presentation: Presentation { session.presentation }

  /// The navigation tree, one node a line: style, title, route, coordinator, plugin.
  public var tree: String { session.tree.lines.joined(separator: "\n") }

  /// The state that the flow can be restored from now.
  public var checkpoint: Checkpoint { session.checkpoint }

  /// The registry, with the plugins' contributions and the stubs.
  package var contributions: Registry { registry }

  /// The commits of the flow, the newest last.
  public var history: [HistoryEntry] { session.history }

  /// The URL of the flow's present place; nil if no link opens it.
  public var url: String? { session.url }

  /// The places of stubs that the flow showed, in order.
  public var navigations: [RecordedNavigation] { log.navigations }

  /// The operations of stubs that the flow called, in order.
  public var calls: [RecordedCall] { log.calls }

  // MARK: Steps

  /// Replaces the text of a field, a number or a date; a date is `2026-11-22`, `09:30` or `2026-11-22T09:30`.
  public func type(_ text: String, into label: String, file: String = #fileID, line: Int = #line) async throws {
    try await act(on: label, .acting(by: .edit), SourcePlace(file: file, line: line)) { .edit($0, text: text) }
  }

  /// Flips a toggle.
  public func toggle(_ label: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let isOn = try find(label, .acting(by: .toggle), place).element.value == "on"
    try await act(on: label, .acting(by: .toggle), place) { .toggle($0, isOn: !isOn) }
  }

  /// Chooses an option of a picker, or a pane of tabs, by its title.
  public func choose(_ option: String, in label: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let picker = try find(label, .acting(by: .choose), place).element
    guard let chosen = picker.options.first(where: { $0.title == option }) else {
      let titles = picker.options.map { "'\($0.title)'" }.joined(separator: ", ")
      throw FlowFailure("'\(label)' has no option '\(option)'. It has \(titles).", at: place)
    }
    try await act(on: label, .acting(by: .choose), place) { .choose($0, option: chosen.id) }
  }

  /// Presses a cell of a grid; row and column count from 0.
  public func tapCell(
    row: Int, column: Int, in label: String? = nil, file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    guard
      let (node, grid) = try label.map({ try find($0, [.grid], place) })
        ?? presentation.first(where: { $0.kind == .grid })
    else { throw FlowFailure("There is no grid on the screen:\n\(screen)", at: place) }
    try await perform(.cell(.init(node: node, element: grid.id), row: row, column: column), place)
  }

  /// Goes one step back.
  public func back(file: String = #fileID, line: Int = #line) async throws {
    try await perform(.back, SourcePlace(file: file, line: line))
  }

  /// Dismisses the topmost modal.
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

  /// Opens a URL.
  public func open(_ url: String, file: String = #fileID, line: Int = #line) async throws {
    try await perform(.open(url), SourcePlace(file: file, line: line))
  }

  /// Undoes the last commit.
  public func undo(file: String = #fileID, line: Int = #line) async throws {
    try await perform(.undo, SourcePlace(file: file, line: line))
  }

  /// Runs the undo action of a notification, as a front end offers it beside the message.
  ///
  /// - Parameter message: the text of the notification; of several, the newest is used.
  /// - Throws: ``FlowFailure`` if there is no such notification that can be undone.
  public func undo(_ message: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    guard let id = told.undoable(message)?.undo else {
      let others = told.notices.filter { $0.undo != nil }.map { "'\($0.text)'" }.joined(separator: ", ")
      throw FlowFailure(
        "No notification '\(message)' has an undo action. Notifications with an undo action: "
          + "\(others.isEmpty ? "none" : others).", at: place)
    }
    told.noteUndone(id)
    try await perform(.undoNotice(id), place)
  }

  /// Redoes the last undone commit.
  public func redo(file: String = #fileID, line: Int = #line) async throws {
    try await perform(.redo, SourcePlace(file: file, line: line))
  }

  /// Sends an event as a front end would, even to an element that no longer exists.
  @_spi(FrontEnd) public func send(_ action: Event.Action, file: String = #fileID, line: Int = #line) async throws {
    try await perform(action, SourcePlace(file: file, line: line))
  }

  /// Ends the flow as a crash would, and restores a new one from the stored state.
  ///
  /// Values in memory are lost: `await`ed results, `onDismiss` closures, state that is not `Codable`, and the values of
  /// services, also of those with `scope: .host`.
  public func restart(file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let stored: Checkpoint
    do {
      let text = try Line.encode(session.checkpoint)
      stored = try Line.decode(Checkpoint.self, from: text)
    } catch {
      throw FlowFailure("The flow could not be stored: \(error)", at: place)
    }
    endHost()
    try await begin(stored, place)
  }

  /// Ends the flow and starts it again from the stored state as from a file, so guards run for its entries.
  public func reopen(file: String = #fileID, line: Int = #line) async throws {
    let stored = session.checkpoint
    endHost()
    try await begin(stored, SourcePlace(file: file, line: line), asksGuards: true)
  }

  // MARK: Implementation

  /// Ends the session and the services as the end of the host would, and makes a new session.
  private func endHost() {
    session.onUpdate = { _ in }
    session.abandon()
    registry.endHostServices()
    session = Self.makeSession(registry, folder, make)
  }

  private static func makeSession(
    _ registry: Registry, _ folder: URL, _ make: @escaping @MainActor (Registry) throws -> Root
  ) -> Session {
    let folders = PluginFolders(
      data: folder.appending(path: "data"), cache: folder.appending(path: "cache"), log: { _ in })
    let session = Session(registry: registry, folders: folders) { try make($0) }
    session.trackDepartures()
    return session
  }

  private func begin(_ checkpoint: Checkpoint?, _ place: SourcePlace, asksGuards: Bool = false) async throws {
    (notices, transition, result) = ([], nil, nil)
    session.followResult { [weak self] in self?.result = $0 as? Root.Output }
    session.onUpdate = { [weak self] in
      self?.note($0)
      self?.didUpdate($0)
    }
    do {
      note(try session.start(from: checkpoint, asksGuards: asksGuards))
    } catch {
      throw FlowFailure("The flow could not be restored: \(error)", at: place)
    }
    try await settle(place)
    try checkNotices(place)
  }

  /// Creates a second session for a comparison, in which no screen's work runs.
  func twin() -> Session {
    let twin = Self.makeSession(registry, folder, make)
    twin.runsTasks = false
    return twin
  }

  /// Returns an element of the screen on top or, if that has no such element, of the screens beside it.
  func find(
    _ label: String, _ kinds: Set<Element.Kind>, _ place: SourcePlace
  ) throws -> (node: NodeID, element: Element) {
    do {
      let match = try presentation.search { try ElementLookup(label, kinds: kinds).find(in: $0) }
      return (match.node, match.found)
    } catch {
      throw FlowFailure("\(error)", at: place)
    }
  }

  func act(
    on label: String, _ kinds: Set<Element.Kind>, _ place: SourcePlace,
    _ action: (Event.ElementReference) -> Event.Action
  ) async throws {
    let (node, element) = try find(label, kinds, place)
    try await perform(action(Event.ElementReference(node: node, element: element.id)), place)
  }

  func perform(_ action: Event.Action, _ place: SourcePlace, isReleased: Bool = false) async throws {
    lastEvent += 1
    (notices, transition) = ([], nil)
    let update = session.handle(Event(id: lastEvent, revision: presentation.revision, action: action))
    note(update)
    if isReleased { await session.release() }
    try await settle(place)
    try await check(place)
    if let reason = presentation.refusal(of: action) {
      throw FlowFailure("The form was not submitted: \(reason)\nOn the screen:\n\(screen)", at: place)
    }
  }

  func note(_ update: Update) {
    notices += update.notices
    transition = update.transition ?? transition
    told.add(update.notices)
  }

  func settle(_ place: SourcePlace) async throws {
    guard await session.idle(within: timeLimit, quiet: quietLimit) else {
      throw FlowFailure(
        "The flow started work that did not end within \(timeLimit). Unfinished tasks: \(session.pending.count). Use a "
          + "TestClock, or a stub that the test controls. If the work may continue, press its button with start(_:).",
        at: place)
    }
  }

  func checkNotices(_ place: SourcePlace) throws {
    // A refusal of an earlier step, whose guard the user has answered now, is the outcome of that step.
    let unchecked = notices[checkedNotices...]
    checkedNotices = notices.count
    let problems = unchecked.filter { $0.kind != .information && $0.isLate != true }.map(\.developerText)
    guard problems.isEmpty else {
      throw FlowFailure(problems.joined(separator: "\n") + "\nOn the screen:\n" + screen, at: place)
    }
  }
}

extension FlowTester where Root: StackCoordinator {
  /// The routes of the flow's stack, from its root, without places of other features.
  public var path: [Root.Route] { coordinator?.router.path ?? [] }
}

extension FlowTester where Root: TabCoordinator {
  /// The selected tab.
  public var selection: Root.Tab? { coordinator?.router.selection }
}
