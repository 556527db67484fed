#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The types that a URL represents as one text, although other formats encode them differently.
///
/// URLs stay as they are, decimals are digits, dates are ISO 8601 in UTC, and data is base 64.
enum LinkText {
  /// Decodes a value of one of these types; returns nil for any other type.
  ///
  /// - Throws: `DecodingError` if the text is not a value of the type.
  static func value<Value>(_ type: Value.Type, from text: String, _ path: [any CodingKey]) throws -> Value? {
    guard isOne(type) else { return nil }
    let value: Any? =
      if type == URL.self {
        URL(string: text)
      } else if type == Decimal.self {
        decimal(text)
      } else if type == Date.self {
        date(text)
      } else {
        Data(base64Encoded: text)
      }
    guard let value = value as? Value else {
      throw LinkMistake.error(text, isNot: type, path)
    }
    return value
  }

  private static func isOne(_ type: Any.Type) -> Bool {
    type == URL.self || type == Decimal.self || type == Date.self || type == Data.self
  }

  /// Returns the text of a value; nil for a value of any other type, and for a decimal that is NaN.
  static func text(of value: Any) -> String? {
    switch value {
    case let address as URL: address.absoluteString
    case let number as Decimal: number.isNaN ? nil : number.description
    case let date as Date: iso8601(date)
    case let data as Data: data.base64EncodedString()
    default: nil
    }
  }

  private static func decimal(_ text: String) -> Decimal? {
    var digits = text[...]
    if digits.first == "-" || digits.first == "+" { digits = digits.dropFirst() }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
      return nil
    }
    // A `Decimal` holds 38 digits: a text with more digits would become another number.
    let significant = digits.filter { $0 != "." }.drop { $0 == "0" }
    guard significant.count <= 38, let value = Decimal(string: text), !value.isNaN else { return nil }
    return value
  }

  /// Parses a day, or a moment with its offset from UTC, as RFC 3339 defines them.
  ///
  /// The system's parser accepts more than RFC 3339.
  private static func date(_ text: String) -> Date? {
    guard isRFC3339(text), let day = try? Date(String(text.prefix(10)), strategy: days),
      day.formatted(days) == text.prefix(10)
    else { return nil }
    if text.utf8.count == 10 { return day }
    return (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
  }

  private static let days = Date.ISO8601FormatStyle().year().month().day()

  private static func isRFC3339(_ text: String) -> Bool {
    var rest = text.utf8[...]
    /// Consumes the start of the text if it has a form such as `####-##`, where `#` is a digit.
    func take(_ form: StaticString) -> Bool {
      form.withUTF8Buffer { form in
        guard rest.count >= form.count else { return false }
        let fits = zip(form, rest).allSatisfy { $0 == UInt8(ascii: "#") ? (48...57).contains($1) : $0 == $1 }
        if fits { rest = rest.dropFirst(form.count) }
        return fits
      }
    }
    func number(at position: Int) -> Int {
      text.utf8.dropFirst(position).prefix(2).reduce(0) { $0 * 10 + Int($1) - 48 }
    }
    guard take("####-##-##") else { return false }
    if rest.isEmpty { return true }
    guard take("T##:##:##"), number(at: 11) < 24, number(at: 14) < 60, number(at: 17) < 60 else { return false }
    if take(".#") { rest = rest.drop { (48...57).contains($0) } }
    return (take("Z") || take("+##:##") || take("-##:##")) && rest.isEmpty
  }

  /// Returns the date with whole seconds, or with milliseconds if it has a fraction.
  private static func iso8601(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: seconds != seconds.rounded(.down)))
  }
}
