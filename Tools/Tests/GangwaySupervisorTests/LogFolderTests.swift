import Foundation
import TestSupport
import Testing

@testable import GangwaySupervisor

@MainActor @Suite struct LogFolderTests {
  @Test func oldReportsAndAHugeLogGiveWay() throws {
    let workshop = try Workshop()
    let folder = LogFolder(workshop.path("log"))
    for number in 1001...1060 {
      try "r".write(toFile: workshop.path("log/crashes/\(number).log"), atomically: true, encoding: .utf8)
    }
    try Data(count: LogFolder.maximumLog + 1).write(to: URL(fileURLWithPath: workshop.path("log/host.log")))
    _ = LogFolder(workshop.path("log"))
    let left = try FileManager.default.contentsOfDirectory(atPath: workshop.path("log/crashes")).sorted()
    #expect(left.count == LogFolder.maximumReports)
    #expect(left.first == "1011.log")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workshop.path("log")).sorted() == ["crashes", "host.log.1"])
    let log = try folder.openLog()
    try log.close()
    #expect(FileManager.default.fileExists(atPath: workshop.path("log/host.log")))
  }

  @Test func aFolderThatCannotBeWrittenIsAFailureThatNamesIt() {
    let failure = #expect(throws: SupervisorFailure.self) { _ = try LogFolder("/proc/nowhere").openLog() }
    #expect(failure?.description.hasPrefix("The log '/proc/nowhere/host.log' cannot be written:") == true)
  }
}
