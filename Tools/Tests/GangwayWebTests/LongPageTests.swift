import Foundation
@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// Long lists in a real browser, on a screen that changes all the time.
@MainActor @Suite(.serialized) struct LongPageTests {
  private static let source = """
    import Gangway
    import Glibc
    import Observation
    @MainActor @Observable final class Model { var ticks = 0 }
    struct Item: Identifiable { let id: Int }
    final class Many: StackCoordinator {
      enum Route: NavigationRoute { case list }
      let start = Route.list
      let model = Model()
      func destination(for route: Route) -> Destination { .screen { ManyScreen(model: self.model) } }
    }
    struct ManyScreen: Screen {
      let model: Model
      private static let items = (1...100_000).map { Item(id: $0) }
      var body: some Content {
        let _ = usleep(15_000)
        Text("Ticks: \\(model.ticks)")
          .task { while (try? await Task.sleep(for: .milliseconds(5))) != nil { model.ticks += 1 } }
        List(Self.items) { item in Row("Todo \\(item.id).") {} }.id("many")
      }
    }
    final class ManyPlugin: Plugin {
      static let id = "many", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Many") { _ in Many() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ManyPlugin.self) }
    """

  private nonisolated static func press(_ end: String) -> String {
    "document.querySelector('[data-jump=\(end)]').click()"
  }

  /// Whether a row is on the page, in sight and focused.
  private nonisolated static func isAt(_ row: Int) -> String {
    """
    (() => {
      const focused = document.activeElement, box = focused.getBoundingClientRect()
      return focused.closest('.row')?.innerText.trim() === 'Todo \(row).' && box.top >= 0 && box.bottom <= innerHeight
    })()
    """
  }

  /// The focused element, its place in the window, and the rows of the page.
  private nonisolated static let whereabouts = """
    (() => {
      const focused = document.activeElement, box = focused.getBoundingClientRect()
      const rows = [...document.querySelectorAll('.items > .row')].map(row => row.innerText.trim())
      return `${focused.closest('.row')?.innerText ?? focused.outerHTML.slice(0, 80)} at ${box.top} of ${innerHeight}, `
        + `${rows.length} rows from ${rows[0]} to ${rows.at(-1)}`
    })()
    """

  /// The page asks for rows by itself when their place comes near. That must not lead away from a jump.
  @Test func aJumpLandsAndStaysWhileThePageScrolls() async throws {
    let workshop = try Workshop()
    let serving = try await Serving([try await workshop.plugin("ManyOnAPage", Self.source)])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere {
      try page.wait("!!document.querySelector('[data-jump=last]')")
      let jumps = [("last", 100_000), ("first", 1), ("last", 100_000), ("first", 1)]
      for (end, row) in jumps {
        // The button that asks for the next rows is in sight at the moment of the jump.
        _ = try page.value("document.querySelector('[data-reach]').scrollIntoView(); \(Self.press(end))")
        try page.wait(Self.isAt(row))
        usleep(700_000)
        let isThere = try page.value(Self.isAt(row)) as? Bool == true
        let whereabouts = try page.value(Self.whereabouts) as? String ?? ""
        #expect(isThere, "a moment after the jump to the \(end) row: \(whereabouts)")
      }
      #expect(browser.takeComplaints() == [])
    }
    await serving.stop()
  }

  /// Whether a row is in sight.
  private nonisolated static func isInSight(_ row: Int) -> String {
    """
    [...document.querySelectorAll('.row')].some(row => {
      const box = row.getBoundingClientRect()
      return row.innerText.trim() === 'Todo \(row).' && box.top >= 0 && box.bottom <= innerHeight
    })
    """
  }

  /// The first screens of the next host, or of a loaded page, have none of the rows.
  @Test func aListThatLoadsIsWhereItWasAfterACrashAndAReload() async throws {
    let workshop = try Workshop()
    let source = Self.source
      .replacing("let _ = usleep(15_000)", with: "")
      .replacing(".task { while (try? await Task.sleep(for: .milliseconds(5))) != nil { model.ticks += 1 } }", with: "")
      .replacing(
        "var ticks = 0",
        with: """
          var ticks = 0
            let items: Loadable<[Item]>
            init() {
              items = Loadable {
                try await Task.sleep(for: .seconds(1))
                return (1...700).map { Item(id: $0) }
              }
            }
          """
      )
      .replacing(
        "List(Self.items) { item in Row(\"Todo \\(item.id).\") {} }.id(\"many\")",
        with: "Loading(\"Loading\", model.items) { List($0) { item in Row(\"Todo \\(item.id).\") {} }.id(\"many\") }")
    #expect(source.contains("Loading(") && source.contains("Loadable"))
    let serving = try await Serving([try await workshop.plugin("ManyOnAPage", source)])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere {
      try page.wait("!!document.querySelector('[data-jump=last]')")
      _ = try page.value(Self.press("last"))
      try page.wait(Self.isAt(700))
      // The page tells the position when scrolling stops.
      usleep(900_000)
    }
    for isReloaded in [false, true] {
      try await serving.killHost()
      try await elsewhere {
        if isReloaded { _ = try page.value("location.reload()") }
        try page.wait("document.body.innerText.includes('Loading')")
        try page.wait(Self.isInSight(700))
        usleep(1_000_000)
        let isThere = try page.value(Self.isInSight(700)) as? Bool == true
        let whereabouts = try page.value(Self.whereabouts) as? String ?? ""
        #expect(isThere, "reloaded: \(isReloaded): \(whereabouts)")
      }
    }
    await serving.stop()
  }

  /// Both pages show the rows that were asked for last.
  @Test func twoPagesOfASessionDoNotLeadEachOtherAround() async throws {
    let serving = try await Serving(["gallery"]) { $0.onlySession = "main" }
    let browser = try Chromium()
    let one = try await serving.visit(browser)
    try await elsewhere { try one.run(script: "tap Length") }
    let other = try await serving.visit(browser)
    try await elsewhere {
      let jumps = [(one, "last", "Number 100000"), (other, "first", "Number 1"), (one, "last", "Number 100000")]
      for (page, end, row) in jumps {
        try other.wait("!!document.querySelector('[data-jump]')")
        _ = try page.value(Self.press(end))
        try page.wait("/^\(row)\\b/.test(document.activeElement.closest('.row')?.innerText.trim())")
        usleep(1_500_000)
        let revision = try one.text("document.body.dataset.revision")
        usleep(1_500_000)
        #expect(try one.text("document.body.dataset.revision") == revision, "the pages ask without end")
        #expect(try page.text("document.activeElement.closest('.row')?.innerText.trim()").hasPrefix(row))
      }
      // After an action of its user, a page gets rows again.
      _ = try other.value("document.querySelector('.above').scrollIntoView()")
      try other.press("Shift")
      try other.wait("[...document.querySelectorAll('.row')].some(row => row.textContent.includes('Number 99750'))")
    }
    await serving.stop()
  }

  /// A jump that is lost does not keep the page from asking for rows.
  @Test func afterAJumpThatWasLostRowsStillCome() async throws {
    let workshop = try Workshop()
    let serving = try await Serving([try await workshop.plugin("ManyOnAPage", Self.source)])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    // A press while there is no connection is dropped.
    try await serving.restart {
      try page.wait("document.documentElement.classList.contains('offline')")
      _ = try page.value(Self.press("last"))
      usleep(1_000_000)
    }
    try await elsewhere {
      try page.wait("!document.documentElement.classList.contains('offline')")
      try page.wait("[...document.querySelectorAll('.row')].some(row => row.innerText.trim() === 'Todo 1.')")
      _ = try page.value("document.querySelector('.more.below').scrollIntoView()")
      try page.wait("[...document.querySelectorAll('.row')].some(row => row.textContent.includes('Todo 150.'))")
    }
    await serving.stop()
  }
}
