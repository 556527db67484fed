/// The target of an entry: a route of its coordinator, or a place in another feature.
enum RouteValue {
  case route(any NavigationRoute)
  case place(Place)
  /// A route from a checkpoint that its coordinator has not decoded yet.
  case encoded(String, schema: Int)

  /// The route as a developer would write it.
  var description: String {
    switch self {
    case .route(let route): String(describing: route)
    case .place(let place): "\(place.id)(\(place.payload))"
    case .encoded(let text, _): text
    }
  }
}

extension RouteValue: Codable {
  private enum Key: CodingKey { case route, schema, place, payload }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .route(let route):
      try container.encode(try StoredValue.encode(route), forKey: .route)
      try container.encode(type(of: route).schema, forKey: .schema)
    case .encoded(let text, let schema):
      try container.encode(text, forKey: .route)
      try container.encode(schema, forKey: .schema)
    case .place(let place):
      try container.encode(place.id.rawValue, forKey: .place)
      try container.encode(place.payload, forKey: .payload)
      try container.encode(place.schema, forKey: .schema)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let schema = try container.decode(Int.self, forKey: .schema)
    if let place = try container.decodeIfPresent(String.self, forKey: .place) {
      let payload = try container.decode(String.self, forKey: .payload)
      self = .place(Place(id: ContributionID(place), payload: payload, schema: schema))
    } else {
      self = .encoded(try container.decode(String.self, forKey: .route), schema: schema)
    }
  }

  /// Returns the route as a coordinator's type.
  ///
  /// - Throws: `payload` if the route cannot be decoded, `foreignRoute` if it is of another type.
  func resolved<Route: NavigationRoute>(as type: Route.Type) throws -> Route {
    switch self {
    case .route(let route):
      if let own = route as? Route { return own }
      throw NavigationError(.foreignRoute(route: "\(route)", type: "\(Route.self)"))
    case .encoded(let text, let schema): return try StoredRoute.decode(Route.self, from: text, schema: schema)
    case .place: throw NavigationError(.noRoute(type: "\(Route.self)"))
    }
  }
}

/// A route with its encoded form, which is made once, when a checkpoint first needs it.
struct StoredRoute {
  private(set) var value: RouteValue
  private var encoded: String?

  init(_ value: RouteValue, description: String? = nil) {
    self.value = value
    knownDescription = description
    if case .encoded(let text, _) = value { encoded = text }
  }

  /// Sets the typed route for one that came from a checkpoint.
  ///
  /// - Parameters:
  ///   - route: the decoded route.
  ///   - isCurrent: whether the stored text stays valid; otherwise the route is encoded again, because a migration
  ///     changed it.
  mutating func resolve(_ route: any NavigationRoute, isCurrent: Bool) {
    value = .route(route)
    guard !isCurrent else { return }
    encoded = nil
    knownDescription = nil
  }

  var schema: Int {
    switch value {
    case .route(let route): type(of: route).schema
    case .encoded(_, let schema): schema
    case .place(let place): max(1, place.schema)
    }
  }

  /// Returns a stored route, migrated by its type if another version stored it.
  ///
  /// - Throws: ``NavigationError`` with the code `payload`, which has the stored text and the reason why it does not
  ///   decode.
  static func decode<Route: NavigationRoute>(_ type: Route.Type, from text: String, schema: Int) throws -> Route {
    do {
      if schema == Route.schema { return try StoredValue.decode(Route.self, from: text) }
      return try Route.migrate(StoredForm(json: text, schema: schema), from: schema)
    } catch {
      throw NavigationError(
        .unreadableRoute(
          type: "\(Route.self)", stored: text, schema: schema, current: Route.schema, why: Self.brief(error)))
    }
  }

  /// Returns the text of a decoding error, without its nested types.
  static func brief(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, _): "it lacks '\(key.stringValue)'"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\(type) was expected" + (context.codingPath.last.map { " for '\($0.stringValue)'" } ?? "")
    case .dataCorrupted(let context): context.debugDescription
    default: "\(error)"
    }
  }

  var place: Place? {
    if case .place(let place) = value { place } else { nil }
  }

  /// The route as JSON text; nil for a place.
  /// - Throws: the error of the route's `encode(to:)`.
  mutating func encodedRoute() throws -> String? {
    switch value {
    case .place: return nil
    case .encoded(let text, _): return text
    case .route(let route):
      if let encoded { return encoded }
      let text = try StoredValue.encode(route)
      encoded = text
      return text
    }
  }

  /// The route as a developer would write it.
  var description: String {
    mutating get {
      if let knownDescription { return knownDescription }
      // The stored text stands for it only until the route is decoded.
      if case .encoded(let text, _) = value { return text }
      let description = value.description
      knownDescription = description
      return description
    }
  }
  private var knownDescription: String?

  /// The title of an entry whose screen has none: the route's, or the name of the case or place in words.
  var fallbackTitle: String {
    mutating get {
      if let knownTitle { return knownTitle }
      if case .encoded = value { return Self.title(of: value) }
      // The record of the entry needs the description, too, and making it is slow.
      let title =
        if case .route(let route) = value { route.title ?? Self.title(of: description) } else { Self.title(of: value) }
      knownTitle = title
      return title
    }
  }
  private var knownTitle: String?

  static func title(of value: RouteValue) -> String {
    switch value {
    case .route(let route): route.title ?? title(of: String(describing: route))
    case .place(let place): words(place.id.name)
    case .encoded: "…"
    }
  }

  /// Returns the title of a route without one of its own, by its description.
  private static func title(of description: String) -> String { words(description.prefix { $0 != "(" }) }

  /// Returns the name of a route's enum case; empty for a route that is not an enum.
  static func caseName(of route: some NavigationRoute) -> String {
    Mirror(reflecting: route).displayStyle == .enum ? String(String(describing: route).prefix { $0 != "(" }) : ""
  }

  /// Returns a name in words: `newGame` and `new-game` become `New game`.
  static func words(_ name: some StringProtocol) -> String {
    var words = ""
    for character in name {
      if character == "-" || character == "_" {
        words.append(" ")
      } else if character.isUppercase, let last = words.last, last.isLowercase {
        words.append(" " + character.lowercased())
      } else {
        words.append(character)
      }
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension NavigationRoute {
  /// Returns whether this route repeats another of unknown type.
  func isRepeat(ofAny other: RouteValue) -> Bool {
    guard case .route(let other) = other, let same = other as? Self else { return false }
    return isRepeat(of: same)
  }

  /// Returns whether this route equals another of unknown type.
  func isEqual(toAny other: RouteValue) -> Bool {
    guard case .route(let other) = other, let same = other as? Self else { return false }
    return self == same
  }
}
