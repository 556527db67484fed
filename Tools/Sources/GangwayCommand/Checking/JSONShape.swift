import FoundationEssentials

/// The form of a JSON value, to compare an example with the name of a type.
indirect enum JSONShape: Decodable {
  case null, bool, integer, number, string
  case array([JSONShape])
  case object([String: JSONShape])

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self) {
      var members: [String: JSONShape] = [:]
      for key in object.allKeys { members[key.stringValue] = try object.decode(JSONShape.self, forKey: key) }
      self = .object(members)
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var items: [JSONShape] = []
      while !list.isAtEnd { items.append(try list.decode(JSONShape.self)) }
      self = .array(items)
      return
    }
    let value = try decoder.singleValueContainer()
    self =
      if value.decodeNil() {
        .null
      } else if (try? value.decode(Bool.self)) != nil {
        .bool
      } else if (try? value.decode(Int.self)) != nil || (try? value.decode(UInt.self)) != nil {
        .integer
      } else if (try? value.decode(Double.self)) != nil {
        .number
      } else {
        .string
      }
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Returns whether a value can be one of a type.
  ///
  /// Only types of the standard library are compared, because the names of other types do not tell how they are
  /// encoded.
  ///
  /// - Parameters:
  ///   - json: the value as JSON. Text that is not JSON fits every type.
  ///   - type: the name of the type, such as `Array<Int>`.
  static func fits(_ json: String, type: String) -> Bool {
    guard let shape = try? JSONDecoder().decode(JSONShape.self, from: Data(json.utf8)) else { return true }
    return shape.fits(type[...])
  }

  /// Returns whether values of a type can be compared: it is a type of the standard library.
  static func isComparable(_ type: String) -> Bool {
    type.split { "<>, ".contains($0) }.allSatisfy { known.contains(String($0)) }
  }

  /// The types whose form is known; a payload of ``NoPayload`` is never compared.
  private static let known: Set<String> = [
    "Optional", "Array", "Set", "String", "Substring", "Character", "Bool", "Int", "Int8", "Int16",
    "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float", "NoPayload",
  ]

  private func fits(_ type: Substring) -> Bool {
    func argument(_ name: String) -> Substring? {
      guard type.hasPrefix(name + "<"), type.hasSuffix(">") else { return nil }
      return type.dropFirst(name.count + 1).dropLast()
    }
    if let wrapped = argument("Optional") {
      if case .null = self { return true }
      return fits(wrapped)
    }
    if let element = argument("Array") ?? argument("Set") {
      guard case .array(let items) = self else { return false }
      return items.allSatisfy { $0.fits(element) }
    }
    if argument("Dictionary")?.hasPrefix("String, ") == true {
      guard case .object = self else { return false }
      return true
    }
    switch type {
    case "String", "Substring", "Character":
      guard case .string = self else { return false }
    case "Bool":
      guard case .bool = self else { return false }
    case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64":
      guard case .integer = self else { return false }
    case "Double", "Float":
      switch self {
      // A value that JSON cannot hold, such as infinity, may be encoded as text.
      case .integer, .number, .string: return true
      default: return false
      }
    default: return true
    }
    return true
  }
}
