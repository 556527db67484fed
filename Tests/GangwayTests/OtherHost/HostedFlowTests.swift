import Foundation
import Testing

@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) @testable import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting

/// Entries whose flows another host runs: they look and behave as in one host.
@MainActor @Suite struct HostedFlowTests {
  /// An action of a user, by the labels on the screen.
  enum Act: CustomStringConvertible {
    case tap(String), edit(String, String), toggle(String), expand(String), tab(String), back, dismiss

    var description: String {
      switch self {
      case .tap(let label): "tap \(label)"
      case .edit(let label, let text): "edit \(label) \(text)"
      case .toggle(let label): "toggle \(label)"
      case .expand(let label): "expand \(label)"
      case .tab(let title): "tab \(title)"
      case .back: "back"
      case .dismiss: "dismiss"
      }
    }

    struct Missing: Error, CustomStringConvertible { let description: String }

    /// Returns the event's action on a presentation.
    func action(on presentation: Presentation) throws -> Event.Action {
      func target(_ label: String) throws -> Event.ElementReference {
        for pane in presentation.top?.columns.reversed() ?? [] {
          if let element = pane.elements.firstElement(where: { $0.label == label }) {
            return Event.ElementReference(node: pane.node, element: element.id)
          }
        }
        throw Missing(description: "'\(label)' is not on the screen \(presentation.path.map(\.title))")
      }
      switch self {
      case .tap(let label): return .tap(try target(label))
      case .edit(let label, let text): return .edit(try target(label), text: text)
      case .toggle(let label): return .toggle(try target(label), isOn: true)
      case .expand(let label): return .expand(try target(label), isExpanded: true)
      case .tab(let title):
        guard let tab = presentation.tabBars.joined().first(where: { $0.title == title }) else {
          throw Missing(description: "There is no tab '\(title)' in \(presentation.tabBars.joined().map(\.title))")
        }
        return .tab(tab.node)
      case .back: return .back
      case .dismiss: return .dismiss
      }
    }
  }

  private let folder = FileManager.default.temporaryDirectory.appending(path: "hosted-\(UUID())")
  private var folders: PluginFolders { PluginFolders(data: folder, cache: folder) { _ in } }

  /// Runs a script in one host, and in two, and compares what the user sees after each action.
  private func compare(_ acts: [Act]) async throws {
    let one = Session(registry: try Registry(plugins: [Inn.self, Guest.self]), folders: folders)
    _ = try one.start()
    let two = try TwoHosts(folders)
    defer {
      one.close()
      two.close()
      try? FileManager.default.removeItem(at: folder)
    }
    var notices: [String] = []
    one.onUpdate = { notices += $0.notices.map(\.text) }
    #expect(shape(one.presentation) == shape(two.presentation))
    for (index, act) in acts.enumerated() {
      let event = Event(
        id: EventID(rawValue: index + 1), revision: one.presentation.revision,
        action: try act.action(on: one.presentation))
      notices += one.handle(event).notices.map(\.text)
      _ = await one.idle(within: .seconds(5), quiet: .milliseconds(20))
      await two.send(try act.action(on: two.presentation))
      #expect(shape(one.presentation) == shape(two.presentation), "after \(index + 1): \(act)")
      #expect(two.notices == notices)
      let nodes = two.presentation.path.map(\.node)
      #expect(Set(nodes).count == nodes.count)
    }
  }

  /// A presentation without its ids and numbers.
  private func shape(_ presentation: Presentation) -> String {
    var text = presentation.tabBars.map { bar in
      bar.map { ($0.isSelected ? "*" : "") + $0.title }.joined(separator: " ")
    }.joined(separator: " / ")
    text += "\n" + presentation.path.map(\.title).joined(separator: " > ")
    text += presentation.canGoBack ? "\ncan go back" : ""
    text += presentation.asksBeforeLeaving == true ? "\nasks" : ""
    for layer in presentation.layers {
      text += "\n\(layer.style) \(layer.isDismissible) \(layer.title)"
      if let active = layer.activePane, let pane = layer.panes?.first(where: { $0.node == active }) {
        text += " active \(pane.title)"
      }
      for pane in layer.columns {
        text += "\n  \(pane.title):"
        pane.elements.visit { element in
          text += " [\(element.kind.rawValue) \(element.label) \(element.value ?? "")]"
        }
      }
    }
    return text
  }

  @Test(
    arguments: [
      [.tap("Visit 1"), .edit("Name", "Ada"), .tap("Letter"), .tap("Send"), .tap("Leave")],
      [.tap("Visit 1"), .tap("Bath"), .toggle("Hot"), .back, .back, .tap("Visit 1"), .tap("Give up")],
      [
        .tap("Visit 2 beside"), .edit("Name", "B"), .tap("Bath"), .tap("Letter"), .dismiss, .back, .tap("Visit 1"),
        .back,
      ],
      [.tap("Visit 3 in a modal"), .edit("Name", "C"), .tap("Letter"), .back, .dismiss],
      [.tap("Visit 3 in a modal"), .tap("Bath"), .back, .tap("Leave"), .tap("Visit 1")],
      [
        .tap("Visit the annex"), .tab("downstairs"), .edit("Name", "D"), .tap("Bath"), .tab("upstairs"),
        .tab("downstairs"),
      ],
      [.tab("Rooms"), .edit("Name", "E"), .tap("Bath"), .tab("Hall"), .tab("Rooms"), .back, .tap("Letter"), .dismiss],
      [.tab("Rooms"), .tap("Kitchen"), .back, .tap("Stay"), .back, .tap("Leave it"), .tab("Hall")],
      [.tap("Visit 1"), .tap("Kitchen"), .tab("Rooms"), .tab("Hall"), .back, .tap("Leave it"), .tap("Leave")],
      [.tap("Visit 1"), .tap("Oath"), .back, .tap("Swear"), .back],
      [.tap("Visit 1"), .tap("Cellar"), .tap("Leave from below"), .tap("Stay"), .back, .tap("Leave it"), .back],
    ] as [[Act]])
  func aFlowOfAnotherHostLooksAndBehavesAsInOneHost(_ acts: [Act]) async throws { try await compare(acts) }

  @Test func aLeaveGuardInTheOtherHostHoldsTheEntry() async throws {
    let two = try TwoHosts(folders)
    await two.send(try Act.tap("Visit 1").action(on: two.presentation))
    await two.send(try Act.tap("Kitchen").action(on: two.presentation))
    #expect(two.presentation.asksBeforeLeaving == true)
    // A link of the app removes the entry, so the app's host asks the other one.
    let hall = try #require(two.presentation.path.first)
    #expect(hall.title == "Hall")
    await two.popAll()
    #expect(two.presentation.alert?.label == "Leave the stove on?", "\(two.notices) \(shape(two.presentation))")
    await two.send(try Act.tap("Stay").action(on: two.presentation))
    await two.popped()
    #expect(two.presentation.path.map(\.title) == ["Hall", "Room 1", "Kitchen"])
    #expect(two.notices == ["The stove is on."])
    await two.popAll()
    await two.send(try Act.tap("Leave it").action(on: two.presentation))
    await two.popped()
    #expect(two.presentation.path.map(\.title) == ["Hall"])
    two.close()
  }

  @Test func aFlowThatEndsWithAValueGivesItToTheAppAlsoAfterARestart() async throws {
    var two = try TwoHosts(folders)
    await two.send(try Act.tap("Visit 1").action(on: two.presentation))
    await two.send(try Act.edit("Name", "Ada").action(on: two.presentation))
    let earlier = two.checkpoints
    two.crash()
    two = try TwoHosts(folders, from: earlier)
    #expect(two.presentation.path.map(\.title) == ["Hall", "Room 1"])
    #expect(two.presentation.reachable.contains { $0.label == "Hello Ada" })
    await two.send(try Act.tap("Leave").action(on: two.presentation))
    #expect(two.presentation.reachable.contains { $0.label == "left 1 as Ada" })
    #expect(two.calls.last?.hasPrefix("end") == true)
    two.close()
  }

  @Test func aCrashOfTheOtherHostChangesNothingInTheApp() async throws {
    let two = try TwoHosts(folders)
    await two.send(try Act.tap("Visit 1").action(on: two.presentation))
    await two.send(try Act.edit("Name", "Ada").action(on: two.presentation))
    await two.send(try Act.tap("Letter").action(on: two.presentation))
    let before = shape(two.presentation)
    two.crashGuests()
    await two.settle()
    #expect(shape(two.presentation) == before)
    await two.send(try Act.tap("Send").action(on: two.presentation))
    await two.send(try Act.tap("Leave").action(on: two.presentation))
    #expect(two.presentation.reachable.contains { $0.label == "left 1 as Ada" })
    two.close()
  }

  @Test func aFlowThatCannotStartSaysWhyAndIsStartedAgain() async throws {
    let two = try TwoHosts(folders)
    two.failure = "there is no room"
    await two.send(try Act.tap("Visit 1").action(on: two.presentation))
    #expect(two.presentation.reachable.contains { $0.label.hasSuffix("is not available.") })
    await two.send(try Act.expand("Details").action(on: two.presentation))
    #expect(two.presentation.reachable.contains { $0.label.contains("there is no room") })
    two.failure = nil
    await two.send(try Act.tap("Try again").action(on: two.presentation))
    #expect(two.presentation.path.map(\.title) == ["Hall", "Room 1"])
    #expect(two.presentation.reachable.contains { $0.label == "Leave" })
    two.close()
  }

  @Test func aFlowThatUndoBringsBackHasItsState() async throws {
    let two = try TwoHosts(folders)
    await two.send(try Act.tap("Visit 1").action(on: two.presentation))
    await two.send(try Act.edit("Name", "Ada").action(on: two.presentation))
    await two.send(.back)
    #expect(two.presentation.path.map(\.title) == ["Hall"])
    await two.send(.undo)
    #expect(two.presentation.reachable.contains { $0.label == "Hello Ada" })
    two.close()
  }

  @Test func withoutAConnectionToTheOtherHostTheEntrySaysSo() async throws {
    let registry = try Registry(plugins: [Inn.self])
    registry.announce(try Registry().manifest(of: Guest.self), runsElsewhere: true)
    let session = Session(registry: registry, folders: folders)
    _ = try session.start()
    let action = try Act.tap("Visit 1").action(on: session.presentation)
    _ = session.handle(Event(id: 1, revision: session.presentation.revision, action: action))
    let details = try Act.expand("Details").action(on: session.presentation)
    _ = session.handle(Event(id: 2, revision: session.presentation.revision, action: details))
    #expect(session.presentation.reachable.contains { $0.label.contains("no connection") })
    session.close()
  }

  @Test func anEventOnAnOlderPresentationFindsTheRevisionOfItsFlow() async throws {
    let two = try TwoHosts(folders)
    await two.send(try Act.tap("Visit 1").action(on: two.presentation))
    let seen = two.presentation
    await two.send(try Act.edit("Name", "A").action(on: seen))
    await two.send(try Act.edit("Name", "Ab").action(on: seen), at: seen.revision)
    #expect(two.presentation.reachable.contains { $0.label == "Hello Ab" })
    #expect(two.notices == [])
    two.close()
  }

  @Test func aPlanThatFailsEndsTheFlowThatItStarted() async throws {
    let two = try TwoHosts(folders)
    let hall = try #require(two.hall)
    await #expect(throws: NavigationError.self) {
      try await hall.transaction { plan in
        try plan.show(.visit(1))
        try plan.show(.nowhere)
      }
    }
    #expect(two.calls.map { String($0.prefix { $0 != " " }) } == ["start", "discard"])
    #expect(two.presentation.path.map(\.title) == ["Hall"])
    // The next entry has the same number, and nothing of the flow before.
    await two.send(try Act.tap("Visit 3 in a modal").action(on: two.presentation))
    #expect(two.presentation.path.map(\.title) == ["Hall", "Room 3"])
    two.close()
  }

  @Test func aGuardOfTheAppRefusesBeforeTheOtherHostStartsTheFlow() async throws {
    let two = try TwoHosts(folders)
    two.hallCoordinator?.isClosed = true
    await two.send(try Act.tap("Visit 1").action(on: two.presentation))
    #expect(two.calls == [])
    #expect(two.notices == ["The hall is closed."])
    two.close()
  }

  @Test func theEndOfTheAppStopsItsFlowsAndKeepsTheirState() async throws {
    let two = try TwoHosts(folders)
    await two.send(try Act.tap("Visit 1").action(on: two.presentation))
    await two.send(try Act.edit("Name", "Ada").action(on: two.presentation))
    two.close()
    #expect(two.calls.last?.hasPrefix("stop") == true)
    #expect(two.stored.count == 1)
  }

  @Test func aSessionHasNoUserUntilOneSignsIn() throws {
    let session = Session(registry: try Registry(plugins: [Inn.self]), folders: folders)
    #expect(session.services.context(for: "inn").user == nil)
    session.user = User(id: "7", name: "Ada")
    #expect(session.services.context(for: "inn").user == User(id: "7", name: "Ada"))
  }
}
