import ArgumentParser
import Glibc

/// The front-end options of `gangway run`, `dev` and `attach`.
package struct FrontEndOptions: ParsableArguments {
  enum FrontEnd: String, ExpressibleByArgument, CaseIterable {
    case terminal, plain, web
  }

  @Option(
    help: ArgumentHelp(
      "What draws the app: terminal, plain, or web, which prints an address; by default terminal, where output is one and there is no "
        + "script."))
  var frontend: FrontEnd?

  @Flag(
    name: .customLong("screen-reader"),
    help: "Read the app out line by line, with words for what everything is and numbers to act by: for screen readers.")
  var screenReader = false

  @Option(
    help: ArgumentHelp(
      "The language of the features, for a browser: en, ar, pt-BR. It says what a screen reader speaks, and from which side is "
        + "written.", valueName: "tag"))
  package var language: String?

  package init() {}

  /// Returns whether to use the full-screen front end.
  ///
  /// - Parameter isScript: whether commands come from a script.
  func wantsTerminal(isScript: Bool) -> Bool {
    switch frontend {
    case .terminal: true
    case .plain, .web: false
    case nil: !screenReader && !isScript && isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1
    }
  }

  package func validate() throws {
    if frontend == .web, screenReader {
      throw ValidationError("--frontend web is for a browser: --screen-reader is not.")
    }
    if screenReader, frontend == .terminal {
      throw ValidationError("--screen-reader reads lines out, and --frontend terminal draws: choose one of them.")
    }
  }
}
