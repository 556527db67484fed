import Foundation
@_spi(FrontEnd) import TestSupport

/// A user of the app.
@MainActor protocol SoakUser: AnyObject {
  var name: String { get }
  /// Runs a script of the plain front end: the terminal's commands, and `open`.
  func run(_ script: String) async throws
}

extension SoakUser {
  /// Returns the text that the user types in a round; no entry is a prefix of another, and entries sort by round.
  func entry(_ round: Int) -> String { "entry \(10_000 + round) of \(name)" }

  /// Registers and signs in, in the tab of the account: behind a sign-in over the todos is another *Sign in*.
  func register() async throws {
    try await run(
      """
      open gangway://account
      tap Register
      set Name = ada
      set Password = analytical engine
      set Password again = analytical engine
      submit
      wait 2
      expect Write the code down
      tap Sign in
      expect Signed in as
      """)
  }

  /// Types a todo without saving it.
  func begin(_ title: String) async throws {
    try await run("open gangway://todos\ntap New todo\nset Title = \(title)\nexpect Title: [\(title)]")
  }

  /// Checks that the typed text is shown, and saves it.
  func save(_ title: String) async throws {
    try await run("expect Title: [\(title)]\ntap Save\nexpect State: open\nexpect \(title)")
  }

  /// Saves the typed text while hosts are killed; saves again if the form is still open.
  func saveDuringKill(_ title: String) async throws {
    try await run("tap Save")
    do { try await run("expect State: open") } catch {
      // The form is open again, or the save was slow.
      do { try await save(title) } catch let failure {
        do { try await run("expect State: open\nexpect \(title)") } catch { throw failure }
      }
    }
  }

  /// Makes the ledger feature write and check its file.
  func write(press: Int) async throws {
    try await run("open gangway://ledger\ntap Write lines\nexpect Press \(press) was intact")
  }
}

/// A user at a terminal.
@MainActor final class TerminalUser: SoakUser {
  let name = "terminal"
  private let workshop: Workshop
  private let command: String
  private(set) var terminal: RealTerminal

  init(_ workshop: Workshop, _ command: String) async throws {
    (self.workshop, self.command) = (workshop, command)
    terminal = try await RealTerminal(command, columns: 120, rows: 40)
    try await terminal.await("Crash this feature", within: .seconds(60))
  }

  /// Quits the app as a user does.
  func quit() async throws {
    try await terminal.press("M-q")
    try await terminal.await("ENDED 0")
    await terminal.close()
  }

  /// Starts the app again, in a window with a number of rows.
  func startAgain(rows: Int) async throws { terminal = try await RealTerminal(command, columns: 120, rows: rows) }

  func run(_ script: String) async throws {
    for line in script.split(separator: "\n") {
      do {
        if line.hasPrefix("open ") {
          let result = try await workshop.gangway(line.split(separator: " ").map(String.init))
          guard result.code == 0 else { throw SoakFailure(description: result.errors) }
        } else {
          try await terminal.run(script: String(line))
        }
      } catch { throw SoakFailure(description: "\(name), '\(line)': \(error)") }
    }
  }
}

/// A user in a browser.
@MainActor final class BrowserUser: SoakUser {
  let name: String
  private let page: Chromium.Page
  private let browser: Chromium

  init(_ number: Int, _ address: String) async throws {
    name = "browser \(number)"
    (browser, page) = try await elsewhere {
      let browser = try Chromium()
      let page = try browser.open()
      try page.go(address)
      try page.wait("document.documentElement.classList.contains('live')")
      return (browser, page)
    }
  }

  /// Makes the window tall enough for a number of rows, and waits for the server.
  func look(rows: Int) async throws {
    try await elsewhere { [page] in
      try page.wait("!document.documentElement.classList.contains('offline')")
      try page.resize(1280, rows * 80)
    }
  }

  func run(_ script: String) async throws {
    do {
      try await elsewhere { [page] in try page.run(script: script) }
    } catch {
      let body = try? await elsewhere { [page] in try page.text("document.body.innerText") }
      throw SoakFailure(description: "\(name): \(error), on the page: \(body?.prefix(1_500) ?? "")")
    }
  }
}

/// A defect that the soak test found.
struct SoakFailure: Error, CustomStringConvertible { let description: String }
