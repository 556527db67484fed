import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A simulated use of a plugin, in a process that may crash: `gangway-host --validate FILE`.
@MainActor final class PluginValidation {
  let plugin: PluginID
  var catalog: PluginCatalog
  /// Prepares the same plugins again, without what the first catalog holds in memory.
  private let prepare: @MainActor () async throws -> PluginCatalog
  private let folders: PluginFolders
  /// The folder with a data folder for each plugin.
  private let data: URL
  let send: (ValidationMessage) -> Void
  /// Whether results are not sent, because only the end of the run counts.
  var isSilent = false
  /// Whether the walk presses destructive buttons.
  private var pressesDestructive = false
  /// Whether the data at the start has files of other plugins.
  var hasDataOfOthers = false
  /// The mistakes in labels of tabs that were reported already.
  private var labelMistakes: [String] = []
  /// The differences from a new host in the middle of the walk, and the number of comparisons.
  var losses: [String] = [], midwayComparisons = 0
  /// The requests of the plugin to others, and those of them without a declaration.
  var requests: Set<UseRequest> = [], undeclared: Set<UseRequest> = []
  /// The number of steps of the last walk.
  private(set) var steps = 0
  /// The elements that change by themselves in the session of the walk.
  var live = LiveElements()

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
    let others: [String]
    do {
      let alone = try await prepared(with: [])
      others = companions(of: file, alone, options)
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
    do {
      if let data = options.data {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try DataCopy.make(of: data, at: folder.appending(path: "data").path)
      }
    } catch {
      send(.check(.init("copies the data", isFine: false, "\(error)")))
      return 1
    }
    let validation = PluginValidation(id, catalog, folder, { try await prepared(with: others) }, send)
    validation.pressesDestructive = options.pressesDestructive
    if options.damagesData {
      await validation.runOnDamagedData(options)
    } else {
      await validation.run(seed: options.seed, steps: options.steps, script: options.script)
    }
    return 0
  }

  /// Takes the walk after all files of the plugin were damaged, and reports which of them it kept.
  private func runOnDamagedData(_ options: HostOptions) async {
    func folder(of plugin: PluginID) -> URL { data.appending(path: plugin.rawValue) }
    hasDataOfOthers = catalog.statuses.compactMap(\.id).contains { other in
      other != plugin && !DamagedFiles.names(in: folder(of: other)).isEmpty
    }
    let damage = DamagedFiles(in: folder(of: plugin))
    isSilent = true
    await run(seed: options.seed, steps: options.steps, script: options.script)
    isSilent = false
    report(damage, of: plugin)
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
    _ plugin: PluginID, _ catalog: PluginCatalog, _ folder: URL,
    _ prepare: @escaping @MainActor () async throws -> PluginCatalog,
    _ send: @escaping (ValidationMessage) -> Void
  ) {
    self.plugin = plugin
    self.catalog = catalog
    data = folder.appending(path: "data")
    folders = PluginFolders(data: data, cache: folder.appending(path: "cache"), log: { _ in })
    self.prepare = prepare
    self.send = send
  }

  private func run(seed: UInt64, steps: Int, script: String?) async {
    send(.doing("loading it and running register(in:) again"))
    if let failure = await catalog.registry.load(plugin) {
      return report("registers the same contributions each time", [failure], "")
    }
    report("registers the same contributions each time", [], "its contributions are the same as when it was probed")
    await fit()
    catalog.registry.noteRequests()
    send(.doing("showing the first screen"))
    let watched: WatchedSession
    do {
      watched = try WatchedSession(makeSession())
    } catch {
      return report("starts", ["\(error)"], "")
    }
    // Damaged data may stop the script, and the walk goes on without it.
    if let script, await !runs(script, watched), !isSilent { return watched.session.close() }
    await showTabs(watched)
    await openLinks(watched)
    await showPlaces(watched)
    await walk(watched, seed, steps)
    await reportLeaks(watched)
    await restart(watched)
    reportUses()
  }

  /// Replaces the catalog by a new one of the same plugins, as in a new host.
  ///
  /// - Throws: the reason why a plugin does not load.
  func beginAgain() async throws {
    let used = catalog.registry.used(by: plugin).filter { catalog.member($0) != nil }
    keepRequests()
    catalog = try await prepare()
    catalog.registry.noteRequests()
    for id in [plugin] + used.sorted() {
      if let failure = await catalog.registry.load(id) { throw NavigationError(.payload, failure) }
    }
  }

  func report(_ name: String, _ problems: [String], _ fine: String) {
    guard !isSilent else { return }
    send(.check(.init(name, isFine: problems.isEmpty, problems.isEmpty ? fine : problems.joined(separator: "; "))))
  }

  /// Creates a session. If no plugin has a tab, its root is an empty screen, on which places are shown.
  func makeSession() -> Session {
    Session(registry: catalog.registry, folders: folders) {
      $0.tabs.isEmpty ? EmptyRoot() as any Coordinator : RootCoordinator($0)
    }
  }

  /// Starts a session to compare with. If it does not start, reports the error and returns nil.
  func start(_ checkpoint: Checkpoint?) -> Session? {
    let session = makeSession()
    do {
      _ = try session.start(from: checkpoint)
      return session
    } catch {
      report("starts", ["\(error)"], "")
      return nil
    }
  }

  // MARK: Checks

  /// Runs the author's script, which brings the session to the state for the checks, such as signed in.
  ///
  /// - Returns: whether each step did what it should.
  private func runs(_ script: String, _ watched: WatchedSession) async -> Bool {
    send(.doing("running the script"))
    var problems: [String] = []
    do {
      let lines = try LineReader.lines(of: script)
      let connection = LocalConnection(started: watched.session)
      let frontEnd = PlainFrontEnd(connection, isScript: true, write: { _ in }, complain: { problems.append($0) })
      let code = await frontEnd.run(lines)
      if code == 0 { problems = [] }
    } catch {
      problems.append("\(error)")
    }
    watched.watch()
    // The script expects some errors, and any other one fails it.
    watched.forgetErrors()
    report("runs the script", problems, script)
    return problems.isEmpty
  }

  private func showTabs(_ watched: WatchedSession) async {
    await watched.load()
    watched.takeFailures("the first screen")
    let tabs = watched.presentation.tabBars.first ?? []
    let own = tabs.filter { watched.session.checkpoint.records[$0.node]?.plugin == plugin }
    var refused: [String] = []
    for tab in tabs {
      send(.doing("showing the tab '\(tab.title)'"))
      await watched.perform(.tab(tab.node), "the tab '\(tab.title)'")
      if own.contains(where: { $0.node == tab.node }), !watched.shows(tab.node) { refused.append("'\(tab.title)'") }
    }
    labelMistakes = watched.session.labelMistakes
    var findings = watched.takeFindings() + labelMistakes
    let count = own.count - refused.count
    let guarded =
      refused.isEmpty ? "" : "; not shown, because a guard refuses or asks first: \(refused.joined(separator: ", "))"
    if !own.isEmpty, count == 0, findings.isEmpty {
      findings.append("0 of \(own.count)\(guarded). Pass --script FILE with steps that satisfy the guards")
    }
    report("shows its tabs", findings, own.isEmpty ? "it has none" : "\(count) of \(own.count)\(guarded)")
  }

  private func openLinks(_ watched: WatchedSession) async {
    let links: [Links.Samples]
    do {
      links = try catalog.registry.links.samples(of: plugin)
    } catch {
      return report("opens its links", ["a sample cannot be written as a URL: \(error)"], "")
    }
    var (questions, refused) = ([String](), [String]())
    var (opened, advice, nameless, leading) = (0, [String](), [String](), [String]())
    for link in links {
      if let problem = Self.problem(with: link) { advice.append(problem) }
      var isOpened = false
      for url in link.urls {
        send(.doing("opening \(url)"))
        switch await watched.navigate(url, { try await $0.open(url) }) {
        case .shown:
          isOpened = true
          if await !leadsBack(watched.session, "opening \(url)", &leading) { nameless.append(link.pattern) }
        case .asks: questions.append(url)
        case .refused: refused.append(url)
        }
      }
      if isOpened { opened += 1 }
    }
    if opened == 0, !links.isEmpty, advice.isEmpty {
      advice.append("0 of \(links.count) opened" + Self.asked(questions, refused))
    }
    report(
      "opens its links", watched.takeFindings() + leading + advice,
      links.isEmpty
        ? "it has none"
        : "\(opened) of \(links.count)" + Self.asked(questions, refused)
          + (nameless.isEmpty
            ? ""
            : "; links without a `url:` closure, whose screens have no address: "
              + nameless.joined(separator: ", ")))
  }

  private func showPlaces(_ watched: WatchedSession) async {
    let places: [(id: ContributionID, places: [Place])]
    do {
      places = try catalog.registry.placeSamples(of: plugin)
    } catch {
      return report("shows its places", ["a sample cannot be encoded: \(error)"], "")
    }
    var (questions, refused, advice) = ([String](), [String](), [String]())
    var shown = 0
    for (id, samples) in places {
      if samples.isEmpty { advice.append("\(id) was not shown: it needs a payload. Pass `samples:` in register(in:)") }
      for place in samples {
        let what = "the place \(id)"
        send(.doing("showing \(what)"))
        let before = watched.presentation.path.count
        switch await watched.navigate(what, { try await $0.show(place) }) {
        case .shown:
          shown += 1
          if watched.presentation.path.count > before { await watched.perform(.back, "back from \(what)") }
        case .asks: questions.append(id.rawValue)
        case .refused: refused.append(id.rawValue)
        }
      }
    }
    let count = places.reduce(0) { $0 + $1.places.count }
    if shown == 0, count > 0, advice.isEmpty { advice.append("0 of \(count) shown" + Self.asked(questions, refused)) }
    report(
      "shows its places", watched.takeFindings() + advice,
      places.isEmpty
        ? "it has none" : "\(shown) of \(count)" + Self.asked(questions, refused))
  }

  /// Returns which links or places were not opened because guards asked the user, or refused.
  private static func asked(_ questions: [String], _ refused: [String]) -> String {
    (questions.isEmpty ? "" : "; guards ask the user first at \(questions.joined(separator: ", "))")
      + (refused.isEmpty ? "" : "; not available: \(refused.joined(separator: ", "))")
  }

  /// Takes random user actions, and after each step compares the screen with its restored copy.
  private func walk(_ watched: WatchedSession, _ seed: UInt64, _ steps: Int) async {
    let session = watched.session
    let stored = files
    var comparisons = Comparisons()
    var walk = PersonWalk(seed: seed, pressesDestructive: pressesDestructive)
    let entrances = entrances
    // The numbers of entrances so far, and since the last action.
    var (done, opened, inRow, end, isDue) = (0, 0, 0, String?.none, false)
    while done < steps, isSilent || watched.findings.isEmpty {
      if done % 20 == 10 || end != nil, let entrance = entrances.isEmpty ? nil : entrances[opened % entrances.count] {
        (done, opened, inRow, end) = (done + 1, opened + 1, inRow + 1, nil)
        let what = "step \(done), \(entrance.what)"
        send(.doing("\(what) (seed \(seed))"))
        _ = await watched.navigate(what, entrance.open)
        await compare(session, what, &comparisons)
        continue
      }
      var action: Event.Action?
      end = await watched.waitForChoice {
        action = walk.next(on: session.presentation, without: tabsOfOthers(session))
        return action != nil
      }
      guard let action else {
        // A screen without anything to press is not the end if there is another way in.
        if inRow <= 2 * entrances.count, !entrances.isEmpty { continue } else { break }
      }
      (done, inRow) = (done + 1, 0)
      let what = "step \(done), \(Self.describe(action, session.presentation))"
      send(.doing("\(what) (seed \(seed))"))
      await perform(action, what, on: watched, &comparisons)
      isDue = isDue || done % 25 == 0
      if isDue, !isSilent, losses.isEmpty, await compareWithNewHost(watched, what) {
        (isDue, midwayComparisons) = (false, midwayComparisons + 1)
      }
    }
    watched.takeFailures("after the walk")
    var findings = watched.takeFindings() + session.labelMistakes.filter { !labelMistakes.contains($0) }
    self.steps = done
    if done == 0, steps > 0, findings.isEmpty, hasScreens {
      findings.append("0 steps: \(end ?? "there was nothing to do"). If that is intended, pass --steps 0")
    }
    guard steps > 0 || !findings.isEmpty else { return }
    let walked = hasScreens ? "\(done) \(done == 1 ? "step" : "steps"), seed \(seed)" : Self.nothingToWalk
    // For a plugin that has files: if its walk stored nothing, no check has seen how the plugin stores.
    let idle = !stored.isEmpty && files == stored ? "; it stored nothing" : ""
    report(
      "survives a random walk", findings,
      walked + (end.map { "; then \($0)" } ?? "") + idle + Self.unused(walk.unused))
    report(comparisons, steps: done)
  }

  private static let nothingToWalk = "not walked: it has no tab, place or link"

  /// Returns the tabs of other plugins, if the plugin has a tab of its own. The walk is for its screens.
  private func tabsOfOthers(_ session: Session) -> Set<NodeID> {
    let tabs = Dictionary(grouping: (session.presentation.tabBars.first ?? []).map(\.node)) {
      session.checkpoint.records[$0]?.plugin == plugin
    }
    return tabs[true] == nil ? [] : Set(tabs[false] ?? [])
  }

  /// The contents of the plugin's files.
  private var files: [String: Data] { DamagedFiles.contents(in: data.appending(path: plugin.rawValue)) }

  /// Whether the plugin has screens to walk through.
  private var hasScreens: Bool {
    catalog.member(plugin)?.manifest.records.contains { [.tab, .place, .link].contains($0.kind) } == true
  }
}

/// The root of a session for plugins without tabs.
private final class EmptyRoot: StackCoordinator {
  struct Route: NavigationRoute {}
  let start = Route()
  func destination(for route: Route) -> Destination { .screen { EmptyContentScreen() } }
}

private struct EmptyContentScreen: Screen {
  let title: String? = "Places"
  var body: some Content { Text("The checks open the plugin's places from this screen.") }
}
