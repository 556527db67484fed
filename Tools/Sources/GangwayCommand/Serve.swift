@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import GangwayProtocol
import ArgumentParser
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost

/// `gangway serve`: serves an app to browsers, for many users at once.
package struct Serve: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Serves the app to browsers; when a feature crashes, all users stay on their screens.",
    discussion: help(
      examples: [
        "gangway serve": "on the port of the last run, for this machine; prints an address that admits one browser",
        "gangway serve --port 8080 --hosts 4": "sessions spread over four hosts",
        "gangway serve --port 8080 --name app.example.org --anyone": "behind a proxy that authenticates",
      ]))

  package enum Isolation: String, ExpressibleByArgument, CaseIterable { case none, session }

  @OptionGroup package var app: AppOptions

  @Option(
    help: ArgumentHelp(
      "The port; 0 for a free one. By default, the port of the last run with this --state-dir.", valueName: "number"))
  package var port: Int?

  @Option(
    help: ArgumentHelp(
      "The address to listen on. By default, only this machine can connect. Use a proxy to add TLS.",
      valueName: "address"))
  package var listen = "127.0.0.1"

  @Option(
    name: .customLong("name"),
    help: ArgumentHelp("A host name that browsers use, such as the name of a proxy; repeatable.", valueName: "host"))
  package var names: [String] = []

  @Option(help: ArgumentHelp("The app's name in page titles.", valueName: "text"))
  package var title = "Gangway"

  @OptionGroup package var brand: BrandOptions

  @Option(help: ArgumentHelp("The number of hosts that share the sessions.", valueName: "count"))
  package var hosts = 1

  @Option(
    name: .customLong("max-upload"),
    help: ArgumentHelp("The largest file that a user can send, in megabytes.", valueName: "MB"))
  package var maximumUpload = 100

  @Option(help: "Use 'session' to give each session its own host. With 'none', sessions share hosts.")
  package var isolate = Isolation.none

  @Option(
    name: .customLong("state-dir"),
    help: ArgumentHelp(
      "Store sessions and users in this folder. By default, a folder under XDG_STATE_HOME.", valueName: "dir"),
    completion: .directory)
  package var stateFolder: String?

  @Flag(
    help: ArgumentHelp(
      "Admit everyone, without a one-time address. Each user has their own sessions. "
        + "Use it behind a proxy that authenticates."))
  package var anyone = false

  @Flag(
    name: .customLong("owner-address"),
    help: "Print an address for another browser of the owner, who may use the features in 'ownerOnly'.")
  package var ownerAddress = false

  package func validate() throws {
    guard (0...65_535).contains(port ?? 0) else {
      throw ValidationError(Words.Usage.portOutOfRange(port ?? 0))
    }
    guard (1...100_000).contains(maximumUpload) else {
      throw ValidationError(Words.Usage.uploadOutOfRange(maximumUpload))
    }
    guard (1...64).contains(hosts) else { throw ValidationError(Words.Usage.hostsOutOfRange(hosts)) }
    if app.shown.frontend != nil || app.shown.screenReader || app.script != nil || app.state != nil || app.record != nil
    {
      throw ValidationError(Words.Usage.optionsOfRun)
    }
  }

  package init() {}

  /// Returns the ids of the plugins that the configuration keeps for the owner.
  ///
  /// - Throws: the configuration's mistake.
  package func ownerOnly() throws -> [PluginID] {
    guard let file = app.config else { return [] }
    return try HostConfiguration(file: file).ownerOnly
  }

  @MainActor package func run() async throws {
    ProcessIO.ensureStandardDescriptors()
    try await BrowserPart.have().serve(self)
  }
}
