/// Splitting of content that is too long for one line.
extension Line {
  /// Returns whether a message fits in a line.
  @_spi(FrontEnd) public static func fits(_ line: [UInt8]) -> Bool { line.count - 1 <= maximumLength }

  /// Splits records into groups that each fit in a line.
  ///
  /// A record that is too long by itself loses parts: first the values of its inputs, then the state of its
  /// coordinator. Its payload, route and parked navigation go next. At last, it loses its route text, and its title is
  /// cut to 200 characters.
  ///
  /// - Parameter limit: the longest group, in bytes. It is less than a line, which has more around the group.
  /// - Returns: the groups in order, and each record that lost a part, with its length before, in bytes.
  @_spi(FrontEnd) public static func groups(
    _ records: [Checkpoint.Record], limit: Int = maximumLength / 2
  ) -> (groups: [[Checkpoint.Record]], cut: [(record: Checkpoint.Record, length: Int)]) {
    var groups: [[Checkpoint.Record]] = []
    var cut: [(record: Checkpoint.Record, length: Int)] = []
    var room = 0
    for record in records {
      var record = record
      let whole = record
      let before = length(record)
      var size = before
      let steps: [(inout Checkpoint.Record) -> Void] = [
        {
          $0.values = nil
          $0.elementStates = nil
        }, { $0.state = nil },
        {
          $0.payload = nil
          $0.route = nil
          $0.parkedIntent = nil
        },
        {
          $0.routeText = nil
          $0.title = $0.title.map { String($0.prefix(200)) }
        },
      ]
      for step in steps where size > limit {
        step(&record)
        size = length(record)
      }
      if record != whole { cut.append((record, before)) }
      if size <= room {
        groups[groups.count - 1].append(record)
        room -= size
      } else {
        groups.append([record])
        room = limit - size
      }
    }
    return (groups, cut)
  }

  private static func length(_ record: Checkpoint.Record) -> Int { (try? encode(record).count) ?? Int.max }
}
