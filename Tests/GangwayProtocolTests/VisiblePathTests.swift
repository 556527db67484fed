import Testing

@_spi(FrontEnd) @testable import GangwayProtocol

/// The path of a presentation, which is stored in pieces.
@Suite struct VisiblePathTests {
  private func items(_ numbers: Range<Int>) -> [Presentation.PathItem] {
    numbers.map { .init(node: NodeID(rawValue: $0), title: "\($0)") }
  }

  @Test(arguments: [0, 1, 63, 64, 65, 127, 128, 200])
  func anyEndMayBeReplaced(count: Int) throws {
    let path = VisiblePath(items(0..<count))
    #expect(path.count == count && path.items == items(0..<count))
    for start in Set([0, 1, 62, 63, 64, 65, 128, count]) where start <= count {
      for more in [0, 1, 64, 130] {
        let wanted = items(0..<start) + items(1_000..<1_000 + more)
        let made = path.replacing(from: start, with: items(1_000..<1_000 + more))
        #expect(made.items == wanted && made.count == wanted.count)
        #expect(made == VisiblePath(wanted) && made.hashValue == VisiblePath(wanted).hashValue)
        #expect(made.commonItems(with: path) == (more == 0 || start < count ? start : min(start, count)))
        #expect(made.items(from: start) == Array(wanted[start...]))
        #expect((made == path) == (wanted == path.items))
      }
    }
    #expect(try Line.decode(VisiblePath.self, from: Line.encode(path)) == path)
  }

  @Test func aNewTitleIsAnotherItemOfTheSameEntry() {
    let path = VisiblePath(items(0..<100))
    var renamed = path.items
    renamed[70].title = "new"
    let other = VisiblePath(renamed)
    #expect(path != other && path.commonItems(with: other) == 70 && path.commonEntries(with: other) == 100)
  }
}
