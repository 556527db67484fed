import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// All screens of the samples, shown one after the other on live pages.
@MainActor final class ShownSamples {
  let screens: [(name: String, presentation: Presentation)]
  private let session = ShownSession([])
  private let site: Site
  private let server: WebServer

  /// Visits the samples, and starts a server for pages.
  init() async throws {
    let workshop = try Workshop()
    var screens: [(String, Presentation)] = []
    try await SampleScreens.visit(workshop) { screens.append(($0, $1)) }
    self.screens = screens
    // Each page has a session of its own, because a shared one has no links.
    site = try Site(session)
    server = try await WebServer.start(site, port: 0)
  }

  /// Returns an address that admits one browser.
  func entrance() -> String { "http://127.0.0.1:\(server.port)\(site.makeEntrance())" }

  /// Shows a screen on all pages.
  ///
  /// - Returns: an expression that is true on a page that shows the screen.
  func show(_ presentation: Presentation) -> String {
    session.show(presentation)
    return "document.body.dataset.revision == '\(session.presentation.revision)'"
  }

  func stop() async { await server.stop() }
}
