/// A value that names a place in a coordinator's flow, with its payload.
///
/// A route is usually an enum nested in the coordinator. Checkpoints store its cases by name, so renaming a case needs
/// a migration.
public protocol NavigationRoute: Codable, Hashable, Sendable {
  /// The title of an entry whose screen has none; nil stands for the case's name in words.
  var title: String? { get }

  /// The policy for a route that is already in the stack.
  ///
  /// By default, the route is pushed again.
  var onRepeat: RepeatPolicy { get }

  /// Returns whether this route repeats `other`.
  ///
  /// By default, equal routes repeat each other.
  func isRepeat(of other: Self) -> Bool

  /// The appearance of the bars around the entry.
  var appearance: RouteAppearance { get }

  /// The version of this type's encoding, from 1.
  ///
  /// Raise it when stored routes no longer decode, and implement ``migrate(_:from:)``.
  static var schema: Int { get }

  /// Converts a route that another version stored.
  ///
  /// - Parameters:
  ///   - stored: the stored value.
  ///   - schema: the version that stored it.
  /// - Throws: the reason why there is no such route. The entry is then parked: it shows the reason, and the stored
  ///   value is kept.
  static func migrate(_ stored: StoredForm, from schema: Int) throws -> Self
}

/// The appearance of the bars around an entry.
public struct RouteAppearance: Hashable, Sendable {
  /// Whether front ends leave out the line with the path, or the navigation bar.
  public var hidesBar: Bool
  /// Whether front ends show no control for going back.
  ///
  /// The event `back` still works.
  public var hidesBackButton: Bool
  /// A word that front ends may draw as a color, such as `red`.
  public var tint: String?

  /// Creates an appearance.
  public init(hidesBar: Bool = false, hidesBackButton: Bool = false, tint: String? = nil) {
    self.hidesBar = hidesBar
    self.hidesBackButton = hidesBackButton
    self.tint = tint
  }

  /// The default appearance of each front end.
  public static let standard = RouteAppearance()
}

/// A stored value, as a migration reads it.
public struct StoredForm: Hashable, Sendable {
  /// The value as JSON text.
  public let json: String
  /// The version that stored the value.
  public let schema: Int

  /// Creates a stored value for the test of a migration.
  ///
  /// - Parameters:
  ///   - json: the value as JSON text, as that version wrote it.
  ///   - schema: the version.
  public init(json: String, schema: Int = 1) {
    self.json = json
    self.schema = schema
  }

  /// Creates a stored value from a value that encodes as that version did.
  ///
  /// - Throws: `EncodingError`.
  public init(_ value: some Encodable, schema: Int = 1) throws {
    self.init(json: try StoredValue.encode(value), schema: schema)
  }

  /// Returns the stored value, decoded as a type of the version that stored it.
  ///
  /// - Throws: `DecodingError` if the value is not of this type.
  public func decode<Old: Decodable>(_ type: Old.Type) throws -> Old { try StoredValue.decode(type, from: json) }
}

/// The error of a route that has no migration from a stored version to the current one.
struct NoMigration: Error, CustomStringConvertible {
  let type: String
  let from: Int
  let to: Int
  var description: String { "\(type) has no migration from version \(from) to \(to)" }
}

extension NavigationRoute {
  /// Nil: the case's name in words is the title.
  public var title: String? { nil }
  /// The policy that pushes the route again.
  public var onRepeat: RepeatPolicy { .push }
  /// Returns whether the two routes are equal.
  public func isRepeat(of other: Self) -> Bool { self == other }
  /// The default appearance of each front end.
  public var appearance: RouteAppearance { .standard }
  /// Version 1.
  public static var schema: Int { 1 }
  /// Throws, because the route has no migration.
  public static func migrate(_ stored: StoredForm, from schema: Int) throws -> Self {
    throw NoMigration(type: "\(Self.self)", from: schema, to: Self.schema)
  }
}

/// The policy for showing a route that is already in the stack.
public enum RepeatPolicy: Hashable, Sendable {
  /// Pushes the route again.
  case push
  /// Replaces the top entry with a new one, if the route is on top.
  case replaceTop
  /// Does nothing if the route is on top.
  case reuseTop
  /// Removes everything above the entry, if the route is anywhere in the stack.
  case popTo
}

/// The style in which an entry is presented.
public struct PresentationStyle: Hashable, Sendable {
  enum Kind: String { case push, detail, modal, fullScreen, root }
  let kind: Kind
  let isDismissible: Bool

  /// The style that puts the entry on top of the stack.
  public static let push = PresentationStyle(kind: .push, isDismissible: true)
  /// The style that puts the entry on the stack as the detail of the entry below.
  ///
  /// A front end with enough room shows both entries beside each other, up to three columns. A front end with one
  /// column pushes the detail.
  ///
  /// An entry that is pushed on a detail replaces the detail in its column. If the screen of an earlier column shows an
  /// entry, the entry replaces everything above that screen, as with one column.
  public static let detail = PresentationStyle(kind: .detail, isDismissible: true)
  /// The style that shows the entry over everything, as a sheet that the user can dismiss.
  public static let modal = PresentationStyle(kind: .modal, isDismissible: true)
  /// The style that covers everything with the entry, which the user can dismiss.
  public static let fullScreen = PresentationStyle(kind: .fullScreen, isDismissible: true)
  /// The style that replaces the stack's first entry and removes the entries above it.
  public static let root = PresentationStyle(kind: .root, isDismissible: true)

  /// Returns the style of a sheet over everything; if it is not dismissible, only its own code ends it.
  public static func modal(dismissible: Bool) -> PresentationStyle {
    PresentationStyle(kind: .modal, isDismissible: dismissible)
  }
  /// The style as a word for checkpoints.
  var word: String { kind.rawValue + (isDismissible ? "" : "-fixed") }

  /// Creates the style for a word; an unknown word makes a push.
  init(word: String) {
    let isDismissible = !word.hasSuffix("-fixed")
    let kind = Kind(rawValue: isDismissible ? word : String(word.dropLast("-fixed".count))) ?? .push
    self.init(kind: kind, isDismissible: isDismissible)
  }

  init(kind: Kind, isDismissible: Bool) {
    self.kind = kind
    self.isDismissible = isDismissible
  }

  /// Returns the style of an entry that covers everything; if it is not dismissible, only its own code ends it.
  public static func fullScreen(dismissible: Bool) -> PresentationStyle {
    PresentationStyle(kind: .fullScreen, isDismissible: dismissible)
  }
}
