import ArgumentParser
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The interface for showing apps in browsers.
///
/// The executable `gangway-serve` implements it. The command `gangway` does not, so that an app in a terminal needs no
/// web server.
@MainActor package protocol Browser {
  /// Checks the options of a front end before anything is started.
  ///
  /// - Throws: the exit code 64, after printing which option is wrong.
  static func check(_ options: FrontEndOptions) throws

  /// Runs `gangway serve` until a signal ends it.
  ///
  /// - Throws: the exit code.
  static func serve(_ command: Serve) async throws

  /// Prepares to show one user's session.
  ///
  /// - Parameters:
  ///   - notices: the notifications to show at the start.
  ///   - options: the options of the command line.
  ///   - graph: draws the dependencies between plugins, for developers; nil draws nothing.
  /// - Throws: the exit code, if the options are invalid.
  static func page(
    _ session: any SessionConnection, _ notices: [Update.Notice], _ options: FrontEndOptions,
    graph: (@MainActor @Sendable () async -> String)?
  ) throws -> any BrowserPage
}

/// One user's session in a browser.
@MainActor package protocol BrowserPage {
  /// Serves the session until ``stop(_:)``.
  ///
  /// - Returns: the exit code.
  /// - Throws: the exit code, if there is no free port.
  func run() async throws -> Int32

  /// Ends ``run()``.
  func stop(_ code: Int32)
}

/// Access to the browser part of this process, or to the executable that has one.
@MainActor enum BrowserPart {
  private static var part: (any Browser.Type)?

  static func set(_ part: (any Browser.Type)?) { self.part = part }

  /// Returns the browser part; without one, the process becomes `gangway-serve` with the same arguments.
  ///
  /// Call this before anything is started or opened, because `execv` ends all other threads of the process.
  ///
  /// - Throws: the exit code 1, after printing that `gangway-serve` cannot be started.
  @discardableResult static func have() throws -> any Browser.Type {
    if let part { return part }
    let file = Locations.server
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv(file, &arguments)
    let reason = String(cString: strerror(errno))
    Locations.fail(Words.Apps.serverDidNotStart(file, reason: reason))
    throw ExitCode(1)
  }

  /// Makes the browser part available if a front end needs it, as ``have()`` does.
  static func have(for options: FrontEndOptions) throws {
    if options.frontend == .web { try have().check(options) }
  }
}
