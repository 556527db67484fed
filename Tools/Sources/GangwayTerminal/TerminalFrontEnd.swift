import Dispatch
import GangwayClient
import GangwayProtocol
import Glibc

/// The full-screen front end of a session.
@MainActor public final class TerminalFrontEnd {
  private let connection: any SessionConnection
  private let terminal: NcursesTerminal
  private var scrollTask: Task<Void, Never>?
  private var controller: Controller
  private var view: TerminalView
  private var actions: AsyncStream<Event.Action>.Continuation?
  private var report: String?
  /// Since when something is being done that has not ended.
  private var busySince: ContinuousClock.Instant?
  private var motion: Task<Void, Never>?
  /// How the screen before becomes the one there is, while that is shown.
  private var passage: Passage?
  private let showsMotion: Bool
  /// The rows of a long list that the host was asked for last, and on which presentation.
  private var askedRows: (action: Event.Action, revision: Revision)?
  /// Keys that wait for the host's answer.
  private var typedAhead: [Key] = []
  /// Since when the host works on an event that may change the screen.
  private var outstanding: ContinuousClock.Instant?
  /// Whether the person chose to go on waiting for a host that does not answer, and it has not answered yet.
  private var waitsOn = false
  private var finish: CheckedContinuation<Int32, Never>?

  /// Takes the terminal over.
  ///
  /// - Parameters:
  ///   - connection: the session.
  ///   - isStored: whether text typed is there again in the next run; if not, quitting asks first.
  ///   - settings: how the person wants it to be.
  /// - Throws: why the terminal cannot be used; it is then as it was.
  public init(_ connection: any SessionConnection, isStored: Bool, settings: TerminalSettings = .init()) throws {
    self.connection = connection
    controller = Controller(isStored: isStored)
    controller.state.keys = settings.keys
    controller.state.accent = settings.accent
    showsMotion = settings.showsMotion
    terminal = try NcursesTerminal(settings)
    // A screen that was scrolled away from what has the keyboard stands as it stood.
    if let top = connection.presentation.top, top.columns.contains(where: { ($0.scroll ?? 0) > 0 }) {
      controller.state.followsFocus = false
    }
    let size = terminal.size
    view = TerminalView(
      connection.presentation, controller.state, columns: size.columns, rows: size.rows, glyphs: terminal.glyphs)
  }

  /// Runs until the person quits or input ends.
  ///
  /// - Parameter notices: what to tell at the start.
  /// - Returns: the exit code.
  public func run(_ notices: [Update.Notice]) async -> Int32 {
    tell(notices)
    connection.onUpdate = { [weak self] update in
      self?.waitsOn = false
      self?.tell(update.notices)
      self?.begin(update.transition)
      self?.refresh()
    }
    // Ctrl-Z stops the process where nothing is half drawn, and not where ncurses' own handler would.
    signal(SIGTSTP, SIG_IGN)
    defer { signal(SIGTSTP, SIG_DFL) }
    let sources = [
      readInput(), follow(SIGWINCH) { $0.terminal.resize() }, follow(SIGCONT) { $0.terminal.redraw() },
      follow(SIGTSTP) { $0.terminal.suspend() },
    ]
    let sender = sendActions()
    let code = await withCheckedContinuation { continuation in
      finish = continuation
      draw()
    }
    scrollTask?.cancel()
    motion?.cancel()
    sender.cancel()
    for source in sources { source.cancel() }
    connection.onUpdate = { _ in }
    terminal.close()
    return code
  }

  /// Takes the links of all plugins, loaded or not, for the list of everything one can go to.
  public func offer(links: [String]) { controller.state.links = links }

  /// Ends ``run(_:)`` from outside, as when a signal says so.
  public func stop(_ code: Int32) {
    finish?.resume(returning: code)
    finish = nil
  }

  // MARK: Drawing

  private func draw() {
    // What comes after the end must not touch a terminal that was given back.
    guard finish != nil else { return }
    let size = terminal.size
    followWork()
    view = TerminalView(
      connection.presentation, controller.state, columns: size.columns, rows: size.rows, glyphs: terminal.glyphs)
    controller.state.scroll = view.state.scroll
    controller.state.anchors = view.state.anchors
    controller.state.wantedSight = view.state.wantedSight
    controller.state.alertScroll = view.state.alertScroll
    terminal.show(pictureOnTheWay() ?? view.canvas)
    showMissingRows()
    if view.isMoving || busySince != nil || passage != nil { moveSoon() }
  }

  /// Begins to show how the screen becomes another, where a feature says how.
  private func begin(_ transition: Update.Transition?) {
    guard let transition else { return }
    passage = showsMotion ? Passage(transition, from: view.canvas) : nil
  }

  /// The picture between the screen before and the one there is; nil where that is over.
  private func pictureOnTheWay() -> Canvas? {
    guard let picture = passage?.picture(of: view.canvas) else {
      passage = nil
      return nil
    }
    return picture
  }

  /// How long something has to take before the person is told that it goes on.
  private static let workingTime: Duration = .milliseconds(300)
  /// How long something has to take before the person is told how to restart.
  private static let longTime: Duration = .seconds(2)
  /// How long each picture of something that moves stands.
  private static let frameTime: Duration = .milliseconds(120)

  /// Tells of what takes long, and not of what does not.
  private func followWork() {
    let isPending = connection.pending.contains { $0.event != nil && $0.isWaiting != true }
    let isBusy = outstanding != nil || waitsOn || isPending
    busySince = isBusy ? busySince ?? .now : nil
    let time = busySince.map { ContinuousClock.now - $0 } ?? .zero
    controller.state.isWorking = time >= Self.workingTime
    controller.state.takesLong = waitsOn || time >= Self.longTime
  }

  /// Draws again in a moment, for as long as something moves.
  private func moveSoon() {
    guard motion == nil else { return }
    motion = Task { [weak self] in
      let isPassing = self?.passage != nil
      try? await Task.sleep(for: isPassing ? Passage.frameTime : Self.frameTime)
      guard let self, !Task.isCancelled else { return }
      motion = nil
      controller.state.frame = (controller.state.frame + 1) % 1_000
      draw()
    }
  }

  /// Has the host send the rows of a long list that came into sight and are not there.
  private func showMissingRows() {
    guard let (target, row) = view.missing else { return }
    let action = Controller.window(around: row, of: target, visibleRows: view.visibleRows)
    // What was asked for on this presentation is on its way, or is not to be had.
    let revision = connection.presentation.revision
    guard askedRows.map({ $0.action != action || $0.revision != revision }) ?? true else { return }
    askedRows = (action, revision)
    actions?.yield(action)
  }

  private func refresh() {
    controller.update(connection.presentation)
    draw()
  }

  private func tell(_ notices: [Update.Notice]) {
    controller.tell(notices)
    if let told = controller.state.status?.report {
      report = told.file
      let key = controller.state.keys.name(of: .messages).map { " \($0), then Enter shows the report." }
      controller.state.status?.text = told.text + (key ?? "")
    }
  }

  // MARK: Input

  private func readInput() -> any DispatchSourceProtocol {
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    // It is called where the app is drawn: another turn of that would only take time.
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.readKeys() } }
    source.resume()
    return source
  }

  private func follow(
    _ number: Int32, _ action: @escaping @MainActor @Sendable (TerminalFrontEnd) -> Void
  ) -> any DispatchSourceProtocol {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { [weak self] in
      Task { @MainActor in
        guard let self else { return }
        action(self)
        self.draw()
      }
    }
    source.resume()
    return source
  }

  private func readKeys() {
    guard finish != nil else { return }
    guard let keys = terminal.input.keys() else { return stop(0) }
    // Whoever types has seen enough of it.
    passage = nil
    typedAhead += keys
    handleKeys()
    // What ncurses has read already wakes nobody.
    if terminal.input.hasMore { Task { @MainActor in self.readKeys() } }
  }

  /// Handles what was typed. What a key means depends on where the one before led, so while the host works on an event
  /// that may change the screen, keys wait; but not for long.
  private func handleKeys() {
    while !typedAhead.isEmpty, finish != nil {
      if !isAsked, let outstanding, ContinuousClock.now - outstanding < Self.patience { return }
      let key = typedAhead.removeFirst()
      // Where the mouse was on its way is of no use once it is elsewhere.
      if case .drag = key, case .drag? = typedAhead.first { continue }
      if case .background(let isDark) = key {
        // Nobody pressed that: what the person is told at the start stays.
        terminal.use(isDark: isDark)
      } else {
        perform(controller.handle(key, view))
      }
      draw()
    }
    tellScrollSoon()
  }

  /// How long a screen stands still before the host is told how far it is scrolled.
  private static let restingTime: Duration = .milliseconds(300)

  /// Tells the host how far the screens in front are scrolled, once nobody is scrolling: it is so again in the next run.
  private func tellScrollSoon() {
    scrollTask?.cancel()
    scrollTask = Task { [weak self] in
      guard (try? await Task.sleep(for: Self.restingTime)) != nil else { return }
      self?.tellScroll()
    }
  }

  private func tellScroll() {
    for pane in connection.presentation.top?.columns ?? [] {
      guard let lines = controller.state.scroll[pane.node], lines != max(0, pane.scroll ?? 0) else { continue }
      actions?.yield(.scroll(pane.node, lines: lines))
    }
  }

  /// Whether a question of the supervisor's own waits for its answer: it belongs to a node that no host has.
  private var isAsked: Bool { connection.presentation.top?.node == 0 }

  /// Whether it answers the supervisor's question with going on waiting.
  private func isWait(_ action: Event.Action) -> Bool {
    switch action {
    case .back, .dismiss: true
    case .tap(let target):
      connection.presentation.reachable.contains { $0.id == target.element && $0.role == .cancel }
    default: false
    }
  }

  /// How long keys wait for the answer to an event.
  private static let patience: Duration = .seconds(1)

  private func perform(_ outcome: Controller.Outcome) {
    switch outcome {
    case .nothing, .redraw: break
    case .send(let action):
      // What is asked because a host does not answer does not wait for its answer.
      if isAsked {
        let isWait = isWait(action)
        Task {
          await send(action)
          waitsOn = isWait && !isAsked
          draw()
        }
        return
      }
      if Self.mayChangeScreen(action) { outstanding = .now }
      actions?.yield(action)
    case .quit: stop(0)
    case .copy(let text):
      terminal.copy(text)
      controller.state.status = .init(.information, "Copied: \(TextWidth.fit(text, 60))")
    case .showReport(let file): showReport(file ?? report)
    case .reload:
      controller.state.status = .init(.information, "Reloading…")
      Task {
        do {
          tell([.init(.information, try await connection.reload(nil))])
        } catch {
          tell([.init(.refusal, "\(error)")])
        }
        refresh()
      }
    case .restart:
      Task {
        do {
          try await connection.restart()
          tell([.init(.information, "The features were restarted.")])
        } catch {
          tell([.init(.refusal, "\(error)")])
        }
        refresh()
      }
    }
  }

  /// How much of a report is shown, in bytes.
  private static let longestReport = 200_000

  private func showReport(_ report: String?) {
    guard let report else {
      controller.state.status = .init(.information, "There is no report: nothing has crashed.")
      return
    }
    var text = ""
    // A feature may name anything in what it tells: a pipe would be waited for.
    let descriptor = open(report, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    if descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      close(descriptor)
      text = "'\(report)' is no file, so there is nothing to read."
    } else if descriptor >= 0, let file = fdopen(descriptor, "r") {
      var buffer = [CChar](repeating: 0, count: 4_096)
      // What the file holds for a replay is for no person to read.
      while text.utf8.count < Self.longestReport, fgets(&buffer, Int32(buffer.count), file) != nil, buffer[0] != 0x7b {
        text += String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
      fclose(file)
      text += "\nThe report is \(report)"
    } else {
      text = "\(report) is not there yet: \(String(cString: strerror(errno))). Try again in a moment."
    }
    controller.state.overlay = .text(text, title: "Report", scroll: 0)
  }

  // MARK: The host

  /// Sends what the person did, in order, one at a time.
  private func sendActions() -> Task<Void, Never> {
    let stream = AsyncStream<Event.Action> { actions = $0 }
    return Task { [weak self] in
      for await action in stream { await self?.send(action) }
    }
  }

  private func send(_ action: Event.Action) async {
    do {
      let update = try await connection.send(action)
      tell(update.notices)
      begin(update.transition)
    } catch {
      tell([.init(.failure, "\(error)")])
    }
    if case .edit(let target, _) = action, var edit = controller.state.edits[target] {
      edit.unanswered = max(0, edit.unanswered - 1)
      controller.state.edits[target] = edit
    }
    if Self.mayChangeScreen(action) { outstanding = nil }
    refresh()
    handleKeys()
  }

  private static func mayChangeScreen(_ action: Event.Action) -> Bool {
    switch action {
    case .edit, .focus, .scroll: false
    default: true
    }
  }
}
