@_spi(FrontEnd) import GangwayProtocol
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The line-based front end, the same for a plain and a supervised host, and for users, pipes and scripts.
///
/// For a script, it prints only the output of commands such as `screen` and `tree`, and the first failure ends it.
/// Otherwise, it prints the screen after each command that changed it, and continues after errors. If the lines come
/// from a pipe, an error sets the exit code.
@_spi(FrontEnd) @MainActor public final class PlainFrontEnd {
  let connection: any SessionConnection
  let isScript: Bool
  let write: (String) -> Void
  /// The input line of a user; nil if no user types.
  private(set) var prompt: (any LinePrompt)?
  /// The last spoken state, for a screen reader.
  var said = Said()
  private let speaks: Bool
  private let complain: (String) -> Void
  /// Whether a command is running, which reports its own changes.
  private var isPerforming = false
  var arrivals: [CheckedContinuation<Void, Never>] = []
  /// The failures after a script's command had ended, such as a crash in work that went on. They fail the script.
  private var broken: [Update.Notice] = []
  /// The texts of the notifications since the last action, which the user still sees.
  private(set) var recent: [String] = []
  /// The reason why the session refused the last action, or why the action failed; nil if it was done.
  private var refusal: String?
  /// The notifications so far.
  private var told = NoticeList()

  /// The events whose work is meant to go on.
  var released: Set<EventID> = []
  /// Whether each command waits for the end of its work, because no user watches.
  var isPatient: Bool { isScript || prompt == nil }

  /// Creates a front end.
  ///
  /// - Parameters:
  ///   - connection: the session.
  ///   - isScript: whether the lines come from a script.
  ///   - prompt: the input line; by default the terminal's own, if standard input is a terminal.
  ///   - speaks: whether to speak the screen for a screen reader: it names the kind of each element, and speaks the
  ///     changes after each command.
  ///   - write: takes output.
  ///   - complain: takes error messages.
  public init(
    _ connection: any SessionConnection, isScript: Bool, prompt: (any LinePrompt)? = nil, speaks: Bool = false,
    write: @escaping (String) -> Void, complain: @escaping (String) -> Void
  ) {
    self.connection = connection
    self.isScript = isScript
    self.speaks = speaks
    self.write = write
    self.complain = complain
    self.prompt = isScript ? nil : prompt ?? (isatty(STDIN_FILENO) == 1 ? TerminalPrompt(write) : nil)
  }

  /// Runs commands to their end.
  ///
  /// - Parameters:
  ///   - notices: failures of the start, which fail the first command of a script.
  ///   - isLinkOpen: whether a link was opened before, which counts as a command.
  /// - Returns: the exit code: 0, or 1 if a command from a script or pipe failed, or if a script has no command.
  public func run(_ lines: AsyncStream<String>, after notices: [Update.Notice] = [], isLinkOpen: Bool = false) async
    -> Int32
  {
    report(notices)
    connection.onUpdate = { [weak self] update in
      self?.tellUnasked(update)
      self?.wake()
    }
    prompt?.completions = { [weak self] in self?.completions(of: $0) ?? [] }
    if !isScript {
      // Notifications were shown already, and a pipe has no use for a screen that is still loading.
      try? await settle()
      printScreen()
    }
    prompt?.ask()
    var number = 0
    var commands = isLinkOpen ? 1 : 0
    var code: Int32 = 0
    for await line in lines {
      number += 1
      do {
        if let command = try PlainCommand(speaks ? try withNumbers(line) : line) {
          commands += 1
          if !isSecret(command) { prompt?.remember(line) }
          try failIfBroken()
          guard try await perform(command) else { return code }
          try failIfBroken()
        }
      } catch {
        complain(isScript ? "line \(number): \(error)" : "\(error)")
        if isScript { return 1 }
        // A user has read the error; a program that wrote the lines only gets the exit code.
        if prompt == nil { code = 1 }
      }
      prompt?.ask()
    }
    do {
      if isScript { try await settle() }
      try failIfBroken()
      if isScript, commands == 0 { throw PlainFailure("The script has no command.") }
    } catch {
      complain(isScript && commands > 0 ? "line \(number): \(error)" : "\(error)")
      return 1
    }
    return code
  }

  /// Prints the screen, or speaks its changes.
  func printScreen(isAsked: Bool = false) {
    if speaks { return speak(isWhole: isAsked) }
    write(connection.presentation.plainText + "\n")
  }

  /// Shows notifications; keeps the failures that no user watches for the next command.
  ///
  /// - Returns: whether a notification was shown.
  @discardableResult private func report(_ notices: [Update.Notice]) -> Bool {
    func isBroken(_ notice: Update.Notice) -> Bool { isPatient && notice.kind == .failure && notice.isLate != true }
    broken += notices.filter(isBroken)
    let others = notices.filter { !isBroken($0) }
    if others.isEmpty { return false }
    prompt?.pause()
    tell(others)
    return true
  }

  /// Shows updates that no command caused, on lines of their own while a user types.
  private func tellUnasked(_ update: Update) {
    if report(update.notices) { prompt?.ask() }
    if speaks, !isScript, !isPerforming, update.presentation != nil { speakUnasked() }
  }

  /// The kinds of elements that `set` changes.
  private static let settable = Element.Kind.kinds(where: \.isSettable)
  /// The kinds of elements that `tap` presses.
  private static let tappable = Element.Kind.kinds { [.tap, .toggle, .expand].contains($0.action) }

  /// Returns whether a line may contain a secret that must not be kept.
  ///
  /// A mistyped label, or one of an element that does not exist yet, may belong to a secure field.
  private func isSecret(_ command: PlainCommand) -> Bool {
    guard case .set(let label, _) = command else { return false }
    let presentation = connection.presentation
    if let match = try? presentation.search({ try ElementLookup(label, kinds: Self.settable).find(in: $0) }) {
      return match.found.role == .secure
    }
    return presentation.isUnsettled || presentation.first { $0.role == .secure } != nil
  }

  /// Returns the completions of a partial line: commands, with the elements of the screen that they can take.
  private func completions(of line: String) -> [String] {
    func labels(_ word: String, _ kinds: Set<Element.Kind>, _ end: String = "") -> [String] {
      let elements = connection.presentation.reachableScreens.flatMap(\.shown.reachable)
      let found = elements.filter { kinds.contains($0.kind) && !$0.label.isEmpty }
      return found.map { "\(word) \($0.label)\(end)" }
    }
    let tabs = connection.presentation.tabBars.flatMap { $0.map { "tab \($0.title)" } }
    let all =
      PlainCommand.words + tabs + labels("tap", Self.tappable)
      + labels("set", Self.settable, " = ")
      + labels("file", .acting(by: .file), " = ") + told.notices.compactMap { $0.file.map { "save \($0.name)" } }
      + labels("expand", [.row, .disclosure]) + labels("collapse", [.row, .disclosure]) + labels("select", [.row])
    var seen: Set<String> = []
    return all.filter { $0.hasPrefix(line) && seen.insert($0).inserted }
  }

  /// Returns whether a notification is about a crash, and names its report.
  private static func isOfCrash(_ notice: Update.Notice) -> Bool { notice.detail?.contains("Report: /") == true }

  /// Returns a notification's text; in a script, which a developer reads, also the detail of the supervisor's messages.
  private func words(of notice: Update.Notice) -> String {
    guard isScript, let detail = notice.detail, notice.plugin == nil || Self.isOfCrash(notice) else {
      return notice.text
    }
    return "\(notice.text)\n\(detail)"
  }

  private func tell(_ notices: [Update.Notice]) {
    told.add(notices)
    recent += notices.map(\.text)
    for notice in notices { complain(words(of: notice)) }
  }

  /// Runs the undo action of a notification.
  private func undo(_ message: String) async throws {
    guard let id = told.undoable(message)?.undo else {
      let others = told.notices.filter { $0.undo != nil }.map { "'\($0.text)'" }.joined(separator: ", ")
      throw PlainFailure(
        "No message '\(message)' has an undo action. Messages with an undo action: "
          + "\(others.isEmpty ? "none" : others)."
      )
    }
    told.noteUndone(id)
    try await send(.undoNotice(id))
  }

  /// Sends a copy of a file of the user's.
  private func choose(file path: String, _ label: String) async throws {
    let match = try await find(label, .acting(by: .file))
    let copy = try HandoverFolder().copy(path, limit: match.element.maximumBytes)
    let file = HandedFile(name: path, type: nil, path: copy)
    try await act(on: match) { .file($0, file) }
  }

  /// Saves a file that a feature offered.
  private func save(_ name: String, at path: String?) throws {
    let files = told.notices.compactMap(\.file)
    guard let file = files.last(where: { $0.name == name }) else {
      let names = files.map { "'\($0.name)'" }.joined(separator: ", ")
      throw PlainFailure("No file '\(name)' was offered. Offered files: \(names.isEmpty ? "none" : names).")
    }
    complain("Saved \(try SavedFile.save(file, to: path)).")
  }

  /// Runs a command; returns false to end.
  private func perform(_ command: PlainCommand) async throws -> Bool {
    isPerforming = true
    defer { isPerforming = false }
    if command.readsScreen { try await settle() }
    switch command {
    case .tap(let label): try await tap(label)
    case .start(let label): try await tap(label, goesOn: true)
    case .cell(let row, let column):
      try await act(on: try await patiently { try soleElement(.grid) }) { .cell($0, row: row, column: column) }
    case .set(let label, let value): try await set(label, value)
    case .expand(let label, let isExpanded):
      try await act(on: try await find(label, [.row, .disclosure])) { .expand($0, isExpanded: isExpanded) }
    case .select(let row): try await select(row)
    case .action(let label, let row): try await action(label, row)
    case .sort(let column): try await sort(column)
    case .scroll(let row): try await scroll(to: row)
    case .rows(let first): try await showRows(from: first)
    case .submit: try await act(on: try await patiently { try soleElement(.form) }) { .submit($0) }
    case .file(let label, let path): try await choose(file: path, label)
    case .save(let name, let path): try save(name, at: path)
    case .tab(let title): try await selectTab(title)
    case .back: try await send(.back)
    case .dismiss: try await send(.dismiss)
    case .screen: printScreen(isAsked: true)
    case .tree: write(try await connection.tree().lines.joined(separator: "\n") + "\n")
    case .open(let url): try await send(.open(url))
    case .undo(nil): try await send(.undo)
    case .undo(let message?): try await undo(message)
    case .messages: write(told.notices.map { $0.text + ($0.undo == nil ? "" : " (undo)") + "\n" }.joined())
    case .redo: try await send(.redo)
    case .history: write(try await connection.history().map { $0 + "\n" }.joined())
    case .expect(let text): try await expect(text)
    case .refuse(let text): try await refuse(text)
    case .fails(let command, let line): try await fail(command, line)
    case .wait(let duration): try await Task.sleep(for: duration)
    case .restart:
      try await connection.restart()
      if !isScript { printScreen() }
    case .reload(let plugin):
      complain(try await connection.reload(plugin))
      if !isScript { printScreen() }
    case .help: write(PlainCommand.summary + "\n" + (speaks ? Self.numbersSummary : ""))
    case .quit: return false
    }
    return true
  }

  private func tap(_ label: String, goesOn: Bool = false) async throws {
    let match = try await find(label, Self.tappable)
    let element = match.element
    try await act(on: match, goesOn: goesOn) { target in
      switch element.kind.traits.action {
      case .toggle: .toggle(target, isOn: element.value != "on")
      case .expand: .expand(target, isExpanded: element.isExpanded != true)
      default: .tap(target)
      }
    }
  }

  private func set(_ label: String, _ value: String) async throws {
    let match = try await find(label, Self.settable)
    let element = match.element
    switch element.kind.traits.action {
    case .toggle:
      guard value == "on" || value == "off" else {
        throw PlainFailure("'\(element.label)' is a toggle: write on or off, not '\(value)'.")
      }
      try await act(on: match) { .toggle($0, isOn: value == "on") }
    case .choose:
      guard let option = element.options.first(where: { $0.title == value }) else {
        throw PlainFailure(
          "'\(element.label)' has no option '\(value)'. It has "
            + element.options.map { "'\($0.title)'" }.joined(separator: ", ") + ".")
      }
      try await act(on: match) { .choose($0, option: option.id) }
    default: try await act(on: match) { .edit($0, text: value) }
    }
  }

  /// An element, with the node of its screen.
  typealias Match = (node: NodeID, element: Element)

  private func find(_ label: String, _ kinds: Set<Element.Kind>) async throws -> Match {
    try await patiently {
      // Different screens have equal ids, and an id names an element of the screen that the front end shows.
      if label.hasPrefix("#"), let screen = connection.presentation.reachableScreens.first {
        return (screen.node, try ElementLookup(label, kinds: kinds).find(in: screen.shown))
      }
      let match = try connection.presentation.search { try ElementLookup(label, kinds: kinds).find(in: $0) }
      return (match.node, match.found)
    }
  }

  /// Searches the screen.
  ///
  /// A script waits for a result as long as pending work may bring one, as a user would.
  func patiently<Found>(_ search: () throws -> Found) async throws -> Found {
    if isPatient { _ = await waitUntil(Self.patience) { connection.pending.isEmpty || (try? search()) != nil } }
    return try search()
  }

  func act(
    on match: Match, goesOn: Bool = false, _ action: (Event.ElementReference) -> Event.Action
  ) async throws {
    try await send(action(Event.ElementReference(node: match.node, element: match.element.id)), goesOn: goesOn)
  }

  /// Sends an action, and waits for the end of its work if no user does; a refusal fails the command.
  ///
  /// - Parameter goesOn: whether the work is meant to go on, so that this and later commands do not wait for it.
  func send(_ action: Event.Action, goesOn: Bool = false) async throws {
    (recent, refusal) = ([], nil)
    let answer: Update
    do {
      answer = goesOn ? try await connection.start(action) : try await connection.send(action)
    } catch let failure as PlainFailure {
      refusal = failure.description
      throw failure
    }
    try judge(answer.notices)
    if goesOn { released.formUnion(connection.pending.compactMap(\.event)) }
    if isPatient { try await finish() }
    if isScript, let reason = connection.presentation.refusal(of: action) {
      refusal = reason
      throw PlainFailure("The form was not submitted: \(reason)")
    }
    // A script may go back during loading, as a user may. For a user, the screen is printed once.
    if !isScript {
      try await settle()
      printScreen()
    }
  }

  /// Fails if something broke since the last check, although the command that caused it had ended.
  private func failIfBroken() throws {
    let notices = broken
    broken = []
    try judge(notices)
  }

  func judge(_ notices: [Update.Notice]) throws {
    tell(notices.filter { $0.kind == .information })
    // A guard of an earlier command has its answer now. That is the outcome of the earlier command.
    tell(notices.filter { $0.kind != .information && $0.isLate == true })
    let refusals = notices.filter { $0.kind != .information && $0.isLate != true }
    guard !refusals.isEmpty else { return }
    let reason = refusals.map(words).joined(separator: "\n")
    if !refusals.contains(where: Self.isOfCrash) { refusal = reason }
    throw PlainFailure(reason)
  }

  /// Runs a command that the session must refuse, or whose action must fail.
  ///
  /// - Throws: ``PlainFailure`` if the command succeeds, if its element is not there, or if the app crashes.
  private func fail(_ command: PlainCommand, _ line: String) async throws {
    refusal = nil
    do {
      _ = try await perform(command)
      // The work may have failed before this task read the answer.
      try failIfBroken()
    } catch {
      guard let reason = refusal else { throw error }
      recent.append(reason)
      broken.removeAll { reason.contains($0.text) }
      return
    }
    throw PlainFailure(
      "'\(line)' must fail, but it succeeded. The screen is:\n\(connection.presentation.plainText)")
  }
}
