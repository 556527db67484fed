/// Makes a value that another plugin could return, so that the type of the plugin that takes it can be tried on it.
///
/// The plugin that takes a result declares only an example of its own type. So the example is changed until the other
/// plugin's type can be decoded from it. Missing keys are added, and values of other types are replaced. Encoded again,
/// it has exactly what the other plugin returns.
struct ResultExample {
  private struct NoResult: Error, CustomStringConvertible { let description = "the flow ends without a value" }

  /// The most changes of an example, for types that accept no value.
  private static let maximumChanges = 500

  /// The value as JSON text.
  private(set) var json = ""
  /// The places of invented values. Their types are right, and their content may not be.
  private var invented: Set<[String]> = []
  /// The places of invented values whose types are not known either, with the number of values that were tried.
  private var guessed: [[String]: Int] = [:]

  /// Makes a value of a type.
  ///
  /// - Parameters:
  ///   - type: the type of the plugin that returns the result.
  ///   - example: a value of the type that the other plugin takes, as JSON text.
  ///   - invents: whether values may be invented. Otherwise, the example must fit as it is.
  /// - Returns: the value; nil if none could be made, such as for a type that accepts only certain texts.
  /// - Throws: the reason why a flow has no result.
  static func make<Output>(_ type: Output.Type, like example: String, invents: Bool) throws -> ResultExample? {
    if type == Void.self { throw NoResult() }
    guard let type = type as? any Codable.Type, var value = try? StoredValue.decode(JSONTree.self, from: example) else {
      return nil
    }
    var made = ResultExample()
    for _ in 0..<maximumChanges {
      do {
        made.json = try encode(type, value)
        return made
      } catch let error as DecodingError {
        guard invents, made.change(&value, after: error) else { return nil }
      } catch {
        return nil
      }
    }
    return nil
  }

  private static func encode<Output: Codable>(_ type: Output.Type, _ value: JSONTree) throws -> String {
    try StoredValue.encode(StoredValue.decode(type, from: StoredValue.encode(value)))
  }

  /// Returns whether an error in decoding this value as another type says nothing about real values.
  func excuses(_ error: any Error) -> Bool {
    func contains(_ places: some Sequence<[String]>, _ path: [any CodingKey]) -> Bool {
      let path = path.map(\.stringValue)
      return places.contains { path.starts(with: $0) }
    }
    switch error as? DecodingError {
    case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      return contains(guessed.keys, context.codingPath)
    case .dataCorrupted(let context):
      return contains(invented, context.codingPath) || contains(guessed.keys, context.codingPath)
    default: return false
    }
  }

  /// Changes the part of a value that could not be decoded.
  private mutating func change(_ value: inout JSONTree, after error: DecodingError) -> Bool {
    switch error {
    case .keyNotFound(let key, let context):
      value.set(.null, at: context.codingPath[...] + [key])
      return true
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      guard let simple = JSONTree.simplest(of: type) else { return guess(&value, context.codingPath) }
      value.set(simple, at: context.codingPath[...])
      invented.insert(context.codingPath.map(\.stringValue))
      return true
    case .dataCorrupted(let context):
      return guess(&value, context.codingPath)
    @unknown default:
      return false
    }
  }

  /// Puts the next of some usual values at a place whose type is not known.
  private mutating func guess(_ value: inout JSONTree, _ path: [any CodingKey]) -> Bool {
    let number = guessed[path.map(\.stringValue), default: 0]
    guard number < JSONTree.usual.count else { return false }
    guessed[path.map(\.stringValue)] = number + 1
    value.set(JSONTree.usual[number], at: path[...])
    return true
  }
}

/// A JSON value.
enum JSONTree: Codable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  indirect case array([JSONTree])
  indirect case object([String: JSONTree])

  /// Values that common types accept: texts, numbers, addresses, dates and identifiers.
  static let usual: [JSONTree] = [
    .text(""), .integer(0), .text("https://example.org"), .text("2000-01-01T00:00:00Z"),
    .text("00000000-0000-0000-0000-000000000000"), .object([:]), .array([]), .bool(false),
  ]

  /// Returns the simplest value of a type that a decoder named; nil for another type.
  static func simplest(of type: Any.Type) -> JSONTree? {
    switch type {
    case is String.Type: .text("")
    case is Bool.Type: .bool(false)
    case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type: .integer(0)
    case is [String: Any].Type: .object([:])
    case is [Any].Type: .array([])
    default: nil
    }
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let array = try? value.decode([JSONTree].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSONTree].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .array(let array): try value.encode(array)
    case .object(let object): try value.encode(object)
    }
  }

  /// Replaces the value at a place inside this value, which becomes an object or array if it is not.
  mutating func set(_ new: JSONTree, at path: ArraySlice<any CodingKey>) {
    guard let key = path.first else {
      self = new
      return
    }
    let rest = path.dropFirst()
    if let index = key.intValue, case .array(var array) = self {
      while array.count <= index { array.append(.null) }
      array[index].set(new, at: rest)
      self = .array(array)
    } else {
      var object: [String: JSONTree] = [:]
      if case .object(let known) = self { object = known }
      object[key.stringValue, default: .null].set(new, at: rest)
      self = .object(object)
    }
  }
}
