import Foundation
import GangwayClient
import GangwayProtocol
import GangwaySupervisor
import TestSupport
import Testing

/// The screens of the sample plugins, one after the other, in real hosts.
@MainActor enum SampleScreens {
  /// What leads from one screen of Scenes, Clock and Blither to the next, and what that is called.
  private static let steps: [(name: String, script: String)] = [
    ("scene 1", "open gangway://scenes"), ("scene 2", "set Text = typed\ntap Go to Scene 2"),
    ("scene 3", "back\ntap Open Scene 3"), ("greeting", "dismiss\ntap Greet\nexpect Hello"),
    ("clock", "open gangway://clock"), ("zones", "tap Time zones"), ("blither", "open gangway://blither"),
    ("new game", "tap New Game"), ("a wrong size", "set Board size = 99"),
    ("board", "set Board size = 7\ntap Start"), ("in play", "cell 3 3\ncell 3 4\ncell 4 3"),
    ("resigning", "tap Resign"),
    ("won", "tap Resign the game"), ("rules", "open gangway://blither/rules"), ("options", "back\ntap Options"),
    ("stats", "back\ntap Stats"), ("about", "back\ntap About"), ("app icon", "back\ntap App Icon"),
  ]

  /// Shows every screen of every sample, the Gallery's first.
  ///
  /// - Parameter look: called with each screen and its name.
  static func visit(_ workshop: Workshop, _ look: (String, Presentation) -> Void) async throws {
    let gallery = try workshop.supervisor(["gallery"]) { $0.environment["TZ"] = "UTC" }
    _ = try await gallery.start()
    let names = gallery.presentation.reachable.filter { $0.kind == .row }.map { $0.label.lowercased() }
    #expect(names.count > 25)
    look("gallery", gallery.presentation)
    for name in names {
      _ = try await gallery.send(.open("gangway://gallery/\(name)"))
      look(name, gallery.presentation)
    }
    await gallery.stop()
    let others = try workshop.supervisor(["scenes", "clock", "blither", "hello"]) { $0.environment["TZ"] = "UTC" }
    _ = try await others.start()
    await others.listed()
    for (name, script) in steps {
      var complaints: [String] = []
      let frontEnd = PlainFrontEnd(others, isScript: true, write: { _ in }, complain: { complaints.append($0) })
      let (lines, input) = AsyncStream.makeStream(of: String.self)
      for line in script.split(separator: "\n") { input.yield(String(line)) }
      input.finish()
      let code = await frontEnd.run(lines)
      try #require(code == 0, "\(name): \(complaints)")
      look(name, others.presentation)
    }
    await others.stop()
  }
}
