import Foundation
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Kills of the host at random moments, after which the user's last state is restored.
@MainActor @Suite struct RandomKillTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Returns a tree as indented lines: id, style, plugin and route.
  private static func lines(_ tree: TreeNode, _ depth: Int = 0) -> [String] {
    [
      "\(String(repeating: " ", count: depth))\(tree.id) \(tree.style) \(tree.plugin ?? "-") \(tree.route ?? "-")"
    ] + tree.children.flatMap { lines($0, depth + 1) }
  }

  private static func lines(_ checkpoint: Checkpoint, _ parent: NodeID?, _ depth: Int = 0) -> [String] {
    (checkpoint.children[parent] ?? []).flatMap { record in
      let style = record.style.replacingOccurrences(of: "-fixed", with: "")
      let indent = String(repeating: " ", count: depth)
      let line = "\(indent)\(record.id) \(style) \(record.plugin ?? "-") \(record.routeText ?? "-")"
      return [line] + lines(checkpoint, record.id, depth + 1)
    }
  }

  /// Returns the selected tabs, the states of flows, and the values of fields.
  ///
  /// The inputs of Files show the state of their flow. A folder that is still loading has no inputs yet, so its record
  /// may have their values from before a change of this state.
  private static func values(_ checkpoint: Checkpoint) -> [String] {
    checkpoint.records.values.sorted { $0.id < $1.id }.map { record in
      let inputs = record.plugin == "files" ? [:] : record.values ?? [:]
      let values = inputs.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "\(record.id) \(record.selection ?? 0) \(record.state ?? "-") \(values)"
    }
  }

  @Test func twoHundredKillsAtRandomMomentsMoveNothing() async throws {
    let supervisor = try workshop.supervisor([]) {
      $0.environment["XDG_DATA_HOME"] = workshop.path("data")
      $0.launch.folders = [Workshop.built]
    }
    _ = try await supervisor.start()
    var walk = PersonWalk(seed: 200)
    var random = SeededRandom()
    var deepest = 0
    for number in 1...200 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        guard let action = walk.next(on: supervisor.presentation) else { break }
        _ = try await supervisor.send(action)
      }
      // Most kills interrupt an event.
      let last = walk.next(on: supervisor.presentation)
      let step = Task.immediate { if let last { try await supervisor.send(last) } else { nil as Update? } }
      let delay = Double.random(in: 0...3, using: &random)
      let host = try #require(supervisor.hostProcessID)
      await supervisor.nextStart {
        Task {
          try? await Task.sleep(for: .milliseconds(delay))
          kill(host, SIGKILL)
        }
      }
      let answer = try? await step.value
      let tree = try await supervisor.tree()
      let expected = Self.lines(supervisor.restored, nil)
      try #require(Self.lines(tree) == expected, "kill \(number) after \(delay) ms: \(Self.lines(tree)) \(expected)")
      let before = Self.values(supervisor.restored)
      let now = Self.values(supervisor.checkpoint)
      let moment = "kill \(number) after \(delay) ms, during \(last.map { "\($0)" } ?? "nothing")"
      try #require(before == now, "\(moment), which gave \(answer?.event as Any) \(answer?.notices ?? [])")
      deepest = max(deepest, expected.count)
    }
    // With a shallow tree, the test would prove little.
    #expect(deepest > 8)
    await supervisor.stop()
  }

  /// The resources of this process, and the number of its children.
  private struct Holdings: CustomStringConvertible {
    let descriptors: Int
    let threads: Int
    let children: Int
    /// The private dirty memory in kilobytes, which excludes library pages that were only read.
    let memory: Int
    var description: String {
      "\(descriptors) descriptors, \(threads) threads, \(children) children, \(memory) KB"
    }

    init() throws {
      let files = FileManager.default
      descriptors = try files.contentsOfDirectory(atPath: "/proc/self/fd").count
      threads = try files.contentsOfDirectory(atPath: "/proc/self/task").count
      children = TestSupport.children(of: getpid()).count
      // Return free memory to the system, because the allocator keeps a different amount in each run. malloc_trim(3) is
      // not in Swift's module of the C library.
      if let trim = dlsym(nil, "malloc_trim") {
        _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
      }
      let rollup = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
      memory = rollup.split(separator: "\n").filter { $0.hasPrefix("Private_Dirty") }
        .compactMap { Int($0.filter(\.isNumber)) }.reduce(0, +)
    }
  }

  /// Checks that every tree equals the last update's, and that no descriptor, process, thread or memory is left behind.
  ///
  /// `GANGWAY_KILLS` and `GANGWAY_SESSIONS` set the numbers of kills and sessions. Hosts of other tests would count, so
  /// the test runs alone. It needs `SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0`: otherwise the test library keeps the
  /// backtrace of each thrown error forever, 2 KB per kill.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["GANGWAY_KILLS"] != nil))
  func killsOverManySessionsLeaveNothingBehind() async throws {
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["GANGWAY_KILLS"].flatMap { Int($0) } ?? 100
    let count = environment["GANGWAY_SESSIONS"].flatMap { Int($0) } ?? 20
    let pool = try HostPool(
      workshop.options([]) {
        $0.environment["XDG_DATA_HOME"] = workshop.path("data")
        $0.launch.folders = [Workshop.built]
        // Keep few steps, so that the limit is reached long before the first measurement.
        $0.steps = 4
      })
    let keepers = (0..<count).map { pool.keep(SessionID(rawValue: "\($0)")) }
    // The messages since the last kill, which may explain a failure.
    var told: [String] = []
    for keeper in keepers {
      keeper.onUpdate = { told += $0.notices.map { "\(keeper.id): \($0.developerText)" } }
      try await keeper.start()
    }
    // A user is on each tab, so every host loads every plugin.
    let tabs = try #require(keepers.first).presentation.tabBars.joined().map(\.title)
    try #require(!tabs.isEmpty)
    for (index, keeper) in keepers.enumerated() { try await keeper.connection.tab(tabs[index % tabs.count]) }
    var walk = PersonWalk(seed: 300)
    var random = SeededRandom()
    var start: Holdings?
    // One measurement at each quarter.
    var memory: [Int] = []
    for number in 1...kills {
      told = []
      // A few sessions are in the middle of an event.
      let acting = Array(keepers.shuffled(using: &random).prefix(5))
      var steps: [Task<Void, Never>] = []
      for keeper in acting {
        guard let action = walk.next(on: keeper.presentation) else { continue }
        steps.append(
          Task.immediate {
            told += ((try? await keeper.connection.send(action))?.notices ?? []).map {
              "\(keeper.id): \($0.developerText)"
            }
          })
      }
      let host = try #require(pool.hostProcessIDs.first)
      try await Task.sleep(for: .milliseconds(Double.random(in: 0...5, using: &random)))
      kill(host, SIGKILL)
      try await eventually { pool.hostProcessIDs.count == 1 && pool.hostProcessIDs != [host] }
      try await eventually { keepers.allSatisfy { $0.phase == .ready } }
      for step in steps { await step.value }
      for keeper in acting {
        let read = try? await keeper.connection.tree()
        let tree = Self.lines(try #require(read, "kill \(number), session \(keeper.id), \(keeper.phase): \(told)"))
        // A tab that is first shown during the kill gets its flow once its plugin is loaded again.
        let before = Self.lines(keeper.memory.restored, nil)
        try #require(
          tree == Self.lines(keeper.checkpoint, nil) && Set(before).isSubset(of: tree),
          "kill \(number), session \(keeper.id): \(tree) \(before)")
        let values = Self.values(keeper.checkpoint)
        #expect(
          Set(Self.values(keeper.memory.restored)).isSubset(of: values),
          "kill \(number), session \(keeper.id): \(values)")
      }
      if number == kills / 2 { start = try Holdings() }
      if number % max(1, kills / 4) == 0 { memory.append(try Holdings().memory) }
      if number % max(50, kills / 10) == 0 {
        let entries = keepers.map(\.checkpoint.records.count).reduce(0, +)
        print(
          "after \(number) kills: \(try Holdings()); the trees have \(entries) entries; set aside: "
            + "\(pool.ledger.quarantined.keys.sorted())")
      }
    }
    // A host and the watcher.
    try await eventually { (try? Holdings().children) ?? 99 <= 2 }
    let (before, after) = (try #require(start), try Holdings())
    print("halfway: \(before); after \(kills) kills over \(count) sessions: \(after)")
    #expect(after.descriptors <= before.descriptors + 2, "\(before); \(after)")
    #expect(after.threads <= before.threads + 4, "\(before); \(after)")
    // A leak shows in every quarter. One-time growth, such as a library's data, shows in only one.
    let growth = zip(memory.dropFirst(), memory).map { $0 - $1 }.sorted()
    print("memory at each quarter: \(memory) KB")
    try #require(growth.count >= 3)
    #expect(growth[growth.count / 2] < 1_024, "It grows by \(growth) KB in the quarters: \(memory)")
    await pool.stop()
  }

  /// Nothing keeps an ended host in memory, nor its reader and writer.
  @Test func aHostThatHasEndedIsLetGo() async throws {
    let supervisor = try workshop.supervisor([Workshop.built + "/libScenes.so"])
    _ = try await supervisor.start()
    weak let host = (supervisor.keeper.line as? HostLine)?.host?.channel as? HostProcess
    weak let errors = host?.errors
    weak let output = host?.output
    weak let input = host?.input
    let process = try #require(host?.processID)
    await supervisor.nextStart { kill(process, SIGKILL) }
    try await eventually { host == nil && errors == nil && output == nil && input == nil }
    await supervisor.stop()
  }
}
