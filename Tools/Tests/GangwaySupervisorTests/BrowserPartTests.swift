import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// The command `gangway` has no web server: `gangway-serve` beside it has.
@MainActor @Suite struct BrowserPartTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test(arguments: [
    ["serve"], ["run", "--frontend", "web"], ["attach", "--frontend", "web"], ["dev", ".", "--frontend", "web"],
  ])
  func aServerThatIsNotThereIsSaid(_ arguments: [String]) async throws {
    let folder = workshop.path("alone")
    // Copied by a process of its own: a program cannot be started while another process has the copy open to write.
    let script = """
      mkdir '\(folder)' && cp '\(Workshop.built)/gangway' '\(Workshop.built)/libGangway.so' '\(folder)' && exec '\(folder)/gangway' "$@"
      """
    let result = try await Subprocess.run(
      .path("/bin/sh"), arguments: Arguments(["-c", script, "gangway"] + arguments),
      environment: .inherit.updating(["XDG_STATE_HOME": workshop.path("state")]),
      output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
    #expect(result.terminationStatus == .exited(1))
    #expect(result.standardOutput == "")
    #expect(
      result.standardError
        == "gangway: cannot start '\(folder)/gangway-serve', which serves browsers: No such file or directory. "
        + "In a checkout, run script/build.\n")
  }

  @Test(arguments: [["serve"], ["run", "--frontend", "web"]])
  func whatIsNoLanguageIsRefused(_ arguments: [String]) async throws {
    let result = try await workshop.gangway(arguments + ["--language", "de_AT"])
    #expect(result.code == 64)
    #expect(
      result.errors == "gangway: --language takes the tag of a language, such as en, ar or pt-BR, and got 'de_AT'.\n")
  }
}
