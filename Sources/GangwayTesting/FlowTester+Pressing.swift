@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// Steps that press an element, and checks of the visible text.
extension FlowTester {
  /// Presses a button, a link, a row, or an answer of an alert; turns a toggle; or opens and closes a disclosure.
  public func tap(_ label: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    try await perform(try press(label, place), place)
  }

  /// Presses an element as ``tap(_:file:line:)`` does, without waiting for the work that it starts.
  ///
  /// Wait for the effect of the work with ``expect(_:file:line:)``.
  public func start(_ label: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    try await perform(try press(label, place), place, isReleased: true)
  }

  /// Waits until the screen, or a message of the last step, has a text, at most ``timeLimit``.
  ///
  /// - Throws: ``FlowFailure`` with the screen that is visible instead.
  public func expect(_ text: String, file: String = #fileID, line: Int = #line) async throws {
    let deadline = ContinuousClock.now + timeLimit
    while !screen.contains(text), !notices.contains(where: { $0.text.contains(text) }) {
      guard ContinuousClock.now < deadline else {
        throw FlowFailure(
          "The screen did not show '\(text)' within \(timeLimit). It shows:\n\(screen)",
          at: SourcePlace(file: file, line: line))
      }
      _ = await session.idle(within: .milliseconds(20))
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Checks that the screen does not show a text, once the flow is idle.
  ///
  /// - Throws: ``FlowFailure`` with the visible screen.
  public func refuse(_ text: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    try await settle(place)
    guard !screen.contains(text) else {
      throw FlowFailure("'\(text)' is on the screen, but must not be. The screen is:\n\(screen)", at: place)
    }
  }

  /// Returns the action that presses an element.
  private func press(_ label: String, _ place: SourcePlace) throws -> Event.Action {
    let (node, element) = try find(label, Element.Kind.kinds { [.tap, .toggle, .expand].contains($0.action) }, place)
    let target = Event.ElementReference(node: node, element: element.id)
    return switch element.kind.traits.action {
    case .toggle: .toggle(target, isOn: element.value != "on")
    case .expand: .expand(target, isExpanded: element.isExpanded != true)
    default: .tap(target)
    }
  }
}
