import Foundation
import Subprocess

/// A program in a real terminal: a pane of its own tmux server.
@_spi(FrontEnd) @MainActor public final class RealTerminal {
  /// The error for a terminal that never showed the expected text.
  public struct NeverShown: Error, CustomStringConvertible { public let description: String }

  private let socket = "gangway-test-\(UUID().uuidString)"

  /// Starts a shell command in a pane.
  ///
  /// - Parameters:
  ///   - command: the command for `sh`; the pane stays open after the command ends.
  ///   - columns: the width.
  ///   - rows: the height.
  public init(_ command: String, columns: Int = 80, rows: Int = 24) async throws {
    try await tmux([
      "-f", "/dev/null", "new-session", "-d", "-s", "main", "-x", "\(columns)", "-y", "\(rows)", "sh", "-c",
      command + "; echo ENDED $?; stty -a >\"$0.after\" 2>&1; exec sleep 600", "/tmp/\(socket)",
    ])
  }

  /// Ends the terminal and every program in it.
  public func close() async {
    _ = try? await tmux(["kill-server"])
    try? FileManager.default.removeItem(atPath: "/tmp/\(socket).after")
  }

  /// The output of `stty -a` after the end of the command.
  public var modesAfter: String { (try? String(contentsOfFile: "/tmp/\(socket).after", encoding: .utf8)) ?? "" }

  /// Runs a command in a terminal for a function, and closes the terminal in any case.
  public static func running(
    _ command: String, columns: Int = 80, rows: Int = 24, _ body: (RealTerminal) async throws -> Void
  ) async throws {
    let terminal = try await RealTerminal(command, columns: columns, rows: rows)
    do {
      try await body(terminal)
    } catch {
      await terminal.close()
      throw error
    }
    await terminal.close()
  }

  /// Presses keys, given by tmux's names or as characters.
  public func press(_ keys: String...) async throws { try await press(keys: keys) }
  public func press(keys: [String]) async throws { try await tmux(["send-keys", "-t", "main"] + keys) }

  /// Types text.
  public func type(_ text: String) async throws {
    // A semicolon at the end would end tmux's own command.
    let text = text.hasSuffix(";") ? text.dropLast() + "\\;" : text
    try await tmux(["send-keys", "-t", "main", "-l", "--", text])
  }

  /// Pastes text, with bracketed-paste marks if the program asked for them.
  public func paste(_ text: String) async throws {
    try await tmux(["set-buffer", "-b", "pasted", "--", text])
    try await tmux(["paste-buffer", "-p", "-r", "-b", "pasted", "-t", "main"])
  }

  /// Copies all later output of the terminal to a file.
  public func record(to path: String) async throws { try await tmux(["pipe-pane", "-t", "main", "cat >'\(path)'"]) }

  /// Changes the size of the window.
  public func resize(columns: Int, rows: Int) async throws {
    try await tmux(["resize-window", "-t", "main", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Returns the content of the pane, without empty lines at the end, and with color sequences on request.
  public func screen(withColors: Bool = false) async throws -> String {
    var text = try await tmux(["capture-pane", "-p", "-t", "main"] + (withColors ? ["-e"] : []))
    while text.last == "\n" { text.removeLast() }
    return text
  }

  /// The ID of the pane's process: the shell, until it replaces itself.
  public var processID: Int32 {
    get async throws {
      let text = try await tmux(["display-message", "-p", "-t", "main", "#{pane_pid}"])
      return Int32(text.filter(\.isNumber)) ?? -1
    }
  }

  /// Waits until the pane shows a text, and returns the pane's content.
  ///
  /// - Throws: ``NeverShown`` with the content that the pane shows instead.
  @discardableResult public func await(_ text: String, within limit: Duration = .seconds(20)) async throws -> String {
    try await screen(within: limit, "'\(text)' never stood on the screen") { $0.contains(text) }
  }

  /// Waits until the pane no longer shows a text.
  ///
  /// - Throws: ``NeverShown`` with the content that the pane still shows.
  public func await(gone text: String) async throws {
    _ = try await screen(within: .seconds(20), "'\(text)' never left the screen") { !$0.contains(text) }
  }

  /// Waits until the pane's content ends with a text.
  ///
  /// - Throws: ``NeverShown`` with the content that the pane shows instead.
  public func await(end: String) async throws {
    _ = try await screen(within: .seconds(20), "'\(end)' never stood at the end of the screen") { $0.hasSuffix(end) }
  }

  /// Waits until the program has drawn the rest of a wanted screen, unless the screen keeps moving.
  private func settled(_ screen: String, _ isWanted: (String) -> Bool) async throws -> String {
    var last = screen
    for _ in 0..<10 {
      try await Task.sleep(for: .milliseconds(10))
      let now = try await self.screen()
      guard now != last, isWanted(now) else { break }
      last = now
    }
    return last
  }

  private func screen(
    within limit: Duration, _ problem: String, where isWanted: (String) -> Bool
  ) async throws -> String {
    let patience = Patience(limit)
    while true {
      let now = try await screen()
      if isWanted(now) { return try await settled(now, isWanted) }
      guard !patience.hasEnded else { throw NeverShown(description: "\(problem), which is:\n\(now)") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @discardableResult private func tmux(_ arguments: [String]) async throws -> String {
    let result = try await Subprocess.run(
      .name("tmux"), arguments: Arguments(["-L", socket] + arguments), environment: .inherit.updating(["TMUX": nil]),
      output: .string(limit: 1 << 20), error: .combinedWithOutput)
    return result.standardOutput
  }
}

/// Returns the children of a process.
@_spi(FrontEnd) public func children(of parent: Int32) -> [Int32] {
  let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  return entries.compactMap(Int32.init).filter { Int32(statistics(of: $0)[1]) == parent }
}

/// Returns whether a process only watches for the end of its supervisor; it runs the host's executable, but is no host.
@_spi(FrontEnd) public func isWatcher(_ process: Int32) -> Bool {
  let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
  return line.split(separator: 0).contains { $0.elementsEqual("--watch".utf8) }
}

/// Returns the start time of a process, in clock ticks since boot (proc(5), field 22 of `stat`).
@_spi(FrontEnd) public func startTime(of process: Int32) -> UInt64 { UInt64(statistics(of: process)[19]) ?? .max }

/// Returns the fields of `stat` after the name, which may contain anything; empty fields for a process that has ended.
private func statistics(of process: Int32) -> [Substring] {
  guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/stat"), let data = try? file.readToEnd(),
    let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " "),
    fields.count > 19
  else { return Array(repeating: "", count: 20) }
  return fields
}
