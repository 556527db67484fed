import Foundation
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Libraries with changed bytes, as after a disk error or a bad copy; some are accepted, and crash hosts at any moment.
@MainActor @Suite struct DamagedLibraryTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Copies a good plugin and changes a few bytes, most of them in its code and tables.
  private func damaged(_ number: Int, _ random: inout SeededRandom) throws -> String {
    let folder = workshop.path("\(number)")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: Workshop.built + "/libClock.so"))
    // The loaded segments come first; the debug symbols at the end are never read.
    let end = min(bytes.count, 400_000)
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      bytes[Int.random(in: 0x400..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    let file = folder + "/libClock.so"
    try bytes.write(to: URL(fileURLWithPath: file))
    chmod(file, 0o600)
    return file
  }

  /// Returns the finished reports in a log folder.
  private func reports(_ log: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: log + "/crashes")) ?? []).filter { !$0.hasPrefix(".") }
      .sorted()
  }

  /// Returns the reports that no message named.
  ///
  /// Two deaths during a restore have only one message, which names the second report.
  private func untold(_ log: String, _ told: [String]) -> [String] {
    let twice = told.filter { $0.contains(" crashed the host twice during the restore of its screens") }.count
    return Array(reports(log).filter { report in !told.contains { $0.contains(report) } }.dropFirst(twice))
  }

  /// Every death is reported with its cause, and other plugins continue. `GANGWAY_DAMAGED` sets the number of
  /// libraries.
  @Test func everyDeathIsToldAndNobodyElseIsRefused() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["GANGWAY_DAMAGED"].flatMap { Int($0) } ?? 25
    var random = SeededRandom(seed: environment["GANGWAY_SEED"].flatMap { UInt64($0) } ?? 7)
    var (deaths, refused) = (0, 0)
    var number = 0
    // Most libraries are refused or do no harm. The others are chance, so the loop continues until one crashes a host.
    while number < count || deaths == 0 && number < 5 * count {
      number += 1
      let file = try damaged(number, &random)
      let log = workshop.path("log\(number)")
      let supervisor = try workshop.supervisor([file, "scenes", "hello"]) {
        $0.logFolder = log
        $0.patience = .milliseconds(500)
        $0.launch.loadDeadline = .seconds(1)
        $0.launch.probeDeadline = .seconds(1)
        $0.trial = .milliseconds(300)
      }
      var told: [String] = []
      supervisor.onUpdate = { told += $0.notices.map(\.developerText) }
      told += try await supervisor.start().map(\.developerText)
      await supervisor.listed()
      if supervisor.statuses["clock"] == nil { refused += 1 }
      var walk = PersonWalk(seed: UInt64(number))
      for title in ["Clock", "Scenes", "Clock"] {
        guard let tab = supervisor.presentation.tabBars.joined().first(where: { $0.title == title }) else { continue }
        told += try await supervisor.send(.tab(tab.node)).notices.map(\.developerText)
        for _ in 1...3 {
          guard let action = walk.next(on: supervisor.presentation) else { break }
          told += try await supervisor.send(action).notices.map(\.developerText)
        }
      }
      // Wait for the effects of the last event.
      try await Task.sleep(for: .milliseconds(300))
      for innocent: PluginID in ["scenes", "hello"] {
        let status = supervisor.statuses[innocent]
        #expect(
          status.map { ![.refused, .quarantined, .failed].contains($0.state) } == true,
          "\(number): \(innocent) \(String(describing: status)) \(told)")
      }
      // The damaged code may end a host even now; another one answers.
      var tree = try? await supervisor.tree()
      let answering = Patience(.seconds(20))
      while tree == nil, !answering.hasEnded {
        try await Task.sleep(for: .milliseconds(50))
        tree = try? await supervisor.tree()
      }
      #expect(tree != nil)
      // The message appears when the next host shows the screen. If a host dies during an orderly end, there is no
      // screen any more.
      let patience = Patience(.seconds(20))
      while !untold(log, told).isEmpty, !patience.hasEnded { try await Task.sleep(for: .milliseconds(10)) }
      deaths += reports(log).count
      let left = untold(log, told)
      await supervisor.stop()
      let texts = left.map {
        (try? String(contentsOfFile: "\(log)/crashes/\($0)", encoding: .utf8))?.prefix(1_500) ?? ""
      }
      #expect(left.isEmpty, "\(number): nothing told of \(left): \(texts); \(told.debugDescription)")
    }
    print("\(number) damaged libraries: \(refused) refused, \(deaths) deaths, each told")
    // With fewer deaths or refusals, the test would prove little.
    #expect(count < 25 || deaths > 0 && refused < number)
  }
}
