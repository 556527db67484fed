/// A value that names a place in a coordinator's flow, with its payload.
///
/// Usually an enum nested in the coordinator. Its cases are stored in checkpoints by name: renaming one takes a
/// migration.
public protocol NavigationRoute: Codable, Hashable, Sendable {
  /// The title of the entry, unless its screen has one; nil stands for the case's name in words.
  var title: String? { get }

  /// What happens when the route is asked for while it is already there. By default it is pushed again.
  var onRepeat: RepeatPolicy { get }

  /// Whether this route, asked for while `other` is there, is a repeat of it. By default: whether they are equal.
  func isRepeat(of other: Self) -> Bool

  /// How front ends show the entry's surroundings.
  var appearance: RouteAppearance { get }

  /// The version of this type's encoding, from 1. Raise it when a stored route no longer decodes, and give ``migrate(_:from:)``.
  static var schema: Int { get }

  /// Makes a route of one that was stored in another version.
  ///
  /// - Parameters:
  ///   - stored: what was stored.
  ///   - schema: the version it was stored in.
  /// - Throws: why there is none; the entry is then parked, its reason shown in its place, and what was stored is kept.
  static func migrate(_ stored: StoredForm, from schema: Int) throws -> Self
}

/// How front ends show the surroundings of an entry.
public struct RouteAppearance: Hashable, Sendable {
  /// Whether the line with the path, or a navigation bar, is left out.
  public var hidesBar: Bool
  /// Whether no control for going back is shown. The event `back` works all the same.
  public var hidesBackButton: Bool
  /// A word that front ends may draw as a colour, such as `red`.
  public var tint: String?

  /// Makes an appearance.
  public init(hidesBar: Bool = false, hidesBackButton: Bool = false, tint: String? = nil) {
    self.hidesBar = hidesBar
    self.hidesBackButton = hidesBackButton
    self.tint = tint
  }

  /// As a front end does by itself.
  public static let standard = RouteAppearance()
}

/// A value as it was stored, to be read by a migration.
public struct StoredForm: Hashable, Sendable {
  /// The value as JSON text.
  public let json: String
  /// The version it was stored in.
  public let schema: Int

  /// Makes a stored value, as a test of a migration needs one.
  ///
  /// - Parameters:
  ///   - json: the value as JSON text, as that version wrote it.
  ///   - schema: the version.
  public init(json: String, schema: Int = 1) {
    self.json = json
    self.schema = schema
  }

  /// Makes a stored value of one that encodes as that version did.
  ///
  /// - Throws: `EncodingError`.
  public init(_ value: some Encodable, schema: Int = 1) throws {
    self.init(json: try StoredValue.encode(value), schema: schema)
  }

  /// Reads it as a type of the version it was stored in.
  ///
  /// - Throws: `DecodingError` if it is none.
  public func decode<Old: Decodable>(_ type: Old.Type) throws -> Old { try StoredValue.decode(type, from: json) }
}

/// Why there is no way from a stored version to this one.
struct NoMigration: Error, CustomStringConvertible {
  let type: String
  let from: Int
  let to: Int
  var description: String { "\(type) has no migration from version \(from) to \(to)" }
}

extension NavigationRoute {
  /// The case's name in words.
  public var title: String? { nil }
  /// It is pushed again.
  public var onRepeat: RepeatPolicy { .push }
  /// Whether they are equal.
  public func isRepeat(of other: Self) -> Bool { self == other }
  /// As a front end does by itself.
  public var appearance: RouteAppearance { .standard }
  /// The first version.
  public static var schema: Int { 1 }
  /// There is no migration.
  public static func migrate(_ stored: StoredForm, from schema: Int) throws -> Self {
    throw NoMigration(type: "\(Self.self)", from: schema, to: Self.schema)
  }
}

/// What happens when a route is shown that is in the stack already.
public struct RepeatPolicy: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case push, replaceTop, reuseTop, popTo }
  let kind: Kind

  /// It is pushed again.
  public static let push = RepeatPolicy(kind: .push)
  /// When it is on top, the top entry goes and a new one takes its place.
  public static let replaceTop = RepeatPolicy(kind: .replaceTop)
  /// When it is on top, nothing happens.
  public static let reuseTop = RepeatPolicy(kind: .reuseTop)
  /// When it is anywhere in the stack, everything above it goes.
  public static let popTo = RepeatPolicy(kind: .popTo)
}

/// The style in which an entry is presented.
public struct PresentationStyle: Hashable, Sendable {
  enum Kind: String { case push, detail, modal, fullScreen, root }
  let kind: Kind
  let isDismissible: Bool

  /// On top of the stack.
  public static let push = PresentationStyle(kind: .push, isDismissible: true)
  /// On top of the stack, as the detail of the entry below: where there is room a front end shows both beside each other,
  /// three such entries at the most. Where there is one column it is a push.
  ///
  /// What is pushed on a detail takes its place in its column. What the screen of an entry below shows from its own column takes
  /// the place of all that stands on that entry, as it would where there is one column.
  public static let detail = PresentationStyle(kind: .detail, isDismissible: true)
  /// Over everything, as a sheet that the person may dismiss.
  public static let modal = PresentationStyle(kind: .modal, isDismissible: true)
  /// Over everything, covering it, and the person may dismiss it.
  public static let fullScreen = PresentationStyle(kind: .fullScreen, isDismissible: true)
  /// In place of the stack's first entry; the entries above it go.
  public static let root = PresentationStyle(kind: .root, isDismissible: true)

  /// Over everything, as a sheet; one that is not dismissible ends only from its own code.
  public static func modal(dismissible: Bool) -> PresentationStyle {
    PresentationStyle(kind: .modal, isDismissible: dismissible)
  }
  /// The style as a word, as checkpoints hold it.
  var word: String { kind.rawValue + (isDismissible ? "" : "-fixed") }

  /// The style of a word; a push where there is no such style.
  init(word: String) {
    let isDismissible = !word.hasSuffix("-fixed")
    let kind = Kind(rawValue: isDismissible ? word : String(word.dropLast("-fixed".count))) ?? .push
    self.init(kind: kind, isDismissible: isDismissible)
  }

  init(kind: Kind, isDismissible: Bool) {
    self.kind = kind
    self.isDismissible = isDismissible
  }

  /// Over everything, covering it; one that is not dismissible ends only from its own code.
  public static func fullScreen(dismissible: Bool) -> PresentationStyle {
    PresentationStyle(kind: .fullScreen, isDismissible: dismissible)
  }
}
