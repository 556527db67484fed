@_spi(FrontEnd) import GangwayProtocol

/// The error of a step that cannot be stored, such as one with a condition.
struct NotStorable: Error {}

/// An entry of a stack that a step looks for.
enum EntryMatch: Codable {
  case route(RouteValue)
  /// An entry that meets a condition, with the id of the entry that met it when the step was made.
  case condition(@MainActor (Node) -> Bool, found: NodeID?)
  case entry(NodeID)

  private enum Key: CodingKey { case route, entry }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .route(let route): try container.encode(route, forKey: .route)
    case .entry(let id), .condition(_, let id?): try container.encode(id, forKey: .entry)
    case .condition: throw NotStorable()
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let id = try container.decodeIfPresent(NodeID.self, forKey: .entry) {
      self = .entry(id)
    } else {
      self = .route(try container.decode(RouteValue.self, forKey: .route))
    }
  }
}

/// A tab that a step selects.
enum TabMatch: Codable {
  /// A tab of the flow.
  case tab(RouteValue)
  case node(Node)
  /// A tab of an earlier host.
  case id(NodeID)

  private enum Key: CodingKey { case tab, id }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .tab(let tab): try container.encode(tab, forKey: .tab)
    case .node(let node): try container.encode(node.id, forKey: .id)
    case .id(let id): try container.encode(id, forKey: .id)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let id = try container.decodeIfPresent(NodeID.self, forKey: .id) {
      self = .id(id)
    } else {
      self = .tab(try container.decode(RouteValue.self, forKey: .tab))
    }
  }

  @MainActor var description: String {
    switch self {
    case .tab(let tab): tab.description
    case .node(let node): node.title
    case .id(let id): "number \(id)"
    }
  }
}

/// An existing flow that a step of a plan finds.
struct FlowMatch: Codable {
  /// The id of the flow's node when the step was made; nil if it was not known.
  let id: NodeID?
  /// Finds the flow from the flow of the step; nil after a restart.
  private(set) var find: (@MainActor (Node) throws -> Node)?

  private enum CodingKeys: CodingKey { case id }

  func encode(to encoder: any Encoder) throws {
    guard let id else { throw NotStorable() }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
  }
}

/// The value that a flow ends with.
struct FlowResult: Codable {
  /// The value; nil after a restart.
  private(set) var value: (any Sendable)?
  /// The value as JSON text, after a restart; nil for no value.
  private(set) var text: String?

  init(_ value: any Sendable) { self.value = value }
  init(text: String?) { self.text = text }

  private enum CodingKeys: CodingKey { case text }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(try encoded(), forKey: .text)
  }

  /// Returns the value as JSON text; nil for no value.
  ///
  /// - Throws: ``NotStorable`` if the value has no coding.
  func encoded() throws -> String? {
    guard let value else { return text }
    if value is Void { return nil }
    guard let encodable = value as? any Encodable else { throw NotStorable() }
    return try StoredValue.encode(encodable)
  }

  /// The value of a flow of another host.
  var hosted: any Sendable { text.map { HostedResult(text: $0) } ?? () }

  /// Returns the value as the type that a coordinator ends with.
  ///
  /// - Throws: `unexpectedDestination` if the stored value has another type.
  @MainActor func output<C: Coordinator>(of coordinator: C) throws -> any Sendable {
    if let value { return value }
    guard let text else { return () }
    guard let type = C.Output.self as? any Decodable.Type, let value = try Self.decode(type, text) as? C.Output else {
      throw NavigationError(.unexpectedResult(found: text, wanted: "\(C.Output.self)"))
    }
    return value
  }

  private static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Any {
    try StoredValue.decode(type, from: text)
  }
}

/// The error that a flow ends with; after a restart, the flow is canceled instead.
struct FlowError: Codable {
  private(set) var error: (any Error)?

  init(_ error: any Error) { self.error = error }
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: NoKey.self) }
  private enum NoKey: CodingKey {}
}

/// A presentation style with a coding.
struct StoredStyle: Codable {
  let style: PresentationStyle

  init?(_ style: PresentationStyle?) {
    guard let style else { return nil }
    self.style = style
  }
  init(from decoder: any Decoder) throws {
    style = PresentationStyle(word: try decoder.singleValueContainer().decode(String.self))
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(style.word)
  }
}
