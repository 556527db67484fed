import ArgumentParser
import Glibc

/// The front-end options of `gangway run`, `dev` and `attach`.
package struct FrontEndOptions: ParsableArguments {
  enum FrontEnd: String, ExpressibleByArgument, CaseIterable {
    case terminal, plain, web
  }

  @Option(
    help: ArgumentHelp(
      "The front end: 'terminal', 'plain', or 'web', which prints a URL. The default is 'terminal' if input and output "
        + "are a terminal and there is no script, and otherwise 'plain'."))
  var frontend: FrontEnd?

  @Flag(
    name: .customLong("screen-reader"),
    help: "Print the app line by line for screen readers. Each line names the element's kind. Controls have numbers.")
  var screenReader = false

  @Option(
    help: ArgumentHelp(
      "The language of the app's text in browsers, such as en, ar or pt-BR. It sets the voice of screen readers and "
        + "the direction of text.", valueName: "tag"))
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
      throw ValidationError(Words.Usage.screenReaderInBrowser)
    }
    if screenReader, frontend == .terminal {
      throw ValidationError(Words.Usage.screenReaderInTerminal)
    }
  }
}
