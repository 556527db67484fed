import Foundation
import Subprocess
import SystemPackage
@_spi(FrontEnd) import TestSupport
import Testing

/// The web server, which is in the separate command `gangway-serve` beside `gangway`.
@MainActor @Suite struct BrowserPartTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test(arguments: [
    ["serve"], ["run", "--frontend", "web"], ["attach", "--frontend", "web"], ["dev", ".", "--frontend", "web"],
  ])
  func aServerThatIsNotThereIsSaid(_ arguments: [String]) async throws {
    let folder = workshop.path("alone")
    // A separate process copies the program, because a program cannot start while any process has it open for writing.
    let script = """
      mkdir '\(folder)' && cp '\(Workshop.built)/gangway' '\(Workshop.built)/libGangway.so' '\(folder)' && \
      exec '\(folder)/gangway' "$@"
      """
    let result = try await Subprocess.run(
      .path("/bin/sh"), arguments: Arguments(["-c", script, "gangway"] + arguments),
      environment: .inherit.updating(["XDG_STATE_HOME": workshop.path("state")]),
      output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
    #expect(result.terminationStatus == .exited(1))
    #expect(result.standardOutput == "")
    #expect(
      result.standardError
        == "error: the web server '\(folder)/gangway-serve' could not be started: No such file or directory. "
        + "In a checkout, run script/build.\n")
  }

  @Test(arguments: [["serve"], ["run", "--frontend", "web"]])
  func whatIsNoLanguageIsRefused(_ arguments: [String]) async throws {
    let result = try await workshop.gangway(arguments + ["--language", "de_AT"])
    #expect(result.code == 64)
    #expect(
      result.errors == "error: --language takes the tag of a language, such as en, ar or pt-BR, not 'de_AT'.\n")
  }
}
