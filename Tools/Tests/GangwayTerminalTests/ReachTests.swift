import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// The controls of all samples, each of which the keyboard alone and the mouse alone must reach.
@MainActor @Suite struct ReachTests {
  private let workshop: Workshop

  init() throws {
    setlocale(LC_ALL, "C.UTF-8")
    workshop = try Workshop()
  }

  @Test func everySampleIsWalkedBothWays() async throws {
    var count = 0
    try await SampleScreens.visit(workshop) { name, presentation in
      for (columns, rows) in [(40, 12), (80, 24), (120, 40)] { count += walk(presentation, columns, rows, name) }
    }
    #expect(count > 400)
  }

  /// Walks over a screen, and returns the number of its controls.
  private func walk(_ presentation: Presentation, _ columns: Int, _ rows: Int, _ name: String) -> Int {
    let wanted = Set(presentation.focusable(ViewState()).map(\.id))
    // Tab moves within a row and then leaves the list; the arrows reach the list's other rows.
    let found = byKey(.tab, presentation, columns, rows, wanted.count)
      .union(byKey(.down, presentation, columns, rows, wanted.count))
    #expect(wanted.subtracting(found).isEmpty, "\(name), by keys: \(wanted.subtracting(found))")
    let unreached = wanted.subtracting(byMouse(presentation, columns, rows))
    #expect(unreached.isEmpty, "\(name), by the mouse: \(unreached)")
    return wanted.count
  }

  private func view(_ presentation: Presentation, _ controller: Controller, _ columns: Int, _ rows: Int) -> TerminalView
  {
    TerminalView(presentation, controller.state, columns: columns, rows: rows)
  }

  private func byKey(_ key: Key, _ presentation: Presentation, _ columns: Int, _ rows: Int, _ count: Int)
    -> Set<ElementID>
  {
    var controller = Controller(isStored: true)
    var found: Set<ElementID> = []
    for _ in 0...count {
      let drawn = view(presentation, controller, columns, rows)
      (controller.state.scroll, controller.state.anchors) = (drawn.state.scroll, drawn.state.anchors)
      if let focused = drawn.presentation.focused(drawn.state) {
        found.insert(focused.id)
        // The focused element is visible once focus has moved.
        if !controller.state.focus.isEmpty { #expect(drawn.showsFocus, "\(focused.id) is out of sight") }
      }
      found.formUnion(controlsInRow(presentation, controller, columns, rows))
      _ = controller.handle(key, drawn)
    }
    return found
  }

  /// Returns the controls that Tab reaches from the focused row before it leaves that row.
  private func controlsInRow(_ presentation: Presentation, _ controller: Controller, _ columns: Int, _ rows: Int)
    -> Set<ElementID>
  {
    var controller = controller
    var found: Set<ElementID> = []
    var row: ElementID?
    while true {
      let drawn = view(presentation, controller, columns, rows)
      guard let focused = drawn.presentation.focused(controller.state),
        let stop = drawn.presentation.stops(controller.state).first(where: { $0.contains(focused.id) }),
        stop.row != nil, row == nil || stop.row == row, found.insert(focused.id).inserted
      else { return found }
      row = stop.row
      _ = controller.handle(.tab, drawn)
    }
  }

  private func byMouse(_ presentation: Presentation, _ columns: Int, _ rows: Int) -> Set<ElementID> {
    var controller = Controller(isStored: true)
    var found: Set<ElementID> = []
    for _ in 0..<200 {
      let drawn = view(presentation, controller, columns, rows)
      let before = drawn.state.scroll
      for row in 0..<rows {
        for column in 0..<columns {
          switch drawn.hit(row: row, column: column) {
          case .content(_, .element(let id)), .content(_, .cell(let id, _, _)), .content(_, .option(let id, _)):
            found.insert(id)
          default: break
          }
        }
      }
      (controller.state.scroll, controller.state.anchors) = (drawn.state.scroll, drawn.state.anchors)
      _ = controller.handle(.wheelDown, drawn)
      if view(presentation, controller, columns, rows).state.scroll == before { break }
    }
    return found
  }
}
