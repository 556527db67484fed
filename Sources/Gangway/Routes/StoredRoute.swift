/// Where an entry leads: a route of its coordinator, or a place in another feature.
enum RouteValue {
  case route(any NavigationRoute)
  case place(Place)
  /// A route from a checkpoint, not yet read by the coordinator it belongs to.
  case encoded(String, schema: Int)
}

/// A route with its encoded form, made once and only when a checkpoint needs it.
struct StoredRoute {
  private(set) var value: RouteValue
  private var encoded: String?

  init(_ value: RouteValue, description: String? = nil) {
    self.value = value
    if let description { self.description = description }
    if case .encoded(let text, _) = value { encoded = text }
  }

  /// Gives a route that came from a checkpoint its type; what was stored stays as it was written.
  mutating func resolve(_ route: any NavigationRoute) {
    value = .route(route)
    description = String(describing: route)
    fallbackTitle = Self.title(of: value)
  }

  var schema: Int {
    switch value {
    case .route(let route): type(of: route).schema
    case .encoded(_, let schema): schema
    case .place: 1
    }
  }

  var place: Place? {
    if case .place(let place) = value { place } else { nil }
  }

  /// The route as JSON text; nil for a place.
  ///
  /// - Throws: what the route's `encode(to:)` throws.
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
  private(set) lazy var description: String =
    switch value {
    case .route(let route): String(describing: route)
    case .place(let place): "\(place.id)(\(place.payload))"
    case .encoded(let text, _): text
    }

  /// A title for an entry whose screen has none: the route's, or the case's or place's name in words.
  private(set) lazy var fallbackTitle: String = Self.title(of: value)

  private static func title(of value: RouteValue) -> String {
    switch value {
    case .route(let route): route.title ?? words(String(describing: route).prefix { $0 != "(" })
    case .place(let place): words(place.id.split(separator: ".").last ?? "")
    case .encoded: "…"
    }
  }

  /// `newGame` and `new-game` as `New game`.
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
  /// Whether this route repeats another of unknown type.
  func isRepeat(ofAny other: RouteValue) -> Bool {
    guard case .route(let other) = other, let same = other as? Self else { return false }
    return isRepeat(of: same)
  }

  /// Whether this route equals another of unknown type.
  func isEqual(toAny other: RouteValue) -> Bool {
    guard case .route(let other) = other, let same = other as? Self else { return false }
    return self == same
  }
}
