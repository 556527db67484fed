import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

@MainActor @Suite struct LogFolderTests {
  @Test func oldReportsGiveWay() throws {
    let workshop = try Workshop()
    _ = LogFolder(workshop.path("log"))
    for number in 1001...1060 {
      try "r".write(toFile: workshop.path("log/crashes/\(number).log"), atomically: true, encoding: .utf8)
    }
    _ = LogFolder(workshop.path("log"))
    let left = try FileManager.default.contentsOfDirectory(atPath: workshop.path("log/crashes")).sorted()
    #expect(left.count == LogFolder.maximumReports)
    #expect(left.first == "1011.log")
  }

  /// The output of plugins cannot fill the disk, however long the app runs.
  @Test func theLogIsBoundedWhileItIsWritten() throws {
    let workshop = try Workshop()
    let log = try HostLog(workshop.path("host.log"), limit: 10_000)
    for number in 0..<1_000 { log.append(Array("line \(number) of a plugin that prints\n".utf8)) }
    func text(_ name: String) throws -> String { try String(contentsOfFile: workshop.path(name), encoding: .utf8) }
    let (new, old) = (try text("host.log"), try text("host.log.1"))
    #expect(new.utf8.count <= 10_000 && old.utf8.count <= 10_000)
    #expect(new.hasSuffix("line 999 of a plugin that prints\n"))
    // No line is lost between the two files.
    let lines = (old + new).split(separator: "\n")
    let numbers = lines.compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    #expect(numbers == Array((1_000 - numbers.count)..<1_000))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workshop.folder).sorted() == ["host.log", "host.log.1"])
    // A new log continues the old one.
    let next = try HostLog(workshop.path("host.log"), limit: 10_000)
    next.append(Array(repeating: UInt8(ascii: "x"), count: 9_999))
    #expect(try text("host.log").utf8.count == 9_999)
    #expect(try text("host.log.1") == new)
  }

  @Test func aLogThatIsALinkIsNotWritten() throws {
    let workshop = try Workshop()
    try "somebody else's".write(toFile: workshop.path("other"), atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      atPath: workshop.path("host.log"), withDestinationPath: workshop.path("other"))
    #expect(throws: SupervisorFailure.self) { _ = try HostLog(workshop.path("host.log"), limit: 10_000) }
    #expect(try String(contentsOfFile: workshop.path("other"), encoding: .utf8) == "somebody else's")
  }

  @Test func aFolderThatCannotBeWrittenIsAFailureThatNamesIt() {
    let failure = #expect(throws: SupervisorFailure.self) { _ = try LogFolder("/proc/nowhere").openLog() }
    #expect(failure?.description.hasPrefix("The log '/proc/nowhere/host.log' could not be written:") == true)
  }
}
