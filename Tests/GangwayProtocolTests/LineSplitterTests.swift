@_spi(FrontEnd) import GangwayProtocol
import Testing

@Suite struct LineSplitterTests {
  @Test func linesArriveWholeHoweverTheyAreCut() {
    let bytes = Array("one\ntwo\n\nthree".utf8)
    for size in 1...bytes.count {
      var splitter = LineSplitter()
      var pieces: [LineSplitter.Piece] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        pieces += splitter.append(bytes[start..<min(start + size, bytes.count)])
      }
      #expect(pieces == [.line(Array("one".utf8)), .line(Array("two".utf8)), .line([])])
      #expect(splitter.isInsideLine)
    }
  }

  @Test func anOversizedLineIsDroppedAndTheNextOneTaken() {
    var splitter = LineSplitter(limit: 4)
    let pieces = splitter.append(Array("four\ntoolong\nok\n".utf8))
    #expect(pieces == [.line(Array("four".utf8)), .oversized(7), .line(Array("ok".utf8))])
    #expect(!splitter.isInsideLine)
  }

  @Test func theCrashByteIsSeenWithinALine() {
    var splitter = LineSplitter()
    #expect(splitter.append(Array("{\"a".utf8) + [Line.crashByte]) == [.crash])
  }
}
