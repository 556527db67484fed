import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// `gangway validate` starts the plugin in a new host, so it finds what a crash would lose.
@MainActor @Suite struct NewHostCheckTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test(arguments: [true, false]) func whatAHostHoldsOnlyInMemoryIsFound(_ isStored: Bool) async throws {
    let path = try await workshop.plugin("Votes", Self.source(isStored: isStored))
    let result = try await workshop.gangway(["validate", path, "--steps", "20"])
    #expect(result.code == (isStored ? 0 : 1), "\(result.output)\(result.errors)")
    // A second session of the same host shows the same.
    #expect(result.output.contains("✓ restores its screens"), "\(result.output)")
    let finding = "✗ comes back in a new host: the last screen: line 3 of the screen was 'Votes: "
    #expect(
      result.output.contains(isStored ? "✓ comes back in a new host: 2 of 2 screens" : finding), "\(result.output)")
    #expect(isStored || result.output.contains("', and was restored as 'Votes: 0'"), "\(result.output)")
  }

  /// No check has seen how such a plugin stores its data.
  @Test func aWalkThatStoresNothingIsTold() async throws {
    let path = try await workshop.plugin("Forgets", Self.source(isStored: false))
    let folder = URL(filePath: workshop.path("data")).appending(path: "votes")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("1".utf8).write(to: folder.appending(path: "count"))
    let options = ["--steps", "5", "--data", workshop.path("data")]
    let result = try await workshop.gangway(["validate", path] + options)
    #expect(result.output.contains("✓ survives a random walk: 5 steps, seed 1; it stored nothing"), "\(result.output)")
  }

  /// At the end of the walk, both hosts show what is stored.
  @Test func aLossThatALaterStepHidesIsFound() async throws {
    let path = try await workshop.plugin("Rereads", Self.source(isStored: false, readsAgain: true))
    let result = try await workshop.gangway(["validate", path, "--steps", "75", "--seed", "3"])
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("✗ comes back in a new host: after step "), "\(result.output)")
  }

  @Test(arguments: [false, true]) func aDeletionThatIsNotStoredIsFound(_ isDestructive: Bool) async throws {
    let path = try await workshop.plugin("Deletes", Self.source(isStored: true, deletes: true))
    let options = isDestructive ? ["--destructive"] : []
    let result = try await workshop.gangway(["validate", path, "--steps", "100"] + options)
    #expect(result.code == (isDestructive ? 1 : 0), "\(result.output)\(result.errors)")
    #expect(result.output.contains("✗ comes back in a new host: ") == isDestructive, "\(result.output)")
    #expect(result.errors.contains("--steps 100 --destructive") == isDestructive, "\(result.errors)")
  }

  /// A value from outside, such as the machine's load, may change before the new host shows it.
  @Test func aValueFromOutsideThatChangedIsNoFinding() async throws {
    let path = try await workshop.plugin("Outside", Self.outside)
    let result = try await workshop.gangway(["validate", path, "--steps", "20"])
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("✓ comes back in a new host: 2 of 2 screens"), "\(result.output)")
  }

  /// A screen that a guard refuses in both hosts was not compared.
  @Test func whatAGuardRefusesIsNotCounted() async throws {
    let path = try await workshop.plugin("Closed", Self.closed)
    let result = try await workshop.gangway(["validate", path, "--steps", "20"])
    #expect(result.output.contains("✓ comes back in a new host: 2 of 3 screens"), "\(result.output)\(result.errors)")
  }

  /// A guard's answer is no mistake. The tab counts as refused, and screens behind guards are not compared.
  @Test func aTabBehindAGuardIsToldAsRefused() async throws {
    let path = try await workshop.plugin("Locked", Self.locked)
    let closed = try await workshop.gangway(["validate", path, "--steps", "20"])
    #expect(closed.code == 0, "\(closed.output)\(closed.errors)")
    let shown = "✓ shows its tabs: 1 of 2; not shown, because a guard refuses or asks first: 'Locked'"
    #expect(closed.output.contains(shown), "\(closed.output)")
    let none = try await workshop.gangway(["validate", path, "--steps", "0"])
    #expect(none.output.contains("✓ comes back in a new host: 2 of 3 screens"), "\(none.output)")
    let script = workshop.path("allow.txt")
    try "tap Allow\ntab Locked\nexpect Gold\n".write(toFile: script, atomically: true, encoding: .utf8)
    let open = try await workshop.gangway(["validate", path, "--steps", "60", "--script", script])
    #expect(open.code == 0, "\(open.output)\(open.errors)")
    #expect(open.output.contains("✓ shows its tabs: 2 of 2"), "\(open.output)")
    #expect(open.output.contains("not compared, because a guard refused the screen"), "\(open.output)")
  }

  private static let locked = """
    import Gangway
    import Observation

    @MainActor @Observable final class Key { var isAllowed = false }
    final class Hall: StackCoordinator {
      enum Route: NavigationRoute { case hall }
      let start = Route.hall
      let key: Key
      init(_ key: Key) { self.key = key }
      func destination(for route: Route) -> Destination { .screen { [key] _ in HallScreen(key: key) } }
    }
    struct HallScreen: Screen {
      @Bindable var key: Key
      var body: some Content { Toggle("Allow", isOn: $key.isAllowed) }
    }
    final class Vault: StackCoordinator {
      enum Route: NavigationRoute { case list }
      let start = Route.list
      let key: Key
      init(_ key: Key) { self.key = key }
      func destination(for route: Route) -> Destination { .screen { [key] _ in Gold(key: key) } }
    }
    struct Gold: Screen {
      let key: Key
      var body: some Content { Text("Gold"); Button("Lock") { key.isAllowed = false } }
    }
    final class LockedPlugin: Plugin {
      static let id = "locked", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.service { _ in Key() }
        registry.tab("hall", title: "Hall") { Hall(try $0.service()) }
        registry.tab("vault", title: "Locked", guards: { context in
          [NavigationGuard("key") { _ in try context.service(Key.self).isAllowed ? .allow : .deny("It is locked.") }]
        }) { Vault(try $0.service()) }
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(LockedPlugin.self) }
    """

  private static let closed = """
    import Gangway

    final class Closed: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      func destination(for route: Route) -> Destination { .screen { _ in Page() } }
    }
    struct Page: Screen { var body: some Content { Button("Read") {} } }
    final class ClosedPlugin: Plugin {
      static let id = "closed", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.tab("main", title: "Closed") { _ in Closed() }
        let shut = NavigationGuard("shut") { _ in .deny("shut") }
        registry.place("vault", guards: { _ in [shut] }, samples: [NoPayload()]) { (_: NoPayload) in Closed() }
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ClosedPlugin.self) }
    """

  /// A plugin that shows a number of the process, which changes only as its service is created.
  private static let outside = """
    import Gangway
    import Observation

    @MainActor private var created = 0

    @MainActor @Observable final class Meter {
      var value = 0
      init() { created += 1 }
      func watch() async {
        while !Task.isCancelled {
          value = created
          try? await Task.sleep(for: .milliseconds(200))
        }
      }
    }
    final class Outside: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      let meter: Meter
      init(_ meter: Meter) { self.meter = meter }
      func destination(for route: Route) -> Destination { .screen { [meter] _ in Page(meter: meter) } }
    }
    struct Page: Screen {
      let meter: Meter
      var body: some Content {
        Text("Outside: \\(meter.value)").task { await meter.watch() }
        Button("Read") {}
      }
    }
    final class OutsidePlugin: Plugin {
      static let id = "outside", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.service(scope: .host) { _ in Meter() }
        registry.tab("main", title: "Outside") { Outside(try $0.service()) }
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(OutsidePlugin.self) }
    """

  private static func source(isStored: Bool, readsAgain: Bool = false, deletes: Bool = false) -> String {
    """
    import Foundation
    import Gangway
    import Observation

    @MainActor @Observable final class Box {
      var count = 0
      @ObservationIgnored private let file: URL
      init(_ file: URL) {
        self.file = file
        if let text = try? String(contentsOf: file, encoding: .utf8) { count = Int(text) ?? 0 }
      }
      func vote() throws {
        count += 1
        if \(isStored) { try "\\(count)".write(to: file, atomically: true, encoding: .utf8) }
      }
    }
    final class Votes: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      let box: Box
      init(_ box: Box) { self.box = box }
      func destination(for route: Route) -> Destination { .screen { [box] _ in Page(box: box) } }
    }
    struct Page: Screen {
      let box: Box
      var body: some Content {
        Text("Votes: \\(box.count)")
        Button("Vote") { try box.vote() }
        if \(readsAgain) { Button("Read again") { box.count = 0 } }
        if \(deletes) { Button("Delete", role: .destructive) { box.count = 0 } }
      }
    }
    final class VotesPlugin: Plugin {
      static let id = "votes", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.service(scope: .host) { Box($0.dataFolder.appending(path: "count")) }
        registry.tab("main", title: "Votes") { Votes(try $0.service()) }
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(VotesPlugin.self) }
    """
  }
}
