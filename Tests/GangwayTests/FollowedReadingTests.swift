@_spi(FrontEnd) import GangwayProtocol
import Foundation
import Observation
import Testing

@_spi(FrontEnd) @testable import Gangway

/// A read of an observable value is followed only as long as its reader is interested, because values live long.
@MainActor @Suite struct FollowedReadingTests {
  @Observable final class Model {
    var name = "one"
    var other = 0
  }

  private final class Probe: Sendable {}

  @Test func aChangeIsToldOnceAndOnlyOfWhatWasRead() {
    let model = Model()
    let reading = FollowedReading()
    let told = ChangeFlag()
    told.lower()
    #expect(reading.isStale)
    #expect(
      reading.read {
        model.name
      } onChange: {
        told.raise()
      } == "one")
    #expect(!reading.isStale)
    model.other = 1
    #expect(!reading.isStale && !told.isRaised)
    model.name = "two"
    #expect(reading.isStale && told.isRaised)
    told.lower()
    model.name = "three"
    #expect(!told.isRaised)
    #expect(
      reading.read {
        model.name
      } onChange: {
        told.raise()
      } == "three")
    model.name = "four"
    #expect(told.isRaised)
  }

  @Test func nobodyIsToldOfWhatWasReadBefore() {
    let (first, second) = (Model(), Model())
    let reading = FollowedReading()
    let told = ChangeFlag()
    told.lower()
    _ = reading.read {
      first.name
    } onChange: {
      told.raise()
    }
    _ = reading.read {
      second.name
    } onChange: {
      told.raise()
    }
    #expect(!told.isRaised)
    first.name = "two"
    #expect(!reading.isStale && !told.isRaised)
    second.name = "two"
    #expect(reading.isStale && told.isRaised)
  }

  @Test func theValueKeepsNothingOfAReadingThatIsOver() {
    let (model, other) = (Model(), Model())
    var reading: FollowedReading? = FollowedReading()
    /// Reads both values, with a probe that lives as long as the reading waits for a change.
    func read() -> Probe {
      let probe = Probe()
      _ = reading?.read {
        model.name + other.name
      } onChange: {
        _ = probe
      }
      return probe
    }
    weak let first = read()
    #expect(first != nil)
    weak let second = read()
    #expect(first == nil)
    #expect(second != nil)
    reading = nil
    #expect(second == nil)
    model.name = "two"
  }

  @Test func whatGuardsReadIsFollowedNoLongerThanTheyAre() async {
    let model = Model()
    var watch: GuardWatch? = GuardWatch()
    weak let signal = watch?.signal
    #expect(watch?.follow("door", "room") { model.name } == "one")
    model.name = "two"
    #expect(watch?.isFollowing("door", "room") == false)
    #expect(watch?.follow("door", "room") { model.name } == "two")
    #expect(watch?.isFollowing("door", "room") == true)
    watch?.forget("door", "room")
    #expect(watch?.follow("door", "room") { model.name } == "two")
    watch = nil
    // A notification of a change may still be on its way.
    for _ in 0..<1_000 where signal != nil { await Task.yield() }
    #expect(signal == nil)
  }

  @Test func aSessionThatEndsLeavesNothingWithWhatOutlivesIt() async throws {
    let registry = Registry()
    try registry.register(Board.self)
    let folders = PluginFolders(data: .temporaryDirectory, cache: .temporaryDirectory) { _ in }
    weak var signal: RefreshSignal?
    do {
      let session = Session(registry: registry, folders: folders)
      signal = session.signal
      #expect(try session.start().presentation?.plainText.contains("News: one") == true)
      #expect(await session.idle())
      Board.news.name = "two"
      #expect(await session.idle())
      #expect(session.presentation.plainText.contains("News: two"))
      session.close()
    }
    for _ in 0..<1_000 where signal != nil { await Task.yield() }
    #expect(signal == nil)
    #expect(registry.tabs.count == 1)
  }
}

/// A plugin that shows a value of all sessions.
private final class Board: Plugin {
  static let id = "board"
  static let version = "1.0.0"
  @MainActor static let news = FollowedReadingTests.Model()
  func register(in registry: Registrar) { registry.tab("board", title: "Board") { _ in BoardFlow() } }
}

@MainActor @Observable private final class BoardFlow: StackCoordinator {
  enum Route: NavigationRoute { case start }
  let start = Route.start
  func destination(for route: Route) -> Destination { .screen { BoardScreen() } }
}

private struct BoardScreen: Screen {
  var body: some Content {
    Text("News: \(Board.news.name)")
  }
}
