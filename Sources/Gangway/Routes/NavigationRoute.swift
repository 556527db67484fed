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

  /// The version of this type's encoding, from 1.
  static var schema: Int { get }
}

extension NavigationRoute {
  /// The case's name in words.
  public var title: String? { nil }
  /// It is pushed again.
  public var onRepeat: RepeatPolicy { .push }
  /// Whether they are equal.
  public func isRepeat(of other: Self) -> Bool { self == other }
  /// The first version.
  public static var schema: Int { 1 }
}

/// What happens when a route is shown that is in the stack already.
public enum RepeatPolicy: Hashable, Sendable {
  /// It is pushed again.
  case push
  /// When it is on top, the top entry goes and a new one takes its place.
  case replaceTop
  /// When it is on top, nothing happens.
  case reuseTop
  /// When it is anywhere in the stack, everything above it goes.
  case popTo
}

/// The style in which an entry is presented.
public struct PresentationStyle: Hashable, Sendable {
  enum Kind: String { case push, modal, fullScreen, root }
  let kind: Kind
  let isDismissible: Bool

  /// On top of the stack.
  public static let push = PresentationStyle(kind: .push, isDismissible: true)
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
  /// Over everything, covering it; one that is not dismissible ends only from its own code.
  public static func fullScreen(dismissible: Bool) -> PresentationStyle {
    PresentationStyle(kind: .fullScreen, isDismissible: dismissible)
  }
}
