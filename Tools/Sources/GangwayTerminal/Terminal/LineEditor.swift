import CEditline
import Dispatch
import GangwayClient
import Glibc

/// Where a person types lines in a terminal, through libedit: with its keys, a history that is kept, and completion.
@MainActor public final class LineEditor: LinePrompt {
  /// The lines, as they are entered; ends where the input does.
  public let lines: AsyncStream<String>
  public var completions: (String) -> [String] = { _ in [] }

  /// libedit has one line at a time, and calls functions of C.
  private static weak var current: LineEditor?
  private static let longestHistory: Int32 = 1_000

  private let continuation: AsyncStream<String>.Continuation
  private let history: String?
  private let input: any DispatchSourceRead
  private var signals: [any DispatchSourceSignal] = []
  /// Whether a line is being typed. Otherwise the input is left where it is.
  private var isAsking = false
  private var isClosed = false
  private var last: String?

  /// Whether standard input and output are a terminal that lines can be edited in.
  public static var isPossible: Bool {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let type = getenv("TERM") else { return false }
    return !["", "dumb", "unknown"].contains(String(cString: type))
  }

  /// Takes the terminal's input over, until ``close()``.
  ///
  /// - Parameter history: a file in which lines are kept from run to run; nil where they are kept nowhere.
  public init(history: String?) {
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
      // The shell has put its own modes back when the process was stopped.
      follow(SIGCONT) {
        rl_prep_terminal(1)
        rl_forced_update_display()
      },
      follow(SIGWINCH) { rl_resize_terminal() },
    ]
  }

  private func follow(_ number: Int32, _ action: @escaping @MainActor () -> Void) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        if self?.isAsking == true { action() }
      }
    }
    source.resume()
    return source
  }

  public func ask() {
    guard !isClosed else { return }
    guard !isAsking else { return rl_forced_update_display() }
    isAsking = true
    rl_callback_handler_install("> ") { line in LineEditor.take(line) }
    input.resume()
  }

  public func pause() {
    if isAsking { _ = ProcessIO.writeAll(Array("\r\u{1b}[K".utf8), to: STDOUT_FILENO) }
  }

  public func remember(_ line: String) {
    guard line != last, line.first != " " else { return }
    last = line
    add_history(line)
    guard let history else { return }
    // Others of this machine have no business with it.
    let before = umask(0o077)
    _ = write_history(history)
    umask(before)
  }

  /// Gives the terminal back.
  public func close() {
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
    // One key after the other, until the line has ended: what comes after it is for later.
    while isAsking, poll(&readiness, 1, 0) > 0 {
      rl_callback_read_char()
      // A terminal that is gone has its end to read, again and again.
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

  /// The completions of the line that was asked for last, which libedit takes one by one.
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
