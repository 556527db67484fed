/// A simple opponent, which plays where the shortest ways of both players cross.
///
/// The way of a player is a shortest path from side to side. Own stones cost nothing, empty cells cost one, and the
/// other player's stones block the path (Dijkstra's algorithm with costs of 0 and 1).
enum ComputerPlayer {
  /// Returns the move, the same for the same game; nil if the game is over.
  static func move(in game: HexGame) -> Move? {
    guard game.winner == nil else { return nil }
    if game.canSwap, case .place(let first)? = game.moves.first, isStrong(first, game.size) { return .swap }
    let stones = game.stones
    let ways = Player.allCases.flatMap { player in
      [
        distances(for: player, stones, game.size, fromEnd: false),
        distances(for: player, stones, game.size, fromEnd: true),
      ]
    }
    let middle = game.size / 2
    var best: (cell: Cell, cost: Int, fromMiddle: Int)?
    for row in 0..<game.size {
      for column in 0..<game.size {
        let cell = Cell(row: row, column: column)
        guard stones[cell] == nil else { continue }
        let cost = ways.reduce(0) { $0 + min($1[cell] ?? unreachable, unreachable) }
        let fromMiddle = abs(row - middle) + abs(column - middle)
        if let best, (best.cost, best.fromMiddle) <= (cost, fromMiddle) { continue }
        best = (cell, cost, fromMiddle)
      }
    }
    return best.map { .place($0.cell) }
  }

  private static let unreachable = 1_000

  /// Returns whether a first stone is worth a swap, because it is not at the edge.
  private static func isStrong(_ cell: Cell, _ size: Int) -> Bool {
    (1..<size - 1).contains(cell.row) && (1..<size - 1).contains(cell.column)
  }

  private static func distances(
    for player: Player, _ stones: [Cell: Player], _ size: Int, fromEnd: Bool
  ) -> [Cell: Int] {
    var distances: [Cell: Int] = [:]
    var rings: [[Cell]] = [[], []]
    func reach(_ cell: Cell, _ distance: Int) {
      guard stones[cell] != player.other else { return }
      let cost = distance + (stones[cell] == player ? 0 : 1)
      guard cost < distances[cell] ?? unreachable else { return }
      distances[cell] = cost
      while rings.count <= cost { rings.append([]) }
      rings[cost].append(cell)
    }
    let edge = fromEnd ? size - 1 : 0
    for index in 0..<size {
      reach(player == .red ? Cell(row: edge, column: index) : Cell(row: index, column: edge), 0)
    }
    var ring = 0
    while ring < rings.count {
      while let cell = rings[ring].popLast() {
        guard distances[cell] == ring else { continue }
        for next in HexGame.neighbours(of: cell, size: size) { reach(next, ring) }
      }
      ring += 1
    }
    return distances
  }
}
