@_spi(FrontEnd) import GangwayProtocol
import Testing

@_spi(FrontEnd) @testable import Gangway

/// Restored entries that wait for their plugin.
extension LazyLoadingTests {
  @Test func aRestoredEntryWaitsForItsPluginAndComesBack() async throws {
    _ = try tab("Shop")
    let checkpoint = session.checkpoint
    let (_, slow, next) = try another(with: [HomePlugin.self])
    slow.isSlow = true
    _ = try next.start(from: checkpoint)
    #expect(next.presentation.plainText.contains("Loading 'Shop'… …\nCancel"), "\(next.presentation.plainText)")
    #expect(next.checkpoint.records.count == checkpoint.records.count)
    slow.deliver()
    #expect(await next.idle(within: .seconds(5)))
    #expect(next.presentation.plainText.contains("list"), "\(next.presentation.plainText)")
  }

  /// A delay that no wait of a busy machine reaches.
  private static let longer: Duration = .seconds(600)

  /// A front end still shows the previous screen. Nothing else should replace it for only a moment.
  @Test func whatComesBackAfterACrashIsWaitedForLonger() async throws {
    _ = try tab("Shop")
    let checkpoint = session.checkpoint
    let (_, slow, next) = try another(with: [HomePlugin.self])
    slow.isSlow = true
    next.navigation.hooks.patienceAfterCrash = Self.longer
    let opening = Task { try await next.open(from: checkpoint) }
    try await Task.sleep(for: next.navigation.hooks.usualPatience * 4)
    slow.deliver()
    let update = try await opening.value
    #expect(update.presentation?.plainText.contains("list") == true, "\(update.presentation?.plainText ?? "")")
    // From now on, the activity appears as early as usual.
    let (_, slower, other) = try another(with: [HomePlugin.self])
    _ = try await other.open()
    slower.isSlow = true
    other.navigation.hooks.patienceAfterCrash = Self.longer
    let start = ContinuousClock.now
    let shop = try #require(other.presentation.tabBars.first?.last)
    let answer = await other.answer(to: Event(id: 1, revision: other.presentation.revision, action: .tab(shop.node)))
    #expect(ContinuousClock.now - start < Self.longer)
    #expect(answer.presentation?.activity == "Loading…")
  }

  @Test func whatComesBackAfterACrashIsNotWaitedForWithoutEnd() async throws {
    _ = try tab("Shop")
    let checkpoint = session.checkpoint
    let (_, stuck, next) = try another(with: [HomePlugin.self])
    stuck.isSlow = true
    next.navigation.hooks.patienceAfterCrash = .milliseconds(300)
    let update = try await next.open(from: checkpoint)
    #expect(update.presentation?.plainText.contains("Loading 'Shop'… …\nCancel") == true)
    // In another run, no previous screen is visible.
    let (_, slow, later) = try another(with: [HomePlugin.self])
    slow.isSlow = true
    later.navigation.hooks.patienceAfterCrash = Self.longer
    let start = ContinuousClock.now
    _ = try await later.open(from: checkpoint, asksGuards: true)
    #expect(ContinuousClock.now - start < Self.longer)
  }
}
