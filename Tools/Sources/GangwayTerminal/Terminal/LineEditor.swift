import CEditline
import Dispatch
@_spi(FrontEnd) import GangwayClient
import Glibc

/// A prompt for lines in a terminal, through libedit: with its keys, a saved history, and completion.
@MainActor package final class LineEditor: LinePrompt {
  /// The entered lines; the stream ends at the end of the input.
  package let lines: AsyncStream<String>
  package var completions: (String) -> [String] = { _ in [] }

  /// The editor that libedit's C callbacks reach; libedit edits one line at a time.
  private static weak var current: LineEditor?
  private static let longestHistory: Int32 = 1_000

  private let continuation: AsyncStream<String>.Continuation
  private let history: String?
  private let input: any DispatchSourceRead
  private var signals: [any DispatchSourceSignal] = []
  /// Whether a line is being typed; otherwise input stays unread.
  private var isAsking = false
  private var isClosed = false
  private var last: String?

  /// Whether standard input and output are a terminal that supports line editing.
  package static var isPossible: Bool {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let type = getenv("TERM") else { return false }
    return !["", "dumb", "unknown"].contains(String(cString: type))
  }

  /// Takes over the terminal's input, until ``close()``.
  ///
  /// - Parameter history: the file that keeps lines between runs; nil to keep none.
  package init(history: String?) {
    self.history = history
    (lines, continuation) = AsyncStream.makeStream(of: String.self)
    input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    if setlocale(LC_CTYPE, "") == nil || String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    TerminalRescue.remember(leaving: "")
    TerminalRescue.install()
    TerminalRescue.keepWatch()
    gangway_name_editor("gangway")
    rl_initialize()
    using_history()
    stifle_history(Self.longestHistory)
    if let history { _ = read_history(history) }
    gangway_complete_lines { text, _, _ in
      gangway_completion_is_over()
      return rl_completion_matches(text) { text, state in LineEditor.completion(text, state) }
    }
    input.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
    Self.current = self
    signals = [
      // The shell restored its own modes while the process was stopped.
      follow(SIGCONT) {
        rl_prep_terminal(1)
        rl_forced_update_display()
      },
      follow(SIGWINCH) { rl_resize_terminal() },
    ]
  }

  private func follow(_ number: Int32, _ action: @escaping @MainActor @Sendable () -> Void) -> any DispatchSourceSignal
  {
    SignalSource.follow(number, on: .main) { [weak self] in
      MainActor.assumeIsolated {
        if self?.isAsking == true { action() }
      }
    }
  }

  package func ask() {
    guard !isClosed else { return }
    guard !isAsking else { return rl_forced_update_display() }
    isAsking = true
    rl_callback_handler_install("> ") { line in LineEditor.take(line) }
    input.resume()
  }

  package func pause() {
    if isAsking { _ = ProcessIO.writeAll(Array("\r\u{1b}[K".utf8), to: STDOUT_FILENO) }
  }

  package func remember(_ line: String) {
    guard line != last, line.first != " " else { return }
    last = line
    add_history(line)
    guard let history else { return }
    // Only the user may read the history file.
    let before = umask(0o077)
    _ = write_history(history)
    umask(before)
  }

  /// Restores the terminal.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    rl_callback_handler_remove()
    TerminalRescue.restore()
    TerminalRescue.endWatch()
    if !isAsking { input.resume() }
    isAsking = false
    input.cancel()
    for source in signals { source.cancel() }
    continuation.finish()
  }

  private func read() {
    var readiness = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    // Read key by key until the end of the line; later keys belong to the next line.
    while isAsking, poll(&readiness, 1, 0) > 0 {
      rl_callback_read_char()
      // A terminal that has closed would report its end again and again.
      if Int32(readiness.revents) & POLLHUP != 0, isAsking { return took(nil) }
    }
  }

  private nonisolated static func take(_ line: UnsafeMutablePointer<CChar>?) {
    let text = line.map { String(cString: $0) }
    free(line)
    MainActor.assumeIsolated { current?.took(text) }
  }

  private func took(_ line: String?) {
    guard isAsking else { return }
    isAsking = false
    input.suspend()
    guard let line else {
      _ = ProcessIO.writeAll([UInt8(ascii: "\n")], to: STDOUT_FILENO)
      return continuation.finish()
    }
    continuation.yield(line)
  }

  /// The remaining completions of the last request, which libedit takes one by one.
  private static var found: [String] = []

  private nonisolated static func completion(
    _ text: UnsafePointer<CChar>?, _ state: Int32
  ) -> UnsafeMutablePointer<CChar>? {
    let line = text.map { String(cString: $0) } ?? ""
    let next = MainActor.assumeIsolated { () -> String? in
      if state == 0 { found = current?.completions(line) ?? [] }
      return found.isEmpty ? nil : found.removeFirst()
    }
    return next.flatMap { strdup($0) }
  }
}
