import Foundation
@_spi(FrontEnd) import GangwayProtocol
import Testing

/// Every message on the protocol's page is a valid message.
@Suite struct DocumentationTests {
  @Test func everyLineOfThePageIsAMessage() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("Documentation/PresentationProtocol.md"), encoding: .utf8)
    var isInside = false
    var count = 0
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```json"
        continue
      }
      guard isInside else { continue }
      count += 1
      let isClients = (try? Line.decode(ClientMessage.self, from: line.utf8)) != nil
      if !isClients {
        #expect(throws: Never.self, "\(line)") { _ = try Line.decode(HostMessage.self, from: line.utf8) }
      }
    }
    #expect(count == 27)
  }
}
