import ArgumentParser
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import GangwayTerminal
import Glibc

/// A session on one of the front ends, until the user leaves it.
@MainActor final class FrontEndRun {
  private let options: FrontEndOptions
  private let script: String?
  /// Whether nothing is shown: the run waits until ``stop(_:saying:)`` ends it.
  private let isDetached: Bool
  private var detached: CheckedContinuation<Int32, Never>?
  private var terminal: TerminalFrontEnd?
  private var browser: (any BrowserPage)?
  private var editor: LineEditor?
  /// The exit code, if something other than the user ends the run.
  private var code: Int32?
  private var lastWords: String?
  /// The lines of the script, which is read before anything starts.
  private let lines: AsyncStream<String>?

  /// Prepares a front end.
  ///
  /// - Parameters:
  ///   - script: the file of a script; nil for a user.
  ///   - isDetached: whether to show nothing.
  /// - Throws: the exit code 66, if the script cannot be read.
  init(_ options: FrontEndOptions, script: String? = nil, isDetached: Bool = false) throws {
    (self.options, self.script, self.isDetached) = (options, script, isDetached)
    lines = script == nil ? nil : try Self.readLines(script)
  }

  /// Shows a session.
  ///
  /// - Parameters:
  ///   - notices: the notifications to show at the start.
  ///   - isStored: whether typed text is restored in the next run.
  ///   - isLinkOpen: whether a link was opened, as the first command of a script.
  ///   - links: returns the available links, for the list of all destinations.
  ///   - graph: draws the dependencies between plugins, for developers.
  /// - Returns: the exit code.
  /// - Throws: the exit code, if the session cannot be shown.
  func show(
    _ session: any SessionConnection, _ notices: [Update.Notice], isStored: Bool,
    isLinkOpen: Bool = false, links: (@MainActor () async -> [String])? = nil,
    graph: (@MainActor @Sendable () async -> String)? = nil
  ) async throws -> Int32 {
    if isDetached { return await withCheckedContinuation { detached = $0 } }
    var notices = notices
    if options.wantsTerminal(isScript: script != nil) {
      do {
        let settings = SettingsFile.read()
        notices += settings.mistakes.map { .init(.refusal, $0) }
        let terminal = try TerminalFrontEnd(session, isStored: isStored, settings: settings)
        self.terminal = terminal
        let offer = Task { if let links { terminal.offer(links: await links()) } }
        defer { offer.cancel() }
        let code = await terminal.run(notices)
        for words in [terminal.lastWords, lastWords].compactMap(\.self) { Locations.complain(words) }
        return code
      } catch {
        Locations.fail(Words.Apps.terminalUnusable(reason: "\(error)"))
      }
    }
    if options.frontend == .web {
      let browser = try BrowserPart.have().page(session, notices, options, graph: graph)
      self.browser = browser
      return try await browser.run()
    }
    // A feature's failure at the start fails a script, as it would at a later command.
    func isBroken(_ notice: Update.Notice) -> Bool {
      script != nil && notice.kind == .failure && notice.isLate != true
    }
    for notice in notices where !isBroken(notice) {
      Locations.complain(notice.kind == .refusal ? notice.text : notice.developerText)
    }
    let failures = notices.filter(isBroken).map {
      Update.Notice(.failure, $0.developerText, plugin: $0.plugin)
    }
    // A user gets line editing and history.
    let editor = lines == nil && LineEditor.isPossible ? LineEditor(history: Locations.history) : nil
    defer { editor?.close() }
    self.editor = editor
    let frontEnd = PlainFrontEnd(
      session, isScript: script != nil, prompt: editor, speaks: options.screenReader,
      write: { if !Locations.output($0) { Glibc.exit(1) } }, complain: { Locations.complain($0) })
    let code = await frontEnd.run(
      try editor?.lines ?? lines ?? Self.readLines(nil), after: failures, isLinkOpen: isLinkOpen)
    return self.code ?? code
  }

  /// Ends the front end, as a signal does.
  ///
  /// - Parameter words: the text to print after the terminal is restored.
  /// - Returns: whether ``show(_:_:isStored:links:graph:)`` returns; a plain front end that waits for a line does not.
  @discardableResult func stop(_ code: Int32, saying words: String? = nil) -> Bool {
    lastWords = words
    if let terminal {
      terminal.stop(code)
      return true
    }
    if let words { Locations.complain(words) }
    if let detached {
      self.detached = nil
      detached.resume(returning: code)
      return true
    }
    if let browser {
      browser.stop(code)
      return true
    }
    self.code = code
    editor?.close()
    return false
  }

  private static func readLines(_ script: String?) throws -> AsyncStream<String> {
    do {
      return try LineReader.lines(of: script)
    } catch {
      throw Mistake.noInput("\(error)").refused()
    }
  }
}
