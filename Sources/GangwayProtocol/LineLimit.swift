/// Dividing what is too long for a line, so that none of it is lost.
extension Line {
  /// Whether a message fits in a line.
  public static func fits(_ line: [UInt8]) -> Bool { line.count - 1 <= maximumLength }

  /// Divides records into groups that fit in a line each. What of a record is too long for a line by itself is left out of
  /// it: first what its inputs hold, then the state of its coordinator, then its payload and route.
  ///
  /// - Parameter limit: how long a group may be, in bytes; less than a line, for there is something around it.
  /// - Returns: the groups in their order, and the records that something was left out of, with how long they were in bytes.
  public static func groups(
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
        { $0.values = nil }, { $0.state = nil },
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
