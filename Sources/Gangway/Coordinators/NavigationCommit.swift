import GangwayProtocol

/// A change of a session's navigation, as it is told to who observes: in logs, for analytics, in titles.
public struct NavigationCommit: Sendable, CustomStringConvertible {
  /// An entry of a stack.
  public struct Entry: Sendable, CustomStringConvertible {
    /// Its number, which it keeps as long as it is there, over restarts too.
    public let node: NodeID
    /// What it shows, for whom, and what the person reads as its title.
    public let location: Location
    /// Whether it holds a flow, whose own entries are told beside it.
    public let isFlow: Bool

    /// The title.
    public var description: String { "\(location.title) (\(location))" }
  }

  /// An entry that went, and why.
  public struct Departure: Sendable {
    /// Why an entry went.
    public enum Reason: Hashable, Sendable {
      /// Its flow ended with a value.
      case finished
      /// It ended without one.
      case cancelled(CancellationReason)
      /// Its flow gave up, with this error.
      case failed(String)
    }

    /// The entry as it was last.
    public let entry: Entry
    /// Why it went.
    public let reason: Reason
  }

  /// Counts the session's commits from 1; a gap says how many were not told, because whoever observes was 256 behind. The
  /// first one that is told, `start`, has the number of the last commit before: its entries are those that are there.
  public let number: Int
  /// Who wanted it.
  public let source: NavigationRequest.Source
  /// The plugin whose code wanted it; nil for the application's, and for what the person did outside of any screen.
  public let plugin: String?
  /// What was done, such as `show detail(1)`; of a plan, its last operation.
  public let operation: String
  /// The entries that came.
  public let came: [Entry]
  /// The entries that went, the top one first.
  public let went: [Departure]
  /// The entries that have another payload now.
  public let updated: [Entry]
  /// What the person sees afterwards, from the root: the last one is in front.
  public let path: [Entry]

  /// The commit in a line.
  public var description: String {
    let titles = path.map(\.location.title).joined(separator: " > ")
    return "\(number)  \(source.rawValue)  \(operation)  \(titles)"
  }
}
