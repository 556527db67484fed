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
    let lists = presentation.reachable.filter { $0.selects != nil }
    guard let list = rows.first?.container ?? lists.first else {
      throw FlowFailure("There are no rows to select on the screen:\n\(screen)", at: place)
    }
    try await act(on: "#\(list.id)", [.list, .table], place) { .select($0, keys: rows.map(\.key)) }
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
    let first = presentation.reachable.first { $0.rowCount != nil }
    guard let name = label ?? first.map({ "#\($0.id)" }) else {
      throw FlowFailure("No list or table on the screen has more rows:\n\(screen)", at: place)
    }
    try await act(on: name, [.list, .table], place) { .window($0, first: rows.lowerBound, count: rows.count) }
  }

  /// Presses a command of a row's menu.
  public func tap(
    _ label: String, inRow name: String, file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    let commands = (try row(name, place).row.map { [$0] } ?? []).flattened
    guard let command = commands.first(where: { [.button, .link].contains($0.kind) && $0.label == label }) else {
      let labels = commands.filter { [.button, .link].contains($0.kind) }.map { "'\($0.label)'" }
      throw FlowFailure(
        "The row '\(name)' has no command '\(label)'. "
          + "It has \(labels.isEmpty ? "none" : labels.joined(separator: ", ")).",
        at: place)
    }
    try await act(on: "#\(command.id)", [.button, .link], place) { .tap($0) }
  }

  /// Sorts the table that has this column.
  public func sort(
    by column: String, _ order: Element.Column.Order = .ascending, file: String = #fileID, line: Int = #line
  ) async throws {
    let place = SourcePlace(file: file, line: line)
    let tables = presentation.reachable.filter { $0.columns?.contains { $0.title == column } == true }
    guard let table = tables.first, let id = table.columns?.first(where: { $0.title == column })?.id else {
      throw FlowFailure("There is no column '\(column)' on the screen:\n\(screen)", at: place)
    }
    try await act(on: "#\(table.id)", [.table], place) { .sort($0, column: id, order: order) }
  }

  /// Presses Enter in a form, or in a field that accepts it; without a name, in the form on the screen.
  public func submit(_ label: String? = nil, file: String = #fileID, line: Int = #line) async throws {
    let place = SourcePlace(file: file, line: line)
    guard let name = label ?? presentation.reachable.first(where: { $0.kind == .form }).map({ "#\($0.id)" }) else {
      throw FlowFailure("There is no form on the screen:\n\(screen)", at: place)
    }
    try await act(on: name, [.form, .field, .number, .date], place) { .submit($0) }
  }

  private func row(_ name: String, _ place: SourcePlace) throws -> RowLookup.Match {
    do {
      return try RowLookup(name).find(in: presentation)
    } catch {
      throw FlowFailure("\(error)", at: place)
    }
  }
}
