import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

/// The screens of the sample plugins, visited in turn on real hosts.
@_spi(FrontEnd) @MainActor public enum SampleScreens {
  /// The reason why not all screens can be shown.
  public struct Failure: Error, CustomStringConvertible { public let description: String }

  /// The scripts that move from one screen to the next, with the screens' names. Files and Monitor show this machine.
  private static let steps: [(name: String, script: String)] = [
    ("welcome", "open gangway://welcome"), ("scene 1", "open gangway://scenes"),
    ("scene 2", "set Text = typed\ntap Go to Scene 2"),
    ("scene 3", "back\ntap Open Scene 3"), ("greeting", "dismiss\ntap Greet\nexpect Hello"),
    ("clock", "open gangway://clock"), ("zones", "tap Time zones"), ("blither", "open gangway://blither"),
    ("new game", "tap New Game"), ("a wrong size", "set Board size = 99"),
    ("board", "set Board size = 7\ntap Start"), ("in play", "cell 3 3\ncell 3 4\ncell 4 3"),
    ("resigning", "tap Resign"),
    ("won", "tap Resign the game"), ("rules", "open gangway://blither/rules"), ("options", "back\ntap Options"),
    ("stats", "back\ntap Stats"), ("about", "back\ntap About"), ("app icon", "back\ntap App Icon"),
    ("shapes", "open gangway://shapes"), ("simple shapes", "tap Simple shapes"), ("a circle", "tap Circle"),
    ("custom shapes", "open gangway://shapes/custom"), ("a tower", "tap Tower"),
    ("featured shape", "open gangway://shapes/featured?shape=star&size=60"),
    ("sample todos", "open gangway://todos"), ("a sample", "open gangway://todos/-3"),
    ("sign in", "open gangway://todos\ntap Sign in"),
    (
      "a wrong password",
      "set Name = ada\nset Password = wrong\nsubmit\nwait 2\nexpect Wrong name or password"
    ),
    ("register", "tap Register"),
    ("todos", Self.register),
    ("new todo", "tap New todo\nset Title = Buy milk\nset Has a date = on\nset Due = 2020-01-01T12:00"),
    ("a todo", "tap Save\nexpect Overdue"), ("all todos", "open gangway://todos/lists/all\nexpect Buy milk"),
    ("nothing found", "set Search = bread\nexpect No results"), ("editing", "open gangway://todos/1\ntap Edit"),
    ("new list", "tap Cancel\nopen gangway://todos\ntap New list"),
    ("account", "dismiss\nopen gangway://account\nexpect ada"),
  ]

  /// The script that creates an account where the app asks for one.
  public static let register = """
    set Name = ada
    set Password = analytical engine
    set Password again = analytical engine
    submit
    wait 2
    expect Write the code down
    tap Sign in
    wait 2
    refuse These todos are samples
    expect Favourites
    """

  /// Visits every screen of every sample, the Gallery's first.
  ///
  /// - Parameter look: called with each screen and its name.
  public static func visit(_ workshop: Workshop, _ look: (String, Presentation) -> Void) async throws {
    let gallery = try workshop.supervisor(["gallery"]) { $0.environment["TZ"] = "UTC" }
    _ = try await gallery.start()
    let names = gallery.presentation.reachable.filter { $0.kind == .row }.map { $0.label.lowercased() }
    guard names.count > 25 else { throw Failure(description: "the gallery has \(names.count) samples") }
    look("gallery", gallery.presentation)
    for name in names {
      _ = try await gallery.send(.open("gangway://gallery/\(name)"))
      look(name, gallery.presentation)
    }
    await gallery.stop()
    let samples = ["scenes", "clock", "blither", "hello", "shapes", "todos", "account", "welcome"]
    let others = try workshop.supervisor(samples) {
      $0.environment["TZ"] = "UTC"
    }
    _ = try await others.start()
    await others.listed()
    for (name, script) in steps {
      var complaints: [String] = []
      let frontEnd = PlainFrontEnd(others, isScript: true, write: { _ in }, complain: { complaints.append($0) })
      let (lines, input) = AsyncStream.makeStream(of: String.self)
      for line in script.split(separator: "\n") { input.yield(String(line)) }
      input.finish()
      let code = await frontEnd.run(lines)
      guard code == 0 else { throw Failure(description: "\(name): \(complaints)") }
      look(name, others.presentation)
    }
    await others.stop()
  }
}
