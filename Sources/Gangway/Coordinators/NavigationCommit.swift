@_spi(FrontEnd) import GangwayProtocol

/// A committed change of a session's navigation, for observers such as logs, analytics and titles.
public struct NavigationCommit: Sendable, CustomStringConvertible {
  /// An entry of a stack.
  public struct Entry: Sendable, CustomStringConvertible {
    /// The entry's number, which stays the same while the entry exists, also across restarts.
    public let node: NodeID
    /// The entry's location: its plugin, its route or place, and the title that the user reads.
    public let location: Location
    /// Whether the entry holds a flow, whose own entries the commit lists separately.
    public let isFlow: Bool

    /// The title, and the route or place.
    public var description: String { "\(location.title) (\(location))" }
  }

  /// An entry that the commit removed, with the reason.
  public struct Departure: Sendable {
    /// The reason why an entry was removed.
    public enum Reason: Hashable, Sendable {
      /// The entry's flow ended with a value.
      case finished
      /// The entry ended without a value.
      case cancelled(CancellationReason)
      /// The entry's flow failed, with this message for the user.
      case failed(String)
    }

    /// The entry in its last state.
    public let entry: Entry
    /// The reason why the entry was removed.
    public let reason: Reason
  }

  /// The number of the commit, counted from 1 within the session.
  ///
  /// A gap in the numbers says how many commits the observer missed because it was 256 commits behind. The first commit
  /// that an observer receives is `start`. It repeats the number of the last commit before it, and contains all entries
  /// that exist.
  public let number: Int
  /// The source of the navigation.
  public let source: NavigationRequest.Source
  /// The plugin whose code navigated; nil for the application's code, and for user actions outside of any screen.
  public let plugin: PluginID?
  /// The operation, such as `show detail(1)`; for a plan, its last operation.
  public let operation: String
  /// The entries that the commit added.
  public let came: [Entry]
  /// The entries that the commit removed, the top entry first.
  public let went: [Departure]
  /// The entries whose payload the commit changed.
  public let updated: [Entry]
  /// The entries that the user sees after the commit, from the root to the front.
  public let path: [Entry]

  /// The commit in one line.
  public var description: String {
    let titles = path.map(\.location.title).joined(separator: " > ")
    return "\(number)  \(source.rawValue)  \(operation)  \(titles)"
  }
}
