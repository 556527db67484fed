@_spi(FrontEnd) import GangwayProtocol

/// A stop of the up and down arrows: an element, or a row with all its elements.
///
/// The commands of an open menu appear below their row, and each is a stop.
struct FocusStop {
  /// The elements that can take focus at this stop; the arrows move to the first.
  var elements: [Element]
  /// The list that contains the stop; nil outside of lists.
  var list: ElementID?
  /// The row that contains the stop; nil outside of rows.
  var row: ElementID?
  /// Whether the stop is a command of an open menu.
  fileprivate var isCommand = false

  func contains(_ id: ElementID) -> Bool { elements.contains { $0.id == id } }
}

extension Presentation {
  /// Returns the stops of the screen in front, or of the alert over it, in display order.
  func stops(_ state: ViewState) -> [FocusStop] {
    guard let top else { return [] }
    var stops: [FocusStop] = []
    func add(_ element: Element, _ place: FocusStop) {
      if let last = stops.last, place.row != nil, last.row == place.row, !last.isCommand, !place.isCommand {
        stops[stops.count - 1].elements.append(element)
      } else {
        var stop = place
        stop.elements = [element]
        stops.append(stop)
      }
    }
    func collect(_ elements: [Element], _ place: FocusStop, isRow: Bool = false, isSelectable: Bool = false) {
      for element in elements {
        var place = place
        if isRow || place.row == nil && element.kind == .row { place.row = element.id }
        if element.isFocusable(inSelectableList: isSelectable) { add(element, place) }
        switch element.kind {
        case .list:
          let inside = FocusStop(elements: [], list: element.id)
          collect(element.children, inside, isRow: true, isSelectable: element.selects != nil)
        case .menu:
          // The commands of a closed menu are not shown.
          guard state.openMenus.contains(.init(node: top.node, element: element.id)) else { continue }
          place.isCommand = place.row != nil
          collect(element.children, place)
        default: collect(element.children, place)
        }
      }
    }
    collect(alert?.children ?? top.elements, FocusStop(elements: []))
    return stops
  }

  /// Returns the list or table with this id on the screen in front.
  func list(_ id: ElementID?) -> Element? {
    guard let id else { return nil }
    return top?.elements.flattened.first { $0.id == id }
  }

  /// Returns the focused row and its list, if the host has not sent that row.
  ///
  /// The row's number counts from 0.
  func awayRow(_ state: ViewState) -> (list: Element, row: Int)? {
    guard let top, alert == nil, let id = state.focus[top.node] ?? top.focus else { return nil }
    for (target, last) in state.focusedRows where target.node == top.node && last.element == id {
      guard let list = list(target.element), let count = list.rowCount, last.row < count,
        !(0..<list.children.count).contains(last.row - list.rowsAbove)
      else { continue }
      return (list, last.row)
    }
    return nil
  }
}

extension Element {
  /// Returns the number, from 0, of the row that is or contains an element; nil if no loaded row contains it.
  func row(of id: ElementID) -> Int? {
    children.firstIndex { [$0].flattened.contains { $0.id == id } }.map { $0 + rowsAbove }
  }
}
