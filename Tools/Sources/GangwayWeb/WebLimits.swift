/// How much a server takes of anybody, so that its memory is bounded and others are answered meanwhile.
public struct WebLimits: Sendable {
  /// How many bytes a message of a page may have.
  public var message = 1 << 20
  /// How many bytes the body of a request may have: a form with all that was typed.
  public var body = 2 << 20
  /// How many events and requests of a person, on all their pages, are taken in a second.
  public var eventsPerSecond = 100
  /// How many of them may come at once before the rate counts.
  public var burst = 300
  /// How many events of a page may wait to be handled.
  public var waiting = 64
  /// How many sessions a person may have that run; the one that was left first is put away for another.
  public var sessionsPerPerson = 32
  /// How many sessions may run in all.
  public var sessions = 5_000
  /// How many people may be known. For another, those are forgotten who have not come for a year, and, where whoever comes is let in, those who
  /// have no sessions.
  public var people = 100_000
  /// How many connections there may be in all.
  public var connections = 4_096
  /// How long the head and body of a request may take to come, in seconds.
  public var requestSeconds = 15
  /// How long a connection without a request is kept, in seconds.
  public var idleSeconds = 60
  /// How long nothing may be heard of a page before its connection is given up, in seconds.
  public var silenceSeconds = 60
  /// How long a session runs on without a page, in seconds; after that it is put away, and comes back when it is asked for.
  public var leaveSeconds = 600

  /// The limits that `gangway serve` has.
  public init() {}
}
