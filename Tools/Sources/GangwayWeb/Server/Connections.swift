import NIOCore

/// The connections of a server, which are limited.
///
/// At the limit, connections without a pending request give way to new ones, strangers' connections first. All access
/// is from the network thread.
final class Connections {
  /// The activity of a connection.
  enum Activity {
    /// No complete request has arrived yet.
    case silent
    /// A request is being answered.
    case answered
    /// The last request was answered, and the next one has not arrived.
    case kept
    /// A page follows a session over the connection.
    case page
  }

  /// One connection.
  final class Connection {
    fileprivate let channel: any Channel
    fileprivate let address: [UInt8]
    fileprivate(set) var activity = Activity.silent
    /// The user of the connection; nil for strangers, and for connections beyond a user's share.
    fileprivate(set) var person: String?
    /// The time at which the connection got its rank.
    fileprivate var since = NIODeadline.now()
    fileprivate var rank: Int?
    fileprivate unowned var previous: Connection?
    fileprivate var next: Connection?
    fileprivate var isOpen = true

    fileprivate init(_ channel: any Channel) {
      self.channel = channel
      address = Connections.network(of: channel.remoteAddress)
    }
  }

  /// The most connections.
  private let limit: Int
  /// The number of connections above which silent ones give way and strangers are refused.
  private let mark: Int
  /// The most connections of a network's strangers, and the most of a user that have priority over strangers.
  let share: Int
  /// The time that a connection may be silent, in a crowded server, before it gives way.
  static let patience = TimeAmount.seconds(1)

  private(set) var count = 0
  /// The connections that can give way: lower ranks first, and within a rank the longest-ranked first.
  private var ranks = [Line](repeating: Line(), count: 4)
  private var strangers: [[UInt8]: [ObjectIdentifier: Connection]] = [:]
  private var ofPeople: [String: Int] = [:]

  init(limit: Int) {
    self.limit = limit
    mark = max(1, limit - max(1, limit / 8))
    share = min(max(32, limit / 16), mark)
  }

  /// Whether nearly all places are taken, so that strangers are sent away.
  var isCrowded: Bool { count > mark }

  // MARK: From the first to the last

  /// Adds a connection, and may close another one for it.
  ///
  /// - Returns: the connection; nil if no other one can give way, so that the new one must be closed.
  func enter(_ channel: any Channel) -> Connection? {
    let new = Connection(channel)
    if let others = strangers[new.address], others.count >= share {
      // Pages are not closed here, even those of a user beyond their share.
      let waiting = others.values.filter { $0.rank == 0 || $0.rank == 1 }
      if let first = waiting.min(by: { $0.since < $1.since }) { close(first) }
    }
    if count >= mark, let first = ranks[0].first ?? ranks[1].first, .now() - first.since > Self.patience {
      close(first)
    }
    if count >= limit {
      guard let first = ranks.lazy.compactMap(\.first).first else { return nil }
      close(first)
    }
    count += 1
    strangers[new.address, default: [:]][ObjectIdentifier(new)] = new
    rerank(new)
    return new
  }

  /// Removes a connection that was closed.
  func leave(_ connection: Connection) {
    guard connection.isOpen else { return }
    connection.isOpen = false
    count -= 1
    if let rank = connection.rank { ranks[rank].remove(connection) }
    connection.rank = nil
    disown(connection)
  }

  private func close(_ connection: Connection) {
    leave(connection)
    connection.channel.close(promise: nil)
  }

  // MARK: What happens on one

  /// Sets the activity of a connection.
  func note(_ activity: Activity, on connection: Connection) {
    connection.activity = activity
    rerank(connection)
  }

  /// Notes the head of a request; a known user's connection then keeps its place until the request is complete.
  func noteHead(on connection: Connection) {
    if connection.person != nil { note(.answered, on: connection) }
  }

  /// Sets the user of the latest request; nil for a stranger.
  func note(person: String?, on connection: Connection) {
    guard connection.isOpen, connection.person != person else { return }
    disown(connection)
    if let person, ofPeople[person, default: 0] < share {
      connection.person = person
      ofPeople[person, default: 0] += 1
      // Keep the connection until the rest of the request arrives.
      if connection.activity == .silent { connection.activity = .answered }
    } else {
      strangers[connection.address, default: [:]][ObjectIdentifier(connection)] = connection
    }
    rerank(connection)
  }

  private func disown(_ connection: Connection) {
    if let person = connection.person {
      connection.person = nil
      let left = ofPeople[person, default: 1] - 1
      ofPeople[person] = left > 0 ? left : nil
    } else {
      strangers[connection.address]?[ObjectIdentifier(connection)] = nil
      if strangers[connection.address]?.isEmpty == true { strangers[connection.address] = nil }
    }
  }

  private func rerank(_ connection: Connection) {
    guard connection.isOpen else { return }
    let rank: Int? =
      switch (connection.activity, connection.person != nil) {
      case (.silent, _): 0
      case (.kept, false): 1
      case (.page, false): 2
      case (.kept, true): 3
      case (.answered, _), (.page, true): nil
      }
    guard rank != connection.rank || rank == 1 || rank == 3 else { return }
    if let old = connection.rank { ranks[old].remove(connection) }
    connection.rank = rank
    connection.since = .now()
    if let rank { ranks[rank].append(connection) }
  }

  // MARK: Addresses

  /// Returns the network of an address: an IPv4 address, or the first half of an IPv6 address.
  ///
  /// One subscriber has all addresses with the same first half.
  private static func network(of address: SocketAddress?) -> [UInt8] {
    switch address {
    case .v4(let address): return withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
    case .v6(let address):
      let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
      let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
      return isMapped ? Array(bytes[12...]) : Array(bytes[..<8])
    default: return []
    }
  }

  // MARK: Lines

  /// A list of connections in the order of their arrival; each can be removed in constant time.
  private struct Line {
    private(set) var first: Connection?
    private unowned var last: Connection?

    mutating func append(_ connection: Connection) {
      connection.previous = last
      if let last { last.next = connection } else { first = connection }
      last = connection
    }

    mutating func remove(_ connection: Connection) {
      let (previous, next) = (connection.previous, connection.next)
      (connection.previous, connection.next) = (nil, nil)
      if let previous { previous.next = next } else { first = next }
      if let next { next.previous = previous } else { last = previous }
    }
  }
}

/// The access of a connection's handlers to the state of the connection, from the network thread only.
struct ConnectionPlace {
  private let connections: Connections
  private let connection: Connections.Connection

  init(_ connections: Connections, _ connection: Connections.Connection) {
    (self.connections, self.connection) = (connections, connection)
  }

  /// Whether nearly all places are taken, so that strangers are sent away.
  var isCrowded: Bool { connections.isCrowded }
  func note(_ activity: Connections.Activity) { connections.note(activity, on: connection) }
  func noteHead() { connections.noteHead(on: connection) }
  func note(person: String?) { connections.note(person: person, on: connection) }
  func leave() { connections.leave(connection) }
}
