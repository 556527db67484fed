import FoundationEssentials
import Gangway
import GangwayProtocol
import Glibc

/// Uses a plugin as a person would, in a process that may die of it: `gangway-host --validate FILE`.
@MainActor final class PluginValidation {
  private let plugin: String
  private let catalog: PluginCatalog
  private let folders: PluginFolders
  private let send: (ValidationMessage) -> Void
  /// What went wrong in the present check.
  private var findings: [String] = []

  /// Runs all checks of a plugin and says what each found.
  static func run(_ file: String, _ options: HostOptions, _ console: Console) async -> Int32 {
    func send(_ message: ValidationMessage) {
      if let line = try? Line.encode(message) { _ = console.write(line) }
    }
    var options = options
    options.plugins = [file]
    let catalog = PluginCatalog(options)
    do {
      try await catalog.prepare()
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

  private init(
    _ plugin: String, _ catalog: PluginCatalog, _ folders: PluginFolders, _ send: @escaping (ValidationMessage) -> Void
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
    report("registers the same twice", [], "what it registered when it was probed, and now, is the same")
    report("fits what is installed", catalog.registry.problems, "places, services and slots that it uses are there")
    guard let session = start(nil) else { return }
    await showTabs(session)
    await openLinks(session)
    await walk(session, seed, steps)
    session.close()
  }

  private func report(_ name: String, _ problems: [String], _ fine: String) {
    send(.check(.init(name, isFine: problems.isEmpty, problems.isEmpty ? fine : problems.joined(separator: "; "))))
  }

  private func start(_ checkpoint: Checkpoint?) -> Session? {
    let session = Session(registry: catalog.registry, folders: folders)
    do {
      _ = try session.start(from: checkpoint)
      return session
    } catch {
      report("starts", ["\(error)"], "")
      return nil
    }
  }

  // MARK: Checks

  private func showTabs(_ session: Session) async {
    findings = []
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
    for link in plain {
      let url = "\(catalog.registry.links.schemes.first ?? "gangway")://\(link.pattern)"
      send(.doing("opening \(url)"))
      await perform(.open(url), session, url)
    }
    report("opens its links", findings, "\(plain.count) of \(links.count); the others take parameters")
  }

  /// Does what a person could do, and after each step compares what is shown with what comes back of it.
  private func walk(_ session: Session, _ seed: UInt64, _ steps: Int) async {
    findings = []
    var restoring: [String] = []
    var walk = PersonWalk(seed: seed)
    var done = 0
    while done < steps, findings.isEmpty {
      guard let action = walk.next(on: session.presentation) else { break }
      done += 1
      let what = "step \(done), \(Self.describe(action, session.presentation))"
      send(.doing("\(what) (seed \(seed))"))
      await perform(action, session, what)
      if restoring.isEmpty { await restore(session, what, &restoring) }
    }
    report("stands a random walk", findings, "\(done) steps, seed \(seed)")
    report("comes back as it was", restoring, "after each of \(done) steps")
  }

  private func perform(_ action: Event.Action, _ session: Session, _ what: String) async {
    let event = Event(id: 1, revision: session.presentation.revision, action: action)
    var notices = session.handle(event).notices
    session.onUpdate = { notices += $0.notices }
    // Work of the screens' own, such as a clock's, may go on for ever; that of an event may not.
    let limit = ContinuousClock.now + .seconds(5)
    while session.pending.contains(where: { $0.event != nil }), ContinuousClock.now < limit {
      await session.idle(within: .milliseconds(20))
    }
    if session.pending.contains(where: { $0.event != nil }) {
      findings.append("\(what): its work has not ended after 5 seconds")
    }
    findings += notices.filter { $0.kind == .failure }.map { "\(what): \($0.text)" }
    let problems = (session.presentation.top?.elements ?? []).filter { $0.role == .problem }
    findings += problems.map { "\(what): \($0.label)" }
  }

  private func restore(_ session: Session, _ what: String, _ problems: inout [String]) async {
    // A question that waits for an answer may be asked again; nothing is lost with it.
    guard session.presentation.alert == nil, let copy = start(session.checkpoint) else { return }
    defer { copy.abandon() }
    // What both load, or tell of the time, may take a moment to be the same.
    for _ in 0..<20 {
      if session.presentation.plainText == copy.presentation.plainText { return }
      await copy.idle(within: .milliseconds(50))
    }
    let (before, after) = (session.presentation.plainText, copy.presentation.plainText)
    problems.append("after \(what) the screen was \(Self.quoted(before)), and came back as \(Self.quoted(after))")
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "\n").joined(separator: " | ") + "'"
  }

  private static func describe(_ action: Event.Action, _ presentation: Presentation) -> String {
    func label(_ target: Event.ElementReference) -> String {
      presentation.reachable.first { $0.id == target.element }?.label ?? target.element
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
