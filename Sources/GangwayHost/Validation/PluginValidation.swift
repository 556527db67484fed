import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A simulated use of a plugin, in a process that may crash: `gangway-host --validate FILE`.
@MainActor final class PluginValidation {
  private let plugin: PluginID
  private let catalog: PluginCatalog
  private let folders: PluginFolders
  private let send: (ValidationMessage) -> Void
  /// The problems of the current check.
  private var findings: [String] = []
  /// The session's failure notices since the last check: mistakes of screens, and failed work.
  private var failures: [Update.Notice] = []
  /// The elements that change by themselves in the session of the walk.
  private var live = LiveElements()
  /// Links whose guard asked the user or redirected first.
  private var questions: [String] = []

  /// Runs all checks of a plugin and sends each result.
  static func run(_ file: String, _ options: HostOptions, _ console: Console) async -> Int32 {
    func send(_ message: ValidationMessage) {
      if let line = try? Line.encode(message) { _ = console.write(line) }
    }
    func prepared(with others: [String]) async throws -> PluginCatalog {
      var options = options
      options.launch.plugins = [file] + others
      let catalog = PluginCatalog(options)
      try await catalog.prepare()
      return catalog
    }
    let catalog: PluginCatalog
    do {
      let alone = try await prepared(with: [])
      let others = companions(of: file, alone, options)
      catalog = others.isEmpty ? alone : try await prepared(with: others)
    } catch {
      send(.check(.init("loads", isFine: false, "\(error)")))
      return 1
    }
    guard let plugin = catalog.statuses.first(where: { $0.file == file }), let id = plugin.id else {
      send(.check(.init("loads", isFine: false, catalog.warnings.joined(separator: " "))))
      return 1
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "gangway-validate-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let folders = PluginFolders(
      data: folder.appending(path: "data"), cache: folder.appending(path: "cache"), log: { _ in })
    await PluginValidation(id, catalog, folders, send).run(seed: options.seed, steps: options.steps)
    return 0
  }

  /// Returns the installed files of the plugins that a plugin uses.
  private static func companions(of file: String, _ catalog: PluginCatalog, _ options: HostOptions) -> [String] {
    guard let id = catalog.statuses.first(where: { $0.file == file })?.id, let manifest = catalog.member(id)?.manifest
    else { return [] }
    let search = PluginSearch(
      folders: options.launch.folders, environment: options.searchPath, hostFolder: ProcessIO.executableFolder)
    return manifest.usedPlugins.filter { catalog.member($0) == nil }.sorted().compactMap {
      search.file(named: $0.rawValue)
    }
  }

  private init(
    _ plugin: PluginID, _ catalog: PluginCatalog, _ folders: PluginFolders,
    _ send: @escaping (ValidationMessage) -> Void
  ) {
    self.plugin = plugin
    self.catalog = catalog
    self.folders = folders
    self.send = send
  }

  private func run(seed: UInt64, steps: Int) async {
    send(.doing("loading it and running register(in:) again"))
    if let failure = await catalog.registry.load(plugin) {
      return report("registers the same twice", [failure], "")
    }
    report("registers the same twice", [], "its contributions are the same as when it was probed")
    await fit()
    guard let session = start(nil, isWatched: true) else { return }
    await showTabs(session)
    await openLinks(session)
    await walk(session, seed, steps)
    session.close()
  }

  private func report(_ name: String, _ problems: [String], _ fine: String) {
    send(.check(.init(name, isFine: problems.isEmpty, problems.isEmpty ? fine : problems.joined(separator: "; "))))
  }

  /// Starts a session. If it does not start, reports the error and returns nil.
  ///
  /// - Parameter isWatched: whether its failure notices count, from the first update on.
  private func start(_ checkpoint: Checkpoint?, isWatched: Bool = false) -> Session? {
    let session = Session(registry: catalog.registry, folders: folders)
    do {
      let update = try session.start(from: checkpoint)
      if isWatched {
        note(update)
        session.onUpdate = { [weak self] in self?.note($0) }
      }
      return session
    } catch {
      report("starts", ["\(error)"], "")
      return nil
    }
  }

  // MARK: Checks

  /// Checks that the plugin fits the plugins that it uses, and loads them for the check.
  private func fit() async {
    let used = catalog.registry.used(by: plugin).sorted()
    for other in used where catalog.member(other) != nil {
      send(.doing("loading the plugin \(other), which it uses"))
      _ = await catalog.registry.load(other)
    }
    let missing = used.filter { catalog.member($0) == nil }
    report(
      "fits the installed plugins", catalog.registry.misfits(of: plugin),
      used.isEmpty
        ? "it does not use other plugins"
        : "it uses \(used.map(\.rawValue).joined(separator: ", "))"
          + (missing.isEmpty
            ? "" : "; not installed and not compared: \(missing.map(\.rawValue).joined(separator: ", "))"))
  }

  private func showTabs(_ session: Session) async {
    findings = []
    takeFailures("the first screen")
    let tabs = session.presentation.tabBars.first ?? []
    for tab in tabs {
      send(.doing("showing the tab '\(tab.title)'"))
      await perform(.tab(tab.node), session, "the tab '\(tab.title)'")
    }
    report("shows its tabs", findings, "\(tabs.count) of \(tabs.count)")
  }

  private func openLinks(_ session: Session) async {
    findings = []
    let links = catalog.registry.links.all.filter { $0.plugin == plugin }
    let plain = links.filter { !$0.pattern.contains(":") && !$0.pattern.contains("*") && !$0.pattern.contains("?") }
    questions = []
    for link in plain {
      let url = "\(catalog.registry.links.schemes.first ?? "gangway")://\(link.pattern)"
      send(.doing("opening \(url)"))
      await open(url, session)
    }
    let others = links.filter { link in !plain.contains { $0.pattern == link.pattern } }.map(\.pattern)
    report(
      "opens its links", findings,
      "\(plain.count) of \(links.count)"
        + (questions.isEmpty ? "" : "; guards ask the user first at \(questions.joined(separator: ", "))")
        + (others.isEmpty ? "" : "; not opened because they need parameters: \(others.joined(separator: ", "))"))
  }

  /// Opens a link from outside. A guard's denial, redirect or question is not a mistake of the link.
  ///
  /// - Returns: whether the target of the link is open.
  @discardableResult private func open(_ url: String, _ session: Session) async -> Bool {
    var failure: (any Error)?
    var isDone = false
    let opening = Task {
      do {
        try await session.open(url)
      } catch {
        failure = error
      }
      isDone = true
    }
    let limit = ContinuousClock.now + .seconds(5)
    var quiet = ContinuousClock.now
    // If nothing happens for a second and the link is not open, a guard asks the user, or redirected to a flow first.
    while !isDone, ContinuousClock.now < limit, ContinuousClock.now - quiet < .seconds(1) {
      if !session.isIdle || session.presentation.activity != nil { quiet = .now }
      _ = await session.idle(within: .milliseconds(20))
      try? await Task.sleep(for: .milliseconds(2))
    }
    if !isDone {
      // Answer no: dismiss the question or the flow.
      var steps = 3
      while !isDone, steps > 0, session.presentation.canGoBack {
        steps -= 1
        await perform(.back, session, "back from \(url)")
        try? await Task.sleep(for: .milliseconds(5))
      }
      opening.cancel()
      questions.append(url)
      return false
    }
    takeFailures(url)
    guard let failure else {
      noteProblems(session, url)
      return true
    }
    if Self.isMistake(failure) { findings.append("\(url): \(failure)") }
    return false
  }

  /// Returns whether an error is the author's mistake. Answers of guards and users are not, nor is the end of an entry.
  private static func isMistake(_ error: any Error) -> Bool {
    guard let error = error as? NavigationError else { return !(error is CancellationError) }
    let ordinary: Set<NavigationError.Code> = [
      .denied, .redirectCancelled, .superseded, .cancelledByPerson, .modalNotDismissible, .detached, .entryGone,
    ]
    return !ordinary.contains(error.code)
  }

  /// Takes random user actions, and after each step compares the screen with its restored copy.
  private func walk(_ session: Session, _ seed: UInt64, _ steps: Int) async {
    findings = []
    var restoring: [String] = []
    var leading: [String] = []
    var addresses: Set<String> = []
    var walk = PersonWalk(seed: seed)
    var done = 0
    while done < steps, findings.isEmpty {
      guard let action = walk.next(on: session.presentation) else { break }
      done += 1
      let what = "step \(done), \(Self.describe(action, session.presentation))"
      send(.doing("\(what) (seed \(seed))"))
      await perform(action, session, what)
      if restoring.isEmpty { await restore(session, what, &restoring) }
      if leading.isEmpty, let url = session.url, addresses.insert(url).inserted { await follow(url, what, &leading) }
    }
    takeFailures("after the walk")
    report("survives a random walk", findings, "\(done) steps, seed \(seed)")
    report("restores its screens", restoring, "after each of \(done) steps")
    report("its links open the same screens", leading, "\(addresses.count) of the screens on the walk")
  }

  /// Checks that the URL of the current screen opens the same screen in a new session.
  private func follow(_ url: String, _ what: String, _ problems: inout [String]) async {
    guard let other = start(nil) else { return }
    defer { other.abandon() }
    guard await open(url, other), other.url != url else { return }
    problems.append("after \(what), the link is \(url), which opens \(other.url ?? "a screen without a link")")
  }

  private func perform(_ action: Event.Action, _ session: Session, _ what: String) async {
    let event = Event(id: 1, revision: session.presentation.revision, action: action)
    var errors: [any Error] = []
    session.didFail = { errors.append($0) }
    defer { session.didFail = { _ in } }
    note(await session.answer(to: event))
    // Work of screens, such as a clock's, may go on forever, and a guard's question waits for the user. Work of an
    // event must end.
    let limit = ContinuousClock.now + .seconds(5)
    while session.isHandling || session.presentation.activity != nil, ContinuousClock.now < limit {
      _ = await session.idle(within: .milliseconds(20))
      try? await Task.sleep(for: .milliseconds(1))
    }
    if session.isHandling { findings.append("\(what): its work did not end within 5 seconds") }
    takeFailures(what)
    // The user sees an error of the framework as a refusal, even if the plugin made the mistake.
    findings += errors.filter { $0 is NavigationError && Self.isMistake($0) }.map { "\(what): \($0)" }
    noteProblems(session, what)
  }

  private func note(_ update: Update) { failures += update.notices.filter { $0.kind == .failure } }

  private func takeFailures(_ what: String) {
    findings += failures.map { "\(what): \($0.developerText)" }
    failures = []
  }

  private func noteProblems(_ session: Session, _ what: String) {
    // A banner is content of a feature. A problem text replaces content that could not be shown.
    let problems = (session.presentation.top?.elements ?? []).filter { $0.kind == .text && $0.role == .problem }
    findings += problems.map { "\(what): \($0.label)" }
  }

  private func restore(_ session: Session, _ what: String, _ problems: inout [String]) async {
    // A screen with an open question is not compared. The question may appear again, and nothing is lost with it.
    guard session.presentation.alert == nil, let copy = start(session.checkpoint) else { return }
    defer { copy.abandon() }
    // Content that loads or shows the time may take a moment to match. Elements that change by themselves, such as a
    // meter, are not compared. Running work gets more time.
    let begin = ContinuousClock.now
    live.begin()
    var before = LiveElements.contents(session.presentation)
    while true {
      let now = LiveElements.contents(session.presentation)
      live.note(before, now)
      before = now
      let texts = (live.text(session.presentation), live.text(copy.presentation))
      if texts.0 == texts.1 { return }
      guard ContinuousClock.now - begin < (session.isWorking ? .seconds(7) : .seconds(2)) else {
        return problems.append("after \(what), \(Self.difference(texts.0, texts.1))")
      }
      _ = await session.idle(within: .milliseconds(20))
      _ = await copy.idle(within: .milliseconds(20))
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Returns the first line in which two screens differ, with characters escaped that look the same or are invisible.
  static func difference(_ before: String, _ after: String) -> String {
    let lines = (
      before.split(separator: "\n", omittingEmptySubsequences: false),
      after.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let index = zip(lines.0, lines.1).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.0.count, lines.1.count)
    // A character without a visible shape is written as its number.
    func visible(_ scalar: Unicode.Scalar) -> String {
      switch scalar.properties.generalCategory {
      case .control, .format, .nonspacingMark, .enclosingMark, .spacingMark, .lineSeparator, .paragraphSeparator,
        .privateUse, .unassigned:
        "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      case .spaceSeparator where scalar != " ": "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: String(scalar)
      }
    }
    func quoted(_ lines: [Substring]) -> String {
      lines.indices.contains(index)
        ? "'" + lines[index].unicodeScalars.map(visible).joined() + "'" : "nothing"
    }
    return "line \(index + 1) of the screen was \(quoted(lines.0)), and was restored as \(quoted(lines.1))"
  }

  private static func describe(_ action: Event.Action, _ presentation: Presentation) -> String {
    func label(_ target: Event.ElementReference) -> String {
      presentation.reachable.first { $0.id == target.element }?.label ?? target.element.rawValue
    }
    return switch action {
    case .tap(let target): "tap on '\(label(target))'"
    case .edit(let target, let text): "'\(text.prefix(20))' typed into '\(label(target))'"
    case .toggle(let target, let isOn): "'\(label(target))' turned \(isOn ? "on" : "off")"
    case .choose(let target, let option): "'\(option)' chosen in '\(label(target))'"
    case .cell(_, let row, let column): "the cell in row \(row + 1), column \(column + 1)"
    case .tab: "another tab"
    default: "back"
    }
  }
}
