#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The text of a parameter that is not a value of the wanted type, as the cause of a decoding error.
struct LinkMistake: Error {
  private let text: String
  /// The problem after the text, such as `is not a whole number (Int)`.
  private let problem: String

  /// Returns the error of a text that is not a value of a type.
  static func error(_ text: String, isNot type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
    error(LinkMistake(text: text, problem: "is not \(wanted(type, text)) (\(type))"), path)
  }

  private static func error(_ mistake: LinkMistake, _ path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(.init(codingPath: path, debugDescription: mistake.problem, underlyingError: mistake))
  }

  /// Decodes a value of a feature's own type, and adds the text to its errors.
  static func wrapping<Value>(
    _ type: Value.Type, _ text: String?, _ path: [any CodingKey], _ decode: () throws -> Value
  ) throws -> Value {
    do {
      return try decode()
    } catch {
      guard let text else { throw error }
      throw wrap(error, text, type, path)
    }
  }

  /// Returns the error of a feature's own type with the text that does not fit.
  static func wrap(_ error: any Error, _ text: String, _ type: Any.Type, _ path: [any CodingKey]) -> any Error {
    switch error as? DecodingError {
    case .keyNotFound, .valueNotFound: return error
    case .dataCorrupted(let context) where context.underlyingError is LinkMistake: return error
    default:
      if error is NavigationError { return error }
      let problem = "does not fit \(type): \(StoredRoute.brief(error))"
      return Self.error(LinkMistake(text: text, problem: problem), path)
    }
  }

  /// Returns an error whose description names the text and its parameter.
  static func naming(_ error: DecodingError, _ values: LinkValues) -> DecodingError {
    guard case .dataCorrupted(let context) = error, let mistake = context.underlyingError as? LinkMistake,
      let name = context.codingPath.last?.stringValue
    else { return error }
    let kind = values.path.contains { $0.name == name } ? "component" : "parameter"
    let end = mistake.text.count > 80 ? "…" : ""
    return .dataCorrupted(
      .init(
        codingPath: context.codingPath,
        debugDescription: "'\(mistake.text.prefix(80))\(end)' for the \(kind) '\(name)' \(mistake.problem)",
        underlyingError: mistake))
  }

  private static func wanted(_ type: Any.Type, _ text: String) -> String {
    switch type {
    case let type as any FixedWidthInteger.Type: wholeNumber(type, text)
    case is any BinaryFloatingPoint.Type: "a number"
    case is Bool.Type: "true or false"
    case is URL.Type: "a URL"
    case is Decimal.Type: "a decimal number"
    case is Date.Type: "a date such as 2026-01-31T12:00:00Z"
    default: "base 64"
    }
  }

  /// Returns the wanted numbers; their range, too, if the text is a number outside of it.
  private static func wholeNumber<Number: FixedWidthInteger>(_ type: Number.Type, _ text: String) -> String {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let isNumber = !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return "a whole number" + (isNumber ? " from \(Number.min) to \(Number.max)" : "")
  }
}
