/// A player. Red joins top and bottom, Blue joins left and right; Red begins.
enum Player: String, Codable, Hashable, Sendable, CaseIterable {
  case red = "Red"
  case blue = "Blue"

  var other: Player { self == .red ? .blue : .red }
}

/// A cell of the board, counted from 0.
struct Cell: Codable, Hashable, Sendable {
  var row: Int
  var column: Int
}

/// A player's turn.
enum Move: Codable, Hashable, Sendable {
  case place(Cell)
  /// The second player takes over the first stone, mirrored to serve their direction.
  case swap
}

/// A game of Hex, stored as its moves, from which everything else follows.
///
/// Rules: Piet Hein's game of 1942, in the public domain, with the swap rule against the advantage of the first move.
struct HexGame: Codable, Hashable, Sendable {
  /// The possible sizes of a board, in cells on each side.
  static let sizes = 5...11

  /// The reason why a move is refused.
  enum MoveError: Error, Hashable, CustomStringConvertible {
    case over(winner: Player)
    case taken(Cell)
    case outside(Cell, size: Int)
    case noSwap

    var description: String {
      switch self {
      case .over(let winner): "The game is over: \(winner.rawValue) has won."
      case .taken(let cell): "Row \(cell.row + 1), column \(cell.column + 1) already has a stone."
      case .outside(let cell, let size):
        "Row \(cell.row + 1), column \(cell.column + 1) is not on the board of size \(size)."
      case .noSwap: "Only the second player can swap, and only as their first move."
      }
    }
  }

  /// The id of the game, so that it counts only once.
  let id: String
  let size: Int
  let isAgainstComputer: Bool
  let allowsSwap: Bool
  private(set) var moves: [Move] = []
  private(set) var resigned: Player?

  init(id: String, size: Int, isAgainstComputer: Bool = false, allowsSwap: Bool = true) {
    self.id = id
    self.size = size
    self.isAgainstComputer = isAgainstComputer
    self.allowsSwap = allowsSwap
  }

  /// The player whose turn it is.
  var turn: Player { moves.count.isMultiple(of: 2) ? .red : .blue }

  /// Whether the player whose turn it is may take over the first stone.
  var canSwap: Bool { allowsSwap && moves.count == 1 && winner == nil }

  /// The stones on the board.
  var stones: [Cell: Player] {
    var stones: [Cell: Player] = [:]
    for (number, move) in moves.enumerated() {
      switch move {
      case .place(let cell): stones[cell] = number.isMultiple(of: 2) ? .red : .blue
      case .swap:
        guard case .place(let first)? = moves.first else { continue }
        stones[first] = nil
        stones[Cell(row: first.column, column: first.row)] = .blue
      }
    }
    return stones
  }

  /// The player who joined their sides, or whose opponent resigned; nil if there is none.
  var winner: Player? {
    if let resigned { return resigned.other }
    let stones = stones
    return Player.allCases.first { Self.joins($0, stones, size) }
  }

  /// Plays a move of the player whose turn it is.
  ///
  /// - Throws: ``MoveError``; the game is then unchanged.
  mutating func play(_ move: Move) throws(MoveError) {
    if let winner { throw .over(winner: winner) }
    switch move {
    case .swap: guard canSwap else { throw .noSwap }
    case .place(let cell):
      guard (0..<size).contains(cell.row), (0..<size).contains(cell.column) else { throw .outside(cell, size: size) }
      guard stones[cell] == nil else { throw .taken(cell) }
    }
    moves.append(move)
  }

  /// Takes back the last move; against the computer, also its answer.
  mutating func undo() {
    guard !moves.isEmpty, resigned == nil else { return }
    moves.removeLast()
    if isAgainstComputer, turn == .blue, !moves.isEmpty { moves.removeLast() }
  }

  /// Resigns for the player whose turn it is.
  mutating func resign() {
    if winner == nil { resigned = turn }
  }

  /// Returns the neighbours of a cell, at most six.
  static func neighbours(of cell: Cell, size: Int) -> [Cell] {
    [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)].compactMap { step in
      let next = Cell(row: cell.row + step.0, column: cell.column + step.1)
      return (0..<size).contains(next.row) && (0..<size).contains(next.column) ? next : nil
    }
  }

  /// The last stone that was placed or taken over; nil on an empty board.
  var lastStone: Cell? {
    switch moves.last {
    case .place(let cell): return cell
    case .swap:
      guard case .place(let first)? = moves.first else { return nil }
      return Cell(row: first.column, column: first.row)
    case nil: return nil
    }
  }

  /// The shortest chain of stones that joins the winner's sides; empty if there is none.
  var winningChain: Set<Cell> {
    let stones = stones
    let chains = Player.allCases.compactMap { Self.chain(of: $0, stones, size) }
    return Set(chains.first ?? [])
  }

  private static func joins(_ player: Player, _ stones: [Cell: Player], _ size: Int) -> Bool {
    chain(of: player, stones, size) != nil
  }

  /// Returns a shortest chain between a player's sides, by breadth-first search; nil if there is none.
  private static func chain(of player: Player, _ stones: [Cell: Player], _ size: Int) -> [Cell]? {
    let start = (0..<size).map { player == .red ? Cell(row: 0, column: $0) : Cell(row: $0, column: 0) }
    var open = start.filter { stones[$0] == player }
    var before: [Cell: Cell?] = Dictionary(uniqueKeysWithValues: open.map { ($0, nil) })
    var next = 0
    while next < open.count {
      let cell = open[next]
      next += 1
      if (player == .red ? cell.row : cell.column) == size - 1 {
        var chain = [cell]
        while let last = chain.last, let earlier = before[last] ?? nil { chain.append(earlier) }
        return chain
      }
      for neighbour in neighbours(of: cell, size: size) where stones[neighbour] == player && before[neighbour] == nil {
        before[neighbour] = .some(cell)
        open.append(neighbour)
      }
    }
    return nil
  }
}
