import Foundation
import GangwayHost
import GangwayProtocol
import TestSupport
import Testing

@testable import GangwaySupervisor

/// The host is killed at any moment, and what the person had last is there again.
@MainActor @Suite struct RandomKillTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// A tree as lines that say who stands where: number, depth, style, plugin, coordinator, route.
  private static func lines(_ tree: TreeNode, _ depth: Int = 0) -> [String] {
    [
      "\(String(repeating: " ", count: depth))\(tree.id) \(tree.style) \(tree.plugin ?? "-") \(tree.route ?? "-")"
    ] + tree.children.flatMap { lines($0, depth + 1) }
  }

  private static func lines(_ checkpoint: Checkpoint, _ parent: NodeID?, _ depth: Int = 0) -> [String] {
    (checkpoint.children[parent] ?? []).flatMap { record in
      let style = record.style.replacingOccurrences(of: "-fixed", with: "")
      return [
        "\(String(repeating: " ", count: depth))\(record.id) \(style) \(record.plugin ?? "-") \(record.routeText ?? "-")"
      ] + lines(checkpoint, record.id, depth + 1)
    }
  }

  /// The tabs that are shown, and what stands in fields.
  private static func values(_ checkpoint: Checkpoint) -> [String] {
    checkpoint.records.values.sorted { $0.id < $1.id }.map { record in
      let values = (record.values ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "\(record.id) \(record.selection ?? 0) \(values)"
    }
  }

  @Test func twoHundredKillsAtRandomMomentsMoveNothing() async throws {
    let supervisor = try workshop.supervisor([]) {
      $0.environment["XDG_DATA_HOME"] = workshop.path("data")
      $0.pluginFolders = [Workshop.built]
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
      // In the middle of something, mostly.
      let last = walk.next(on: supervisor.presentation)
      let step = Task.immediate { if let last { _ = try await supervisor.send(last) } }
      let delay = Double.random(in: 0...3, using: &random)
      let host = try #require(supervisor.hostProcessID)
      await supervisor.nextStart {
        Task {
          try? await Task.sleep(for: .milliseconds(delay))
          kill(host, SIGKILL)
        }
      }
      _ = try? await step.value
      let tree = try await supervisor.tree()
      let expected = Self.lines(supervisor.restored, nil)
      try #require(Self.lines(tree) == expected, "kill \(number) after \(delay) ms: \(Self.lines(tree)) \(expected)")
      let before = Self.values(supervisor.restored)
      let now = Self.values(supervisor.checkpoint)
      try #require(before == now, "kill \(number): \(before) \(now)")
      deepest = max(deepest, expected.count)
    }
    // Otherwise it would have shown little.
    #expect(deepest > 8)
    await supervisor.stop()
  }

  /// What this process has, and what it has started.
  private struct Holdings: CustomStringConvertible {
    let descriptors: Int
    let threads: Int
    let children: Int
    /// In kilobytes, what was written and is not shared: pages of libraries that were only read are none of it.
    let memory: Int
    var description: String {
      "\(descriptors) descriptors, \(threads) threads, \(children) children, \(memory) KB"
    }

    init() throws {
      let files = FileManager.default
      descriptors = try files.contentsOfDirectory(atPath: "/proc/self/fd").count
      threads = try files.contentsOfDirectory(atPath: "/proc/self/task").count
      children = TestSupport.children(of: getpid()).count
      // What is free is given back: how much of it the allocator keeps differs from run to run. malloc_trim(3); its header is not part of
      // Swift's module of the C library.
      if let trim = dlsym(nil, "malloc_trim") {
        _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
      }
      let rollup = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
      memory = rollup.split(separator: "\n").filter { $0.hasPrefix("Private_Dirty") }
        .compactMap { Int($0.filter(\.isNumber)) }.reduce(0, +)
    }
  }

  /// Every tree is as the last update had it, and nothing is left behind: no descriptor, process, thread or memory.
  /// `GANGWAY_KILLS` and `GANGWAY_SESSIONS` say how often, and over how many; other tests' hosts count, so it is run alone,
  /// with `SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0`: otherwise the test library keeps where each error was thrown for ever, 2 KB
  /// a kill.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["GANGWAY_KILLS"] != nil))
  func killsOverManySessionsLeaveNothingBehind() async throws {
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["GANGWAY_KILLS"].flatMap { Int($0) } ?? 100
    let count = environment["GANGWAY_SESSIONS"].flatMap { Int($0) } ?? 20
    let pool = try HostPool(
      workshop.options([]) {
        $0.environment["XDG_DATA_HOME"] = workshop.path("data")
        $0.pluginFolders = [Workshop.built]
        // Few, so that as many as are kept were done long before the first measure.
        $0.steps = 4
      })
    let keepers = (0..<count).map { pool.keep(SessionID("\($0)")) }
    // What was told since the last kill, for the failure that it explains.
    var told: [String] = []
    for keeper in keepers {
      keeper.onUpdate = { told += $0.notices.map { "\(keeper.id): \($0.text)" } }
      try await keeper.start()
    }
    // Somebody is on each tab, so that every plugin is loaded in every host.
    let tabs = try #require(keepers.first).presentation.tabBars.joined().map(\.title)
    try #require(!tabs.isEmpty)
    for (index, keeper) in keepers.enumerated() { try await keeper.tab(tabs[index % tabs.count]) }
    var walk = PersonWalk(seed: 300)
    var random = SeededRandom()
    var start: Holdings?
    // At each quarter.
    var memory: [Int] = []
    for number in 1...kills {
      told = []
      // A few do something, and are in the middle of it, mostly.
      let acting = Array(keepers.shuffled(using: &random).prefix(5))
      var steps: [Task<Void, Never>] = []
      for keeper in acting {
        guard let action = walk.next(on: keeper.presentation) else { continue }
        steps.append(
          Task.immediate {
            told += ((try? await keeper.send(action))?.notices ?? []).map { "\(keeper.id): \($0.text)" }
          })
      }
      let host = try #require(pool.hostProcessIDs.first)
      try await Task.sleep(for: .milliseconds(Double.random(in: 0...5, using: &random)))
      kill(host, SIGKILL)
      try await eventually { pool.hostProcessIDs.count == 1 && pool.hostProcessIDs != [host] }
      try await eventually { keepers.allSatisfy { $0.phase == .ready } }
      for step in steps { await step.value }
      for keeper in acting {
        let read = try? await keeper.tree()
        let tree = Self.lines(try #require(read, "kill \(number), session \(keeper.id), \(keeper.phase): \(told)"))
        // A tab that was shown first when the host was killed gets its flow when its plugin is there again.
        let before = Self.lines(keeper.restored, nil)
        try #require(
          tree == Self.lines(keeper.checkpoint, nil) && Set(before).isSubset(of: tree),
          "kill \(number), session \(keeper.id): \(tree) \(before)")
        let values = Self.values(keeper.checkpoint)
        #expect(
          Set(Self.values(keeper.restored)).isSubset(of: values), "kill \(number), session \(keeper.id): \(values)")
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
    // A leak shows in each quarter. What the process loads once, such as data of a library, shows in one.
    let growth = zip(memory.dropFirst(), memory).map { $0 - $1 }.sorted()
    print("memory at each quarter: \(memory) KB")
    try #require(growth.count >= 3)
    #expect(growth[growth.count / 2] < 1_024, "It grows by \(growth) KB in the quarters: \(memory)")
    await pool.stop()
  }

  /// Nothing holds a host that has ended, nor what read from it and wrote to it.
  @Test func aHostThatHasEndedIsLetGo() async throws {
    let supervisor = try workshop.supervisor([Workshop.built + "/libScenes.so"])
    _ = try await supervisor.start()
    weak let host = (supervisor.keeper.line as? HostLine)?.host
    weak let errors = host?.errors
    weak let output = host?.output
    weak let input = host?.input
    let process = try #require(host?.processID)
    await supervisor.nextStart { kill(process, SIGKILL) }
    try await eventually { host == nil && errors == nil && output == nil && input == nil }
    await supervisor.stop()
  }
}
