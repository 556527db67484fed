import GangwayProtocol

/// Writing a tree as records and making it of them again.
extension NavigationTree {
  /// Every node's record.
  func checkpoint() -> Checkpoint {
    Checkpoint(
      nextNode: nextID, records: Dictionary(uniqueKeysWithValues: root.subtree.map { ($0.id, record($0)) }))
  }

  /// What changed since the last call; nil if nothing did.
  func checkpointChange() -> Checkpoint.Change? {
    let (changed, removed) = takeChanges()
    guard !changed.isEmpty || !removed.isEmpty else { return nil }
    let records = changed.sorted().compactMap { nodes[$0].map(record) }
    return Checkpoint.Change(changed: records, removed: removed.sorted(), nextNode: nextID)
  }

  private func record(_ node: Node) -> Checkpoint.Record {
    var record = Checkpoint.Record(
      id: node.id, parent: node.parent?.id, position: node.position, style: Self.word(node.style),
      schema: schema(of: node))
    do {
      record.route = try node.route?.encodedRoute()
    } catch {
      report(
        .init(
          .failure,
          "The route \(node.route?.description ?? "") does not encode, so '\(node.title)' will not survive a "
            + "restart: \(error)", plugin: node.plugin))
    }
    record.routeText = node.route?.description
    record.place = node.route?.place?.id
    record.payload = node.route?.place?.payload
    record.plugin = node.plugin
    record.title = node.title
    record.coordinator = node.coordinatorName
    record.state = node.state
    record.stateSchema = node.stateSchema == 1 ? nil : node.stateSchema
    record.parkedIntent = node.completion.parkedIntent.flatMap { try? StoredValue.encode($0) }
    if !Defect.forgetsSelection.isSeeded { record.selection = node.selection?.id }
    record.isUnadmitted = node.isAdmitted ? nil : true
    record.isAwaited = node.completion.isAwaited ? true : nil
    record.values = node.values.isEmpty ? nil : node.values
    record.focus = node.focus
    record.scroll = node.scroll
    return record
  }

  /// The version a node's route or payload is encoded in.
  private func schema(of node: Node) -> Int {
    guard let route = node.route else { return 1 }
    if let place = route.place, place.schema == 0 { return registry.places[place.id]?.schema ?? 1 }
    return route.schema
  }

  /// Puts the nodes of a valid checkpoint in place, all dormant.
  ///
  /// - Parameter asksGuards: whether guards are asked about each before it is made.
  func restore(_ checkpoint: Checkpoint, asksGuards: Bool) {
    guard let record = checkpoint.records[root.id] else { return }
    nextID = Defect.reusesNumbers.isSeeded ? 2 : max(checkpoint.nextNode, (checkpoint.records.keys.max() ?? 1) + 1)
    let children = checkpoint.children
    fill(root, from: record)
    addChildren(of: root, record, children)
    if asksGuards {
      for node in root.subtree where node !== root { node.isAdmitted = false }
    }
  }

  private func addChildren(
    of parent: Node, _ record: Checkpoint.Record, _ children: [NodeID?: [Checkpoint.Record]]
  ) {
    for (position, child) in (children[parent.id] ?? []).enumerated() {
      let node = Node(id: child.id, style: Self.style(child.style), route: Self.route(child), plugin: child.plugin)
      fill(node, from: child)
      node.parent = parent
      node.position = position
      parent.children.append(node)
      if node.modalStyle != nil { parent.modalCount += 1 }
      adopt(node)
      addChildren(of: node, child, children)
    }
    parent.selection = record.selection.flatMap { id in parent.children.first { $0.id == id } }
  }

  private func fill(_ node: Node, from record: Checkpoint.Record) {
    node.isRestored = true
    node.isAdmitted = record.isUnadmitted != true
    if let title = record.title { node.title = title }
    node.coordinatorName = record.coordinator
    node.state = record.state
    node.stateSchema = record.state == nil ? nil : record.stateSchema ?? 1
    node.completion.parkedIntent = record.parkedIntent.flatMap { try? StoredValue.decode(StoredIntent.self, from: $0) }
    node.values = record.values ?? [:]
    node.hasValuesToRestore = !node.values.isEmpty
    node.focus = record.focus
    node.scroll = record.scroll
    node.completion.lostAwaiter = record.isAwaited ?? false
  }

  private static func route(_ record: Checkpoint.Record) -> StoredRoute? {
    if let place = record.place {
      return StoredRoute(.place(Place(id: place, payload: record.payload ?? "{}", schema: record.schema)))
    }
    return record.route.map {
      StoredRoute(.encoded($0, schema: record.schema), description: record.routeText)
    }
  }

  private static func word(_ style: Node.Style) -> String {
    switch style {
    case .root: "root"
    case .tab: "tab"
    case .entry(let style): style.kind.rawValue + (style.isDismissible ? "" : "-fixed")
    }
  }

  private static func style(_ word: String) -> Node.Style {
    switch word {
    case "root": .root
    case "tab": .tab
    case "modal": .entry(.modal)
    case "modal-fixed": .entry(.modal(dismissible: false))
    case "fullScreen": .entry(.fullScreen)
    case "fullScreen-fixed": .entry(.fullScreen(dismissible: false))
    default: .entry(.push)
    }
  }
}
