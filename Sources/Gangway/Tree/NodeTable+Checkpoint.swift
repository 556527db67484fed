@_spi(FrontEnd) import GangwayProtocol

/// Conversion of nodes to records and back.
extension NodeTable {
  /// Returns the record of every node.
  ///
  /// - Parameter failed: called with a node whose route does not encode, and the error.
  func checkpoint(_ failed: (Node, any Error) -> Void) -> Checkpoint {
    Checkpoint(
      nextNode: nextID, records: Dictionary(uniqueKeysWithValues: root.subtree.map { ($0.id, record($0, failed)) }))
  }

  /// Returns the changes since the last call; nil if there are none.
  func checkpointChange(_ failed: (Node, any Error) -> Void) -> Checkpoint.Change? {
    let (changed, removed) = takeChanges()
    guard !changed.isEmpty || !removed.isEmpty else { return nil }
    let records = changed.map { record($0, failed) }
    return Checkpoint.Change(changed: records, removed: removed.sorted(), nextNode: nextID)
  }

  private func record(_ node: Node, _ failed: (Node, any Error) -> Void) -> Checkpoint.Record {
    var record = Checkpoint.Record(
      id: node.id, parent: node.parent?.id, position: node.position, style: Self.word(node.style),
      schema: node.route?.schema ?? 1)
    do {
      record.route = try node.route?.encodedRoute()
    } catch {
      failed(node, error)
    }
    record.routeText = node.route?.description
    record.place = node.route?.place?.id.rawValue
    record.payload = node.route?.place?.payload
    record.plugin = node.plugin
    record.title = node.title
    record.badge = node.registeredTab == nil ? nil : node.tab.badge
    record.coordinator = node.coordinatorName
    record.state = node.state
    record.stateSchema = node.stateSchema == 1 ? nil : node.stateSchema
    record.parkedIntent = node.completion.parkedPlan
    if !Defect.forgetsSelection.isSeeded { record.selection = node.selection?.id }
    record.isUnadmitted = node.isUnadmitted ? true : nil
    record.isUnsaved = node.isUnsaved ? true : nil
    record.isAwaited = node.completion.isAwaited ? true : nil
    record.values = node.values.isEmpty ? nil : node.values
    record.elementStates = node.elementStates.isEmpty ? nil : node.elementStates
    record.focus = node.focus
    record.scroll = node.scroll
    return record
  }

  /// Creates the nodes of a valid checkpoint, without content.
  ///
  /// - Parameter isFromFile: whether guards run for each node before its content is made.
  func restore(_ checkpoint: Checkpoint, isFromFile: Bool) {
    guard let record = checkpoint.records[root.id] else { return }
    nextID = Defect.reusesNumbers.isSeeded ? 2 : max(checkpoint.nextNode, (checkpoint.records.keys.max() ?? 1) + 1)
    fill(root, from: record)
    addChildren(of: root, record, checkpoint.children, isFromFile)
  }

  private func addChildren(
    of parent: Node, _ record: Checkpoint.Record, _ children: [NodeID?: [Checkpoint.Record]], _ isFromFile: Bool
  ) {
    for (position, child) in (children[parent.id] ?? []).enumerated() {
      let node = Node(
        id: child.id, style: Self.style(child.style), route: Self.route(child), plugin: child.plugin,
        origin: isFromFile || child.isUnadmitted == true ? .file : .checkpoint)
      fill(node, from: child)
      node.parent = parent
      node.position = position
      parent.insertChild(node, at: position)
      if node.modalStyle != nil { parent.modalCount += 1 }
      adopt(node)
      addChildren(of: node, child, children, isFromFile)
    }
    parent.selection = record.selection.flatMap { id in parent.children.first { $0.id == id } }
  }

  private func fill(_ node: Node, from record: Checkpoint.Record) {
    if let title = record.title { (node.title, node.hasStoredTitle) = (title, true) }
    node.tab.badge = record.badge
    node.coordinatorName = record.coordinator
    node.state = record.state
    node.stateSchema = record.state == nil ? nil : record.stateSchema ?? 1
    node.completion.parkedPlan = record.parkedIntent.flatMap { StoredPlan.isReadable($0) ? $0 : nil }
    node.values = record.values ?? [:]
    node.elementStates = record.elementStates ?? [:]
    node.awaitStoredInputs()
    node.focus = record.focus
    node.scroll = record.scroll
    node.isUnsaved = record.isUnsaved ?? false
    node.completion.lostAwaiter = record.isAwaited ?? false
  }

  private static func route(_ record: Checkpoint.Record) -> StoredRoute? {
    if let place = record.place {
      return StoredRoute(
        .place(Place(id: ContributionID(place), payload: record.payload ?? "{}", schema: record.schema)))
    }
    return record.route.map { StoredRoute(.encoded($0, schema: record.schema), description: record.routeText) }
  }

  private static func word(_ style: Node.Style) -> String {
    switch style {
    case .root: "root"
    case .tab: "tab"
    case .entry(let style): style.word
    }
  }

  private static func style(_ word: String) -> Node.Style {
    switch word {
    case "root": .root
    case "tab": .tab
    default: .entry(PresentationStyle(word: word))
    }
  }
}

/// The values that a user left in a screen's inputs, with the focus and the scroll position.
extension NodeTable {
  /// Stores the values of inputs that differ from their first values.
  ///
  /// Secure fields are skipped.
  func noteValues(of node: Node, _ screen: ScreenHost) {
    noteUnsaved(node, screen.unsaved.hasChanges)
    screen.forgetOldRefusals(awaited: node.awaitedInputs)
    var values = node.values
    screen.elements.visit { element in
      guard let value = screen.storedValue(of: element) else { return }
      let isFirst = screen.noteFirstValue(value, of: element.id)
      guard node.awaitedInputs.isEmpty || !node.awaitedInputs.contains(element.id) else { return }
      if !isFirst || values[element.id] != nil { values[element.id] = value }
    }
    guard values != node.values || screen.state.values != node.elementStates else { return }
    (node.values, node.elementStates) = (values, screen.state.values)
    noteTouched(node)
    markChanged(node)
  }

  /// Notes whether a form of a screen has unsaved changes.
  func noteUnsaved(_ node: Node, _ isUnsaved: Bool) {
    guard node.isUnsaved != isUnsaved else { return }
    node.isUnsaved = isUnsaved
    markChanged(node)
  }

  func setFocus(_ element: ElementID?, of id: NodeID) {
    guard let node = nodes[id], node.focus != element else { return }
    node.focus = element
    markChanged(node)
  }

  func setScroll(_ lines: Int, of id: NodeID) {
    guard let node = nodes[id], node.scroll != lines else { return }
    node.scroll = max(0, lines)
    markChanged(node)
  }
}
