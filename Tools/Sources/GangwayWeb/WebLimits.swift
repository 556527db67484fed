/// The limits of a server's clients, which bound its memory and keep it responsive for everyone.
@_spi(FrontEnd) public struct WebLimits: Sendable {
  /// The largest message from a page, in bytes.
  public var message = 1 << 20
  /// The largest body of a request, in bytes; it must hold a form with everything that the user typed.
  public var body = 2 << 20
  /// The limits of files between browsers and features.
  public var files = FileLimits()
  /// The bytes of a stranger's body that are read, and dropped. After a longer one, the connection ends.
  public var strangersBody = 64 << 10
  /// The most events and requests per second from one user, on all pages together.
  public var eventsPerSecond = 100
  /// The most events and requests that may arrive at once before the rate applies.
  public var burst = 300
  /// The most events of a page that may wait in its queue.
  public var waiting = 64
  /// The most running sessions of one user; a further one parks the session that was left first.
  public var sessionsPerPerson = 32
  /// The most running sessions of all users.
  public var sessions = 5_000
  /// The most known users.
  ///
  /// A further one removes users who have not come for a year. If the server admits anyone, it also removes users
  /// without sessions.
  public var people = 100_000
  /// The most open connections.
  public var connections = 4_096
  /// The most requests of one connection that wait for their answers; a further one closes the connection.
  public var pipelined = 16
  /// The time limit for receiving the head and body of a request, in seconds.
  public var requestSeconds = 15
  /// The time after which an idle connection is closed, in seconds.
  public var idleSeconds = 60
  /// The time without a sign of life from a page after which its connection is closed, in seconds.
  public var silenceSeconds = 60
  /// The time that a session keeps running without a page, in seconds; then it is parked until a page opens it again.
  public var leaveSeconds = 600

  /// Creates the limits of `gangway serve`.
  public init() {}
}

/// The limits of files between browsers and features.
@_spi(FrontEnd) public struct FileLimits: Sendable {
  /// The largest file that a browser can send, in bytes; a feature can set a lower limit.
  public var upload = 100_000_000
  /// The most files that one user sends at once.
  public var uploadsPerPerson = 4
  /// The most files that all users send at once.
  public var uploads = 16
  /// The bytes of a file that must arrive within ``WebLimits/requestSeconds``; otherwise the connection is closed.
  public var uploadStep = 64 << 10
  /// The most files that are sent to one user at once.
  public var downloadsPerPerson = 8
  /// The most files that are sent to all users at once.
  public var downloads = 16
}
