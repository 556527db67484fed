@_spi(FrontEnd) import GangwayProtocol

/// The actions in the placeholder of a flow that cannot be shown, by the ids of the elements.
enum PlaceholderAction: ElementID {
  case retry = "gangway.retry"
  case cancel = "gangway.cancel"
  case startOver = "gangway.start-over"
  case discard = "gangway.discard"

  /// The button of the action.
  var button: Element {
    switch self {
    case .retry: Element(id: rawValue, kind: .button, label: "Try again")
    case .cancel: Element(id: rawValue, kind: .button, label: "Cancel", role: .cancel)
    case .startOver: Element(id: rawValue, kind: .button, label: "Start over")
    case .discard: Element(id: rawValue, kind: .button, label: "Discard changes", role: .destructive)
    }
  }
}

/// The screens that stand in for flows that are loading, refused or unavailable.
extension Session {
  /// Returns the elements of a node's screen, or of its placeholder.
  func elements(of node: Node) -> [Element] {
    func problem(_ text: String) -> Element { Element(id: "problem", kind: .text, label: text, role: .problem) }
    func progress(_ text: String) -> Element { Element(id: "gangway.progress", kind: .progress, label: text) }
    let loading = node.title.isEmpty ? "Loading…" : "Loading '\(node.title)'…"
    switch node.phase {
    case .screen(let screen): return screen.elements
    case .hosted: return [progress(loading)]
    case .loading: return [progress(loading), PlaceholderAction.cancel.button]
    case .failed(let failure, _): return elements(of: failure)
    case .asking:
      let label = "Checking whether '\(node.title)' can open…"
      return [Element(id: "gangway.asking", kind: .text, label: label, role: .problem)]
    case .absent(let absence, _) where registry.isExpected(absence.plugin): return [progress(absence.reason)]
    case .absent(let absence, _):
      let name = node.title.isEmpty ? "This feature" : "'\(node.title)'"
      return [problem("\(name) is not available."), PlaceholderAction.retry.button, details(of: absence)]
    case .flow(.tabs):
      let advice = "'gangway new Hello' makes a feature; '--plugins-dir DIR' finds features in a folder."
      return [
        Element(
          id: "gangway.empty", kind: .empty, label: "No feature has a tab.",
          detail: node.parent == nil ? advice : nil)
      ]
    case .waiting, .flow: return [problem("This screen is empty.")]
    }
  }

  private func elements(of failure: Node.Failure) -> [Element] {
    let id: ElementID = failure.isRefused ? "gangway.refused" : "problem"
    let reason = Element(id: id, kind: .text, label: failure.reason, role: .problem)
    if failure.isStored { return [reason, PlaceholderAction.startOver.button] }
    guard failure.isRefused else { return [reason] }
    guard failure.keepsChanges else { return [reason, PlaceholderAction.retry.button] }
    let kept = Element(id: "gangway.kept", kind: .text, label: "Your changes are kept.")
    return [reason, kept, PlaceholderAction.retry.button, PlaceholderAction.discard.button]
  }

  /// The id of the disclosure with the reason for developers.
  static let details: ElementID = "gangway.details"

  /// Returns the reason for developers, which users see only if they ask for it.
  private func details(of absence: Node.Absence) -> Element {
    let reason = "The plugin \(absence.plugin) is not available: \(absence.reason)"
    var element = Element(
      id: Self.details, kind: .disclosure, label: "Details", value: absence.isExplained ? "on" : "off",
      children: absence.isExplained ? [Element(id: "gangway.reason", kind: .text, label: reason)] : [])
    element.isExpanded = absence.isExplained
    return element
  }

  /// Returns the handler of the details in a placeholder; nil if the element is not one.
  func detailsHandler(_ target: Event.ElementReference) throws -> ElementHandler? {
    guard target.element == Self.details, let node = navigation.table.nodes[target.node] else { return nil }
    try requireFront(node)
    guard case .absent(let absence, let origin) = node.phase else { throw Self.changed(node) }
    return .expand { [hooks = navigation.hooks] isExpanded in
      var shown = absence
      shown.isExplained = isExpanded
      node.phase = .absent(shown, origin)
      hooks.noteChange()
    }
  }

  /// Handles a tap on a placeholder; returns false if the element is not an action of one.
  func tapPlaceholder(_ target: Event.ElementReference, _ event: Event) throws -> Bool {
    guard let action = PlaceholderAction(rawValue: target.element), let node = navigation.table.nodes[target.node]
    else { return false }
    try requireFront(node)
    let planner = navigation.planner
    switch (node.phase, action) {
    case (.absent, .retry): navigation.maker.retry(node)
    case (.failed(let failure, _), .retry) where failure.isRefused: navigation.maker.reconsider(node)
    case (.failed(let failure, _), .discard) where failure.keepsChanges:
      work.start(event: event.id, plugin: node.plugin) { try await planner.discardKept(node) }
    case (.loading, .cancel): navigation.maker.cancelLoad(node)
    case (.failed(let failure, _), .startOver) where failure.isStored: navigation.maker.startOver(node)
    default: throw Self.changed(node)
    }
    return true
  }

  private func requireFront(_ node: Node) throws {
    guard navigation.table.visible.layers.last?.screens.contains(where: { $0 === node }) == true else {
      throw EventFailure("'\(node.title)' is no longer in front. Nothing was done.")
    }
  }

  private static func changed(_ node: Node) -> EventFailure {
    EventFailure("'\(node.title)' has changed in the meantime. Nothing was done.")
  }
}
