@_spi(FrontEnd) import GangwayProtocol
import Testing

/// The settings of a host on its command line.
@Suite struct HostLaunchTests {
  /// The characters of a path have one to four bytes, so a cut may be within one.
  @Test(arguments: 0..<4) func longSettingsArriveInPieces(_ shift: Int) throws {
    var launch = HostLaunch()
    launch.configuration = String(repeating: "x", count: shift)
    launch.plugins = (0..<4_000).map { "/\($0)/é/€/𝄞𝄞𝄞𝄞/quote\"/libOne.so" }
    launch.leaveOut(["two"])
    launch.quarantined = ["three": "it crashed\n3 times"]
    launch.limits = .init(memory: 1)
    let arguments = try launch.arguments
    #expect(arguments.prefix(2) == ["--serve", "--launch"])
    try #require(arguments.count > 3)
    #expect(arguments.allSatisfy { $0.utf8.count < 128 << 10 && !$0.contains("\u{FFFD}") })
    #expect(try HostLaunch(arguments: arguments.dropFirst(2)) == launch)
  }
}
