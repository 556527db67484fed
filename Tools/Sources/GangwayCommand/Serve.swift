import ArgumentParser
import GangwayClient
import GangwayHost

/// `gangway serve`: serves an app to browsers, for many users at once.
package struct Serve: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Serves the app to browsers; when a feature crashes, everybody stays where they were.",
    discussion: help(
      examples: [
        "gangway serve": "on the port of last time, to this machine; prints an address that lets one browser in",
        "gangway serve --port 8080 --hosts 4": "sessions spread over four hosts",
        "gangway serve --port 8080 --name app.example.org --anyone": "behind a proxy that says who may come",
      ]))

  package enum Isolation: String, ExpressibleByArgument, CaseIterable { case none, session }

  @OptionGroup package var app: AppOptions

  @Option(
    help: ArgumentHelp(
      "The port, 0 for one that is free; by default the one it was last with this --state-dir.", valueName: "number"))
  package var port: Int?

  @Option(
    help: ArgumentHelp(
      "The address to listen on; by default that of this machine alone. TLS is a proxy's to do.", valueName: "address"))
  package var listen = "127.0.0.1"

  @Option(
    name: .customLong("name"),
    help: ArgumentHelp("A name that browsers know the server by, as a proxy has; may be repeated.", valueName: "host"))
  package var names: [String] = []

  @Option(help: ArgumentHelp("What stands in the titles of pages.", valueName: "text"))
  package var title = "Gangway"

  @Option(help: ArgumentHelp("How many hosts share the sessions.", valueName: "count"))
  package var hosts = 1

  @Option(help: "Whether each session gets a host of its own: none or session.")
  package var isolate = Isolation.none

  @Option(
    name: .customLong("state-dir"),
    help: ArgumentHelp(
      "Keep sessions, and who may come in, in this folder. Without it, one under XDG_STATE_HOME.", valueName: "dir"),
    completion: .directory)
  package var stateFolder: String?

  @Flag(help: "Let whoever comes in, each with sessions of their own: where a proxy asks who they are.")
  package var anyone = false

  @Flag(
    name: .customLong("owner-address"),
    help: "Print an address for another browser of the owner, who may use the features in 'ownerOnly'.")
  package var ownerAddress = false

  package func validate() throws {
    guard (0...65_535).contains(port ?? 0) else {
      throw ValidationError("--port takes 0 to 65535, and got '\(port ?? 0)'.")
    }
    guard (1...64).contains(hosts) else { throw ValidationError("--hosts takes 1 to 64, and got '\(hosts)'.") }
    if app.shown.frontend != nil || app.shown.screenReader || app.script != nil || app.state != nil || app.record != nil
    {
      throw ValidationError(
        "--frontend, --script, --state, --record and --screen-reader are of one person's app: 'gangway run' takes them."
      )
    }
  }

  package init() {}

  /// Returns the ids of the plugins that the configuration keeps for the owner.
  ///
  /// - Throws: the configuration's mistake.
  package func ownerOnly() throws -> [String] {
    guard let file = app.supervisorOptions.configuration else { return [] }
    return try HostConfiguration(file: file).ownerOnly
  }

  @MainActor package func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    try await BrowserPart.have().serve(self)
  }
}
