@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// The exit codes and messages of wrongly used commands.
@MainActor @Suite struct ExitCodeTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test(arguments: [
    ["list"], ["routes"], ["graph"], ["inspect", "clock"], ["why", "clock"], ["validate", "clock", "--steps", "1"],
    ["doctor"], ["env"], ["logs", "clock"], ["run", "--script", "-"], ["run", "--frontend", "plain"], ["serve"],
    ["dev", "."], ["replay", "nothing"],
  ])
  func aPluginFolderThatIsNotThereIsRefused(_ arguments: [String]) async throws {
    let result = try await workshop.gangway(arguments + ["--plugins-dir", workshop.path("nope")])
    #expect(result.code == 66, "\(result)")
    #expect(result.output.isEmpty)
    #expect(
      result.errors
        == "error: --plugins-dir: the folder '\(workshop.path("nope"))' could not be read: No such file or "
        + "directory. Name a readable folder.\n")
  }

  @Test func aPluginFolderThatIsAFileIsRefused() async throws {
    try "x".write(toFile: workshop.path("file"), atomically: true, encoding: .utf8)
    chmod(workshop.path("file"), 0o700)
    let result = try await workshop.gangway(["list", "--plugins-dir", workshop.path("file")])
    #expect(result.code == 66)
    #expect(result.errors.contains("'\(workshop.path("file"))' is not a folder."))
  }

  @Test(arguments: [
    (["help", "nope"], "nope", nil), (["help", "rum"], "rum", "run"), (["help", "run", "nope"], "nope", nil),
    (["help", "sessions", "restor"], "restor", "restore"),
  ])
  func helpAboutNothingIsRefused(_ arguments: [String], _ word: String, _ nearest: String?) async throws {
    let result = try await workshop.gangway(arguments)
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("error: there is no command '\(word)' and no help for it."))
    if let nearest { #expect(result.errors.contains("Did you mean '\(nearest)'?")) }
  }

  @Test(arguments: [["help"], ["help", "run"], ["help", "sessions", "restore"], ["help", "help"], ["help", "-h"]])
  func helpAboutSomethingIsAResult(_ arguments: [String]) async throws {
    let result = try await workshop.gangway(arguments)
    #expect(result.code == 0)
    #expect(result.output.contains("USAGE"))
  }

  @Test func aScriptThatCannotBeReadIsRefused() async throws {
    for (script, reason) in [("nope", "No such file or directory"), ("", "it is a folder")] {
      let path = workshop.path(script)
      let state = workshop.path("session.json")
      let result = try await workshop.gangway(["run", "--state", state, "--script", path])
      #expect(result.code == 66)
      #expect(result.output.isEmpty)
      #expect(result.errors == "error: The script '\(path)' could not be read: \(reason).\n")
      #expect(!FileManager.default.fileExists(atPath: state + ".lock"))
    }
  }

  @Test func aRecordingThatCannotBeReadIsRefused() async throws {
    let result = try await workshop.gangway(["replay", workshop.path("nope")])
    #expect(result.code == 66)
    #expect(result.errors.contains("'\(workshop.path("nope"))' could not be read: No such file or directory"))
  }

  @Test func aLinkThatLeadsNowhereFailsTheRun() async throws {
    let link = ["run", "--plugin", "clock", "--open", "gangway://moon"]
    let script = try await workshop.gangway(link + ["--script", "-"], input: "screen\n")
    #expect(script.code == 1)
    #expect(script.output.isEmpty)
    #expect(script.errors.contains("No screen in this app has the link gangway://moon."))
    let plain = try await workshop.gangway(link + ["--frontend", "plain"], input: "screen\n")
    #expect(plain.code == 1)
    #expect(plain.output.contains("[Clock*]"))
    #expect(plain.errors.contains("No screen in this app has the link gangway://moon."))
    let word = try await workshop.gangway(["run", "--plugin", "clock", "--open", "foo", "--script", "-"], input: "")
    #expect(word.code == 1, "\(word)")
    #expect(word.errors.contains("foo"))
  }

  @Test func aFailedCommandOfAPipeCountsAndTheRestIsDone() async throws {
    for (input, code) in [("tap Nix\nset Text = kept\n", Int32(1)), ("tap Nix\nset Text = kept\nquit\n", 1)] {
      let result = try await workshop.gangway(["run", "--plugin", "scenes", "--frontend", "plain"], input: input)
      #expect(result.code == code)
      #expect(result.errors.contains("There is no 'Nix' on the screen."))
      #expect(result.output.contains("Text: [kept]"))
    }
  }

  @Test func aFailedCommandThatIsTypedIsForgiven() async throws {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let ended = terminal.run(
      Workshop.built + "/gangway", ["run", "--plugin", "scenes", "--frontend", "plain"],
      ["XDG_STATE_HOME": workshop.path("state"), "XDG_CACHE_HOME": Workshop.caches])
    #expect(await terminal.await("Scene 1", within: .seconds(60)))
    terminal.type(Array("tap Nix\n".utf8))
    terminal.type(Array("screen\nquit\n".utf8))
    #expect(await terminal.finish(ended).status == .exited(0))
  }

  // MARK: Only regular files are written

  /// Returns the file type and mode at a path, and the content of a folder.
  private func kind(_ path: String) -> [String] {
    var status = stat()
    let mode = lstat(path, &status) == 0 ? String(status.st_mode, radix: 8) : "nothing"
    return [mode] + ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
  }

  @Test(arguments: ["--state", "--record"], [false, true])
  func whatIsNoRegularFileIsLeftAsItIs(_ option: String, _ isPipe: Bool) async throws {
    let home = workshop.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let path = home + "/there"
    if isPipe {
      #expect(mkfifo(path, 0o644) == 0)
    } else {
      try FileManager.default.createDirectory(atPath: path + "/within", withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(atPath: home + "/link", withDestinationPath: path)
    let before = kind(path)
    for fresh in [[], ["--fresh"]] {
      for name in ["there", "link"] {
        let result = try await workshop.gangway(
          ["run", "--plugin", "scenes", option, "\(home)/\(name)", "--script", "-"] + fresh, input: "screen\n")
        #expect(result.code == 64, "\(result)")
        #expect(result.output.isEmpty)
        let kind = isPipe ? "a pipe" : "a folder"
        #expect(
          result.errors == "error: \(option): '\(home)/\(name)' is \(kind), not a file. "
            + "Name a regular file or a new one.\n")
        #expect(self.kind(path) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).sorted() == ["link", "there"])
      }
    }
  }

  /// The supervisor itself leaves such files alone, without the check of the command-line options.
  @Test func aSupervisorLeavesWhatIsNoRegularFile() async throws {
    let path = workshop.path("pipe")
    #expect(mkfifo(path, 0o644) == 0)
    let before = kind(path)
    #expect(throws: (any Error).self) { try workshop.supervisor(["scenes"]) { $0.recording = path } }
    for isFresh in [false, true] {
      let supervisor = try workshop.supervisor(["scenes"]) { ($0.stateFile, $0.isFresh) = (path, isFresh) }
      let notices = try await supervisor.start().map(\.developerText)
      #expect(notices.contains { $0.contains("is not a regular file but a pipe. It was not changed.") }, "\(notices)")
      await supervisor.stop()
    }
    #expect(kind(path) == before)
    #expect(!FileManager.default.fileExists(atPath: path + ".set-aside-1"))
    #expect(!FileManager.default.fileExists(atPath: path + ".lock"))
  }
}
