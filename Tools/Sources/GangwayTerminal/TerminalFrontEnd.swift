import Dispatch
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The full-screen front end of a session.
@MainActor package final class TerminalFrontEnd {
  let connection: any SessionConnection
  private let terminal: NcursesTerminal
  private var scrollTask: Task<Void, Never>?
  var controller: Controller
  private var view: TerminalView
  var outbox = Outbox()
  var told = ToldPlaces()
  /// The task that empties the outbox; nil if the outbox is empty.
  var sender: Task<Void, Never>?
  private var report: String?
  /// The time since which an unfinished event keeps the host busy.
  private var busySince: ContinuousClock.Instant?
  /// The time since which an event has no answer.
  private var unansweredSince: ContinuousClock.Instant?
  private var motion: Task<Void, Never>?
  /// The transition that is being shown; nil if there is none.
  private var animation: TransitionAnimation?
  private let showsMotion: Bool
  /// The last request for rows of a long list, with the revision that it was made for.
  ///
  /// If another front end of the session has led a list elsewhere, this one waits for the user's next key. Otherwise
  /// both would request rows in turn, without end.
  private var rowRequest: (action: Event.Action?, revision: Revision, isLed: Bool) = (nil, 0, false)
  var typedAhead = TypedAhead()
  /// Whether the user chose to keep waiting for a host that does not answer, and it still has not answered.
  private var waitsOn = false
  /// Whether text is held because a question of the supervisor came before its answer.
  var isHoldingForQuestion = false
  var finish: CheckedContinuation<Int32, Never>?
  /// The text to print after the run; nil for none.
  package internal(set) var lastWords: String?

  /// Takes over the terminal.
  ///
  /// - Parameters:
  ///   - connection: the connection to the session.
  ///   - isStored: whether typed text survives to the next run; if not, quitting asks first.
  ///   - settings: the user's settings.
  /// - Throws: the reason why the terminal cannot be used; the terminal is then unchanged.
  package init(_ connection: any SessionConnection, isStored: Bool, settings: TerminalSettings = .init()) throws {
    self.connection = connection
    controller = Controller(isStored: isStored)
    controller.state.keys = settings.keys
    controller.state.accent = settings.accent
    showsMotion = settings.showsMotion
    terminal = try NcursesTerminal(settings)
    // A restored screen keeps its scroll position, even if the focused element is out of view.
    if let top = connection.presentation.top, top.columns.contains(where: { ($0.scroll ?? 0) > 0 }) {
      controller.state.followsFocus = false
    }
    let size = terminal.size
    view = TerminalView(
      connection.presentation, controller.state, columns: size.columns, rows: size.rows, glyphs: terminal.glyphs)
  }

  /// Runs until the user quits or the input ends.
  ///
  /// Afterwards, the app has all actions of the user, unless it did not answer; ``lastWords`` then says so.
  ///
  /// - Parameter notices: the messages to show at the start.
  /// - Returns: the exit code.
  package func run(_ notices: [Update.Notice]) async -> Int32 {
    tell(notices)
    connection.onUpdate = { [weak self] update in
      self?.waitsOn = false
      self?.tell(update.notices)
      self?.follow(update)
      self?.noteOthers()
      self?.refresh()
    }
    let sources = [
      readInput(), follow(SIGWINCH) { $0.terminal.resize() }, follow(SIGCONT) { $0.terminal.redraw() },
      // Handle Ctrl-Z between two drawings, instead of in ncurses' own handler.
      follow(SIGTSTP) { $0.terminal.suspend() },
    ]
    let code = await withCheckedContinuation { continuation in
      finish = continuation
      draw()
    }
    for task in [scrollTask, typedAhead.overdue, motion] { task?.cancel() }
    for source in sources { source.cancel() }
    tellPlaces()
    await sendRest()
    connection.onUpdate = { _ in }
    terminal.close()
    return code
  }

  /// Adds the links of all plugins, loaded or not, to the list of places to go to.
  package func offer(links: [String]) { controller.state.links = links }

  /// Ends ``run(_:)`` from outside, for example after a signal.
  package func stop(_ code: Int32) {
    finish?.resume(returning: code)
    finish = nil
  }

  // MARK: Drawing

  private func draw() {
    // A late update must not draw on a terminal that was already restored.
    guard finish != nil else { return }
    let size = terminal.size
    followWork()
    view = TerminalView(
      connection.presentation, controller.state, columns: size.columns, rows: size.rows, glyphs: terminal.glyphs)
    controller.state.scroll = view.state.scroll
    controller.state.anchors = view.state.anchors
    controller.state.wantedSight = view.state.wantedSight
    controller.state.alert.scroll = view.state.alert.scroll
    controller.noteDrawnFocus(view)
    terminal.show(pictureOnTheWay() ?? view.canvas)
    showMissingRows()
    if view.isMoving || busySince != nil || animation != nil { moveSoon() }
  }

  /// Moves the focus where an update moves it, and begins its transition.
  func follow(_ update: Update) {
    if let focus = update.focus { controller.follow(focus) }
    guard let transition = update.transition else { return }
    animation = showsMotion ? TransitionAnimation(transition, from: view.canvas) : nil
  }

  /// Returns the current picture of the transition; nil if there is none or it has ended.
  private func pictureOnTheWay() -> Canvas? {
    guard let picture = animation?.picture(of: view.canvas) else {
      animation = nil
      return nil
    }
    return picture
  }

  /// The time after which the status line shows that work is going on.
  private static let workingTime: Duration = .milliseconds(300)
  /// The time after which the status line shows how to restart.
  private static let longTime: Duration = .seconds(2)
  /// The duration of each frame of an animation.
  private static let frameTime: Duration = .milliseconds(120)

  /// Updates the activity indicator, which appears only for work that takes long.
  private func followWork() {
    let isPending = connection.pending.contains { $0.event != nil && $0.isWaiting != true }
    let isBusy = typedAhead.outstanding != nil || waitsOn || isPending
    busySince = isBusy ? busySince ?? .now : nil
    let time = busySince.map { ContinuousClock.now - $0 } ?? .zero
    controller.state.isWorking = time >= Self.workingTime
    // Work that goes on, such as an import, is not a feature that does not answer.
    unansweredSince = typedAhead.outstanding == nil ? nil : unansweredSince ?? .now
    controller.state.takesLong = waitsOn || unansweredSince.map { .now - $0 >= Self.longTime } == true
  }

  /// Redraws after a moment, as long as anything moves.
  private func moveSoon() {
    guard motion == nil else { return }
    motion = Task { [weak self] in
      let isAnimating = self?.animation != nil
      try? await Task.sleep(for: isAnimating ? TransitionAnimation.frameTime : Self.frameTime)
      guard let self, !Task.isCancelled else { return }
      motion = nil
      controller.state.frame = (controller.state.frame + 1) % 1_000
      draw()
    }
  }

  /// Asks the host for rows of a long list that are in view or near, and are not loaded.
  ///
  /// So a key that moves by a row seldom waits for the host.
  private func showMissingRows() {
    // Rows that a key asked for come first. A later request for the rows in view would move the list back to them.
    guard !rowRequest.isLed, let (target, row) = view.missing ?? view.sparse, !outbox.asksForRows(of: target) else {
      return
    }
    let action = Controller.window(around: row, of: target, visibleRows: view.visibleRows)
    // A request is not repeated for the same revision: its rows are on their way, or the host does not have them.
    let revision = connection.presentation.revision
    guard rowRequest.action != action || rowRequest.revision != revision else { return }
    rowRequest = (action, revision, false)
    post(action)
  }

  /// Notes whether another front end has asked for other rows.
  private func noteOthers() {
    guard let panes = connection.presentation.top?.columns else { return }
    if panes.contains(where: controller.hasOtherRows) { rowRequest.isLed = true }
  }

  func refresh() {
    controller.update(connection.presentation)
    // Text that was typed before the question is sent again, unless the host has handled it in the meantime.
    if isHoldingForQuestion, !isAsked {
      addFrontText()
      sendOutbox()
    }
    draw()
  }

  func tell(_ notices: [Update.Notice]) {
    controller.tell(notices)
    // Front ends whose users do nothing save no files.
    if outbox.hasPressed {
      for file in notices.compactMap(\.file) { save(file) }
    }
    if let file = controller.state.status?.report { report = file }
  }

  // MARK: Input

  private func readInput() -> any DispatchSourceProtocol {
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    // The event handler already runs on the main queue, so a task would only add delay.
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.readKeys() } }
    source.resume()
    return source
  }

  private func follow(
    _ number: Int32, _ action: @escaping @MainActor @Sendable (TerminalFrontEnd) -> Void
  ) -> any DispatchSourceProtocol {
    SignalSource.follow(number, on: .main) { [weak self] in
      Task { @MainActor in
        guard let self else { return }
        action(self)
        self.draw()
      }
    }
  }

  private func readKeys() {
    guard finish != nil else { return }
    guard let keys = terminal.input.keys() else { return stop(0) }
    // A key ends the transition.
    animation = nil
    typedAhead.keys += keys
    handleKeys()
    // Input that ncurses has already read does not trigger the source again.
    if terminal.input.hasMore { Task { @MainActor in self.readKeys() } }
  }

  /// Handles typed keys in order.
  ///
  /// The meaning of a key depends on the screen after the one before. While the host handles an event that may change
  /// the screen, keys wait, for at most ``TypedAhead/patience``.
  func handleKeys() {
    while !typedAhead.keys.isEmpty, finish != nil {
      if !isAsked, let wait = typedAhead.remainingWait { return handleKeys(after: wait) }
      let key = typedAhead.keys.removeFirst()
      rowRequest.isLed = false
      // Only the last position of a drag matters.
      if case .drag = key, case .drag? = typedAhead.keys.first { continue }
      if case .background(let isDark) = key {
        // The answer to the query is not a key press, so the message at the start stays.
        terminal.use(isDark: isDark)
      } else {
        perform(controller.handle(key, view))
      }
      draw()
    }
    tellPlacesSoon()
  }

  /// Handles the waiting keys later, even if no answer and no other key arrives.
  private func handleKeys(after time: Duration) {
    guard typedAhead.overdue == nil else { return }
    typedAhead.overdue = Task { [weak self] in
      guard (try? await Task.sleep(for: time)) != nil, let self else { return }
      typedAhead.overdue = nil
      handleKeys()
    }
  }

  /// The time without keys and answers after which the host gets the focus and the scroll position.
  private static let restingTime: Duration = .milliseconds(300)

  /// Reports the focus and the scroll positions of the front screens once the user stops moving, so that the next run
  /// restores them.
  private func tellPlacesSoon() {
    scrollTask?.cancel()
    scrollTask = Task { [weak self] in
      guard (try? await Task.sleep(for: Self.restingTime)) != nil else { return }
      self?.tellPlaces()
    }
  }

  private func tellPlaces() {
    // An alert has the focus only until its answer.
    let presentation = connection.presentation
    guard presentation.alert == nil else { return }
    let active = controller.state.activePane(presentation)
    for action in told.news(of: presentation.top?.columns ?? [], active: active, controller.state) { post(action) }
  }

  /// Whether a question of the supervisor is open. Such a question belongs to node 0, which no host has.
  var isAsked: Bool { connection.presentation.top?.node == 0 }

  /// Returns whether an action answers the supervisor's question with "keep waiting".
  private func isWait(_ action: Event.Action) -> Bool {
    switch action {
    case .back, .dismiss: true
    case .tap(let target):
      connection.presentation.reachable.contains { $0.id == target.element && $0.role == .cancel }
    default: false
    }
  }

  private func perform(_ outcome: Controller.Outcome) {
    switch outcome {
    case .nothing, .redraw: break
    case .send(let action):
      // The answer to the supervisor's question must not queue behind events for a host that does not answer.
      // Text is no answer: it is held until the question is gone.
      var isEdit = false
      if case .edit = action { isEdit = true }
      if isAsked, !isEdit {
        let isWait = isWait(action)
        Task {
          tell(await perform(action)?.notices ?? [])
          refresh()
          handleKeys()
          waitsOn = isWait && !isAsked
          draw()
        }
        return
      }
      if Self.mayChangeScreen(action) { typedAhead.outstanding = .now }
      post(action)
    case .quit: stop(0)
    case .sendFile(let target, let path, let limit): sendFile(path, to: target, limit: limit)
    case .saveFile(let file): save(file)
    case .copy(let text):
      terminal.copy(text)
      controller.state.status = .init(.information, Words.Status.copied(TextWidth.fit(text, 60)))
    case .showReport(let file): showReport(file ?? report)
    case .reload:
      controller.state.status = .init(.information, Words.Status.reloading)
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
          tell([.init(.information, Words.Status.restarted)])
        } catch {
          tell([.init(.refusal, "\(error)")])
        }
        refresh()
      }
    }
  }

  /// The most bytes of a report that are shown.
  private static let longestReport = 200_000

  private func showReport(_ report: String?) {
    guard let report else {
      controller.state.status = .init(.information, Words.Status.noReport)
      return
    }
    var text = ""
    // A feature can name any file in a message. Opening a pipe without O_NONBLOCK would block.
    let descriptor = open(report, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    if descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      close(descriptor)
      text = Words.Report.notAFile(report)
    } else if descriptor >= 0, let file = fdopen(descriptor, "r") {
      var buffer = [CChar](repeating: 0, count: 4_096)
      // The JSON in the file is only for a replay, so reading stops before it.
      while text.utf8.count < Self.longestReport, fgets(&buffer, Int32(buffer.count), file) != nil, buffer[0] != 0x7b {
        text += String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
      fclose(file)
      text += "\n" + Words.Report.path(report)
    } else {
      text = Words.Report.notWritten(report, reason: String(cString: strerror(errno)))
    }
    controller.state.overlay = .text(text, title: Words.Report.title, scroll: 0)
  }
}
