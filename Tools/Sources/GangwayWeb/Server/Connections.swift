import NIOCore

/// The connections of a server. Where there are too many, those that nobody waits for give way, strangers' first.
///
/// It is of the network's thread alone.
final class Connections {
  /// What a connection is doing.
  enum Activity {
    /// No whole request has come yet.
    case silent
    /// A request is being answered.
    case answered
    /// It was answered, and the next request has not come.
    case kept
    /// A page follows a session on it.
    case page
  }

  /// One connection.
  final class Connection {
    fileprivate let channel: any Channel
    fileprivate let address: [UInt8]
    fileprivate(set) var activity = Activity.silent
    /// Whose it is, where they are known and it is among those that go before strangers'.
    fileprivate(set) var person: String?
    /// When it came to be of its rank.
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

  /// How many there may be.
  private let limit: Int
  /// How many there may be before silent ones give way and strangers are sent away.
  private let mark: Int
  /// How many of a network, or of a person, there may be that go before others.
  let share: Int
  /// How long one may be silent, where there are many, before it gives way to another.
  static let patience = TimeAmount.seconds(1)

  private(set) var count = 0
  /// Those that can give way: the first rank before the second, and of one rank the one that has been in it longest.
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

  /// Takes a connection in; another may be closed for it.
  ///
  /// - Returns: nil where none can give way: the new one is to be closed.
  func enter(_ channel: any Channel) -> Connection? {
    let new = Connection(channel)
    if let others = strangers[new.address], others.count >= share {
      // Pages of somebody who has more than their share are not silent.
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

  /// Forgets a connection that is closed.
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

  /// Notes what a connection is doing.
  func note(_ activity: Activity, on connection: Connection) {
    connection.activity = activity
    rerank(connection)
  }

  /// Notes that the head of a request has come: of somebody who is known the rest is waited for.
  func noteHead(on connection: Connection) {
    if connection.person != nil { note(.answered, on: connection) }
  }

  /// Notes whose the latest request is; nil for a stranger's.
  func note(person: String?, on connection: Connection) {
    guard connection.isOpen, connection.person != person else { return }
    disown(connection)
    if let person, ofPeople[person, default: 0] < share {
      connection.person = person
      ofPeople[person, default: 0] += 1
      // The rest of a request is waited for.
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

  /// What counts as one address: an IPv4 address, or the first half of an IPv6 address, of which one subscriber has all.
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

  /// Connections in the order in which they came, from which each can be taken.
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

/// What the handlers of a connection tell of it. It is of the network's thread alone.
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
