@_spi(FrontEnd) import GangwayProtocol

extension Session {
  /// Handles an event.
  ///
  /// Its action starts at once and runs to its first suspension; then this method returns.
  ///
  /// - Returns: the update that answers the event. A refused event changes nothing, and a notice has the reason.
  @_spi(FrontEnd) public func handle(_ event: Event) -> Update {
    begin(event)
    return makeUpdate(answering: event.id)
  }

  /// Handles an event as ``handle(_:)`` does, and waits up to 100 ms for a feature that the event needs to load.
  ///
  /// So the user's next action applies to what they see. The event starts at once, and only this answer waits.
  @_spi(FrontEnd) public func answer(to event: Event) async -> Update {
    begin(event)
    await brieflyLoaded()
    return makeUpdate(answering: event.id)
  }

  /// Waits briefly for plugins that are loading.
  func brieflyLoaded() async {
    while navigation.hooks.isWaitingBriefly { await withCheckedContinuation { heldAnswers.append($0) } }
  }

  private func begin(_ event: Event) {
    _ = render()
    eventInHand = event.id
    eventRevision = event.revision
    work.serial += 1
    navigation.hooks.userActions = work.serial
    defer { eventInHand = nil }
    do {
      try perform(event)
    } catch {
      notices.append(
        .init(
          .refusal, NavigationError.personMessage(of: error),
          plugin: event.node.flatMap { navigation.table.nodes[$0]?.plugin }, detail: "\(error)"))
    }
  }

  /// The reason why an event could not be applied.
  struct EventFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private func perform(_ event: Event) throws {
    if case .tap(let target) = event.action { pressed = target } else { pressed = nil }
    switch event.action {
    case .tap, .edit, .toggle, .choose, .cell, .expand, .select, .sort, .submit, .file, .focus:
      event.node.map(navigation.table.noteActive)
      event.node.flatMap { navigation.table.nodes[$0]?.screen }?.noteVisit(of: event.element)
    case .window, .tab, .back, .backTo, .dismiss, .scroll, .open, .undo, .redo, .undoNotice: break
    }
    switch event.action {
    case .tap(let target): try tap(target, event)
    case .edit(let target, let text):
      guard case .edit(let edit) = try handler(target, .edit) else { return }
      edit(text)
    case .toggle(let target, let isOn):
      guard case .toggle(let set) = try handler(target, .toggle) else { return }
      set(isOn)
    case .choose(let target, let option):
      guard case .choose(let choose) = try handler(target, .choose) else { return }
      guard choose(option) else { throw EventFailure("There is no option '\(option)' to choose.") }
    case .cell(let target, let row, let column): try tapCell(target, row, column, event)
    case .expand(let target, let isExpanded):
      guard case .expand(let expand) = try detailsHandler(target) ?? handler(target, .expand) else { return }
      expand(isExpanded)
    case .select(let target, let keys):
      guard case .select(let select) = try handler(target, .select) else { return }
      let missing = select(keys)
      guard missing.isEmpty else {
        throw EventFailure("The row '\(missing[0])' is gone, so it was not selected.")
      }
    case .sort(let target, let column, let order):
      guard case .sort(let columns, let sort) = try handler(target, .sort) else { return }
      guard columns.contains(column) else {
        let names = columns.map { "'\($0)'" }.joined(separator: ", ")
        throw EventFailure("There is no column '\(column)' to sort by. Columns: \(names).")
      }
      sort(column, order)
    case .submit(let target):
      guard case .submit(let action) = try handler(target, .submit) else { return }
      act(on: target.node, event, navigation.table.nodes[target.node]?.plugin, action)
    case .file(let target, let file): try take(file, for: target, event)
    case .window(let target, let first, let count): try show(RowWindow(first: first, count: count), of: target)
    case .tab(let id):
      guard let tab = navigation.table.nodes[id], navigation.table.isVisible(tab.parent ?? tab) else {
        throw EventFailure("That tab is gone.")
      }
      try requireNoAlert()
      navigate(event) { try await $0.tap(tab) }
    case .back:
      if try !cancelAlert(event), !takeBack(event) { navigate(event) { try await $0.goBack() } }
    case .backTo(let id):
      try requireNoAlert()
      navigate(event) { try await $0.goBack(to: id) }
    case .dismiss:
      if try !cancelAlert(event) { navigate(event) { try await $0.dismissModal() } }
    case .open(let url): navigate(event) { try await $0.open(url, Intent(source: .link)) }
    case .undo: navigate(event) { try await $0.stepBack() }
    case .redo: navigate(event) { try await $0.stepForward() }
    case .undoNotice(let id):
      guard let notice = navigation.hooks.undoableNotices.take(id) else {
        throw EventFailure("This can no longer be undone.")
      }
      work.start(event: event.id, plugin: notice.plugin, notice.undo)
    case .focus(let id, let element):
      navigation.table.setFocus(element, of: id)
      navigation.table.nodes[id]?.screen?.focus.note(element)
    case .scroll(let id, let lines): navigation.table.setScroll(lines, of: id)
    }
    noteEntered(event)
  }

  /// Drops the stored value of an input that the user changes, even if that value still waits for its option or row.
  private func noteEntered(_ event: Event) {
    switch event.action {
    case .edit, .toggle, .choose, .select: break
    default: return
    }
    guard let element = event.element, let node = event.node.flatMap({ navigation.table.nodes[$0] }),
      let screen = node.screen, node.awaitedInputs.remove(element) != nil
    else { return }
    navigation.table.noteValues(of: node, screen)
  }

  /// Starts a navigation of the user, which is done when this returns, unless it has to wait for a guard.
  private func navigate(_ event: Event, _ change: @escaping @MainActor (Planner) async throws -> Void) {
    let plugin = event.node.flatMap { navigation.table.nodes[$0]?.plugin }
    work.start(event: event.id, plugin: plugin) { [planner = navigation.planner] in try await change(planner) }
  }

  private func tap(_ target: Event.ElementReference, _ event: Event) throws {
    if try tapPlaceholder(target, event) { return }
    let plugin = navigation.table.nodes[target.node]?.plugin
    switch try handler(target, .action) {
    case .action(let action): act(on: target.node, event, plugin, action)
    case .download(let make):
      guard let node = navigation.table.nodes[target.node] else { return }
      act(on: target.node, event, plugin) { [navigation] in navigation.offer(try await make().handOver(), from: node) }
    default: break
    }
  }

  /// Gives a file from the user to the element's action, and removes the file after it.
  private func take(_ file: HandedFile, for target: Event.ElementReference, _ event: Event) throws {
    let remove = { try? HandoverFolder().remove(file.path) }
    do {
      guard case .file(let rules, let action) = try handler(target, .file) else { return }
      let chosen = try rules.check(file)
      act(on: target.node, event, navigation.table.nodes[target.node]?.plugin) {
        defer { _ = remove() }
        try await action(chosen)
      }
    } catch {
      _ = remove()
      throw error
    }
  }

  private func tapCell(_ target: Event.ElementReference, _ row: Int, _ column: Int, _ event: Event) throws {
    guard case .cell(let rows, let columns, let action) = try handler(target, .cell) else { return }
    guard (0..<rows).contains(row), (0..<columns).contains(column) else {
      throw EventFailure(
        "The grid (\(rows) × \(columns)) has no cell in row \(row + 1), column \(column + 1)."
      )
    }
    let element = navigation.table.nodes[target.node]?.screen?.elements.element(target.element)
    guard element?.cells[row][column].isEnabled == true else {
      throw EventFailure("The cell in row \(row + 1), column \(column + 1) cannot be tapped now.")
    }
    act(on: target.node, event, navigation.table.nodes[target.node]?.plugin) { try await action(row, column) }
  }

  /// Starts the action of an element.
  ///
  /// It ends with the screen.
  private func act(
    on node: NodeID, _ event: Event, _ plugin: PluginID?, _ action: @escaping @MainActor () async throws -> Void
  ) {
    let screen = navigation.table.nodes[node]?.screen
    let action = work.start(event: event.id, plugin: plugin, action)
    if navigation.table.nodes[node]?.screen === screen { screen?.follow(action) }
  }

  /// Renders other rows of a list or table.
  ///
  /// Users can scroll even in elements that they cannot act on.
  private func show(_ window: RowWindow, of target: Event.ElementReference) throws {
    guard let screen = navigation.table.nodes[target.node]?.screen,
      screen.elements.element(target.element) != nil
    else { throw EventFailure("This element is gone.") }
    // If all rows are rendered now, there is nothing left to show.
    screen.windows[target.element]?(window)
  }

  /// Returns the handler of an element that is on the top layer, enabled, and of the expected kind.
  private func handler(_ target: Event.ElementReference, _ verb: ElementHandler.Verb) throws -> ElementHandler {
    let front = navigation.table.visible.layers.last
    guard let front, let top = front.screens.first(where: { $0.id == target.node }), let screen = top.screen else {
      let title = navigation.table.nodes[target.node].map { "'\($0.title)'" } ?? "The screen of this element"
      throw EventFailure("\(title) is no longer in front. Nothing was done.")
    }
    guard let element = screen.elements.element(target.element) else {
      throw EventFailure("This element is no longer on '\(top.title)'. Nothing was done.")
    }
    guard let since = screen.since[target.element]?.revision, since <= eventRevision else {
      throw EventFailure("'\(element.label)' had only just appeared, so nothing was done. Try again.")
    }
    if let (alert, asker) = openAlert, asker !== top || alert.children.element(element.id) != element {
      throw EventFailure("Answer '\(alert.label)' first.")
    }
    guard element.isEnabled else {
      let reason = element.detail.map { ": " + $0 + (".!?…。".contains($0.last ?? " ") ? "" : ".") }
      throw EventFailure("'\(element.label)' is not available" + (reason ?? " now."))
    }
    guard let handler = screen.handlers[target.element, verb] else {
      throw EventFailure("'\(element.label)' \(verb.mismatch): its kind is now \(element.kind.rawValue).")
    }
    return handler
  }

  /// Runs the back action of the screen in front; returns false if going back should leave the screen.
  private func takeBack(_ event: Event) -> Bool {
    guard navigation.planner.waitingPlan == nil, let top = navigation.table.visible.layers.last?.top,
      let back = top.screen?.back
    else { return false }
    act(on: top.id, event, top.plugin, back)
    return true
  }

  private var openAlert: (alert: Element, top: Node)? {
    for node in navigation.table.visible.layers.last?.screens.reversed() ?? [] {
      if let alert = node.screen?.openAlert { return (alert, node) }
    }
    return nil
  }

  private func requireNoAlert() throws {
    if let (alert, _) = openAlert { throw EventFailure("Answer '\(alert.label)' first.") }
  }

  /// Answers an open alert with its cancel button; returns false if none is open.
  private func cancelAlert(_ event: Event) throws -> Bool {
    guard let (alert, top) = openAlert else { return false }
    guard let cancel = alert.children.firstElement(where: { $0.role == .cancel }) else {
      throw EventFailure(
        "Answer '\(alert.label)' first: \(alert.children.map(\.label).joined(separator: ", ")).")
    }
    try tap(Event.ElementReference(node: top.id, element: cancel.id), event)
    return true
  }
}
