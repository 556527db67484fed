@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Steps on rows, forms, dates and numbers.
extension FlowTester {
  /// Sets a date, to the minute; parts that the input does not set stay unchanged.
  public func choose(_ date: Date, in label: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let input = try find(label, [.date], place).element
    guard let text = DatePicker.text(of: date, role: input.role) else {
      throw FlowFailure(
        "The date, \(date.timeIntervalSince1970) s after 1970, is not between the years 1 and 9999.",
        at: place)
    }
    try await act(on: label, [.date], place) { .edit($0, text: text) }
  }

  /// Steps a number up or down.
  ///
  /// - Parameter steps: the number of steps; a negative number steps down.
  public func step(_ label: String, by steps: Int = 1, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let input = try find(label, [.number], place).element
    guard let text = input.stepped(by: steps) else {
      throw FlowFailure("'\(label)' holds '\(input.value ?? "")', which is not a number.", at: place)
    }
    try await act(on: label, [.number], place) { .edit($0, text: text) }
  }

  /// Expands or collapses a row or disclosure.
  public func expand(
    _ label: String, _ isExpanded: Bool = true, file: String = #fileID, line: Int = #line
  ) async throws {
    try await act(on: label, [.row, .disclosure], SourcePlace(file: file, line: line)) {
      .expand($0, isExpanded: isExpanded)
    }
  }

  /// Selects rows of a list or table by a text in them or by their keys, and deselects all others.
  ///
  /// Without a name, no row is selected.
  public func select(_ names: String..., file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let rows = try names.map { try row($0, place) }
    let list = rows.first.map { ($0.node, $0.found.container) } ?? presentation.first { $0.selects != nil }
    guard let (node, element) = list else {
      throw FlowFailure("There are no rows to select on the screen:\n\(screen)", at: place)
    }
    try await perform(.select(.init(node: node, element: element.id), keys: rows.map(\.found.key)), place)
  }

  /// Scrolls to a row of a long list or table, by a text in it or by its key.
  ///
  /// Of a long list, only the rows near the last visible ones are rendered and accept actions.
  public func scroll(to row: String, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    do {
      _ = try await RowLookup(row).find(in: { presentation }, show: { try await perform($0, place) })
    } catch let error as ElementLookup.Failure {
      throw FlowFailure("\(error)", at: place)
    }
  }

  /// Shows a part of a long list or table, as scrolling in a front end does.
  ///
  /// - Parameters:
  ///   - rows: the visible rows, from 0.
  ///   - label: the list's or table's label, or its id as `#id`; nil stands for the first long one on the screen.
  public func scroll(
    toRows rows: Range<Int>, of label: String? = nil, file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    let list = try label.map { try find($0, [.list, .table], place) } ?? presentation.first { $0.rowCount != nil }
    guard let (node, element) = list else {
      throw FlowFailure("No list or table on the screen has more rows:\n\(screen)", at: place)
    }
    let target = Event.ElementReference(node: node, element: element.id)
    try await perform(.window(target, first: rows.lowerBound, count: rows.count), place)
  }

  /// Presses a command of a row's menu.
  public func tap(
    _ label: String, inRow name: String, file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    let match = try row(name, place)
    let commands = (match.found.row.map { [$0] } ?? []).flattened
    guard let command = commands.first(where: { [.button, .link].contains($0.kind) && $0.label == label }) else {
      let labels = commands.filter { [.button, .link].contains($0.kind) }.map { "'\($0.label)'" }
      throw FlowFailure(
        "The row '\(name)' has no command '\(label)'. "
          + "It has \(labels.isEmpty ? "none" : labels.joined(separator: ", ")).",
        at: place)
    }
    try await perform(.tap(.init(node: match.node, element: command.id)), place)
  }

  /// Sorts the table that has this column.
  public func sort(
    by column: String, _ order: Element.Column.Order = .ascending, file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    guard let (node, table) = presentation.first(where: { $0.columns?.contains { $0.title == column } == true }),
      let id = table.columns?.first(where: { $0.title == column })?.id
    else { throw FlowFailure("There is no column '\(column)' on the screen:\n\(screen)", at: place) }
    try await perform(.sort(.init(node: node, element: table.id), column: id, order: order), place)
  }

  /// Presses Enter in a form, or in a field that accepts it; without a name, in the form on the screen.
  public func submit(_ label: String? = nil, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    let input = try label.map { try find($0, [.form, .field, .number, .date], place) }
    guard let (node, element) = input ?? presentation.first(where: { $0.kind == .form }) else {
      throw FlowFailure("There is no form on the screen:\n\(screen)", at: place)
    }
    try await perform(.submit(.init(node: node, element: element.id)), place)
  }

  private func row(_ name: String, _ place: SourcePlace) throws -> (node: NodeID, found: RowLookup.Match) {
    do {
      return try presentation.search { try RowLookup(name).find(in: $0) }
    } catch {
      throw FlowFailure("\(error)", at: place)
    }
  }
}
