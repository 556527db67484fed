@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// Running scripts of the plain front end.
///
/// The same script drives a flow here, a loaded library with `gangway-host --script`, and the terminal.
extension FlowTester {
  /// Runs a script with one command per line, such as `tap New`, `set Title = Buy milk`, `expect Buy milk` or
  /// `restart`.
  ///
  /// The plain front end's `help` lists all commands.
  ///
  /// - Returns: the output of `screen` and `tree` in the script.
  /// - Throws: ``FlowFailure`` with the script's failed line, and the reason.
  @discardableResult public func run(script: String, file: String = #fileID, line: Int = #line) async throws -> String {
    let place = SourcePlace(file: file, line: line)
    var output = ""
    var complaints: [String] = []
    let connection = ScriptConnection(self, place)
    didUpdate = { [weak connection] in connection?.onUpdate($0) }
    defer { didUpdate = { _ in } }
    let frontEnd = PlainFrontEnd(
      connection, isScript: true, write: { output += $0 }, complain: { complaints.append($0) })
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    for line in script.split(separator: "\n", omittingEmptySubsequences: false) { input.yield(String(line)) }
    input.finish()
    guard await frontEnd.run(lines) == 0 else {
      throw FlowFailure("The script failed: " + complaints.joined(separator: "\n"), at: place)
    }
    return output
  }
}

/// A flow under test, as a session for the plain front end.
@MainActor private final class ScriptConnection<Root: Coordinator>: SessionConnection {
  private let flow: FlowTester<Root>
  private let place: SourcePlace
  var onUpdate: (Update) -> Void = { _ in }

  init(_ flow: FlowTester<Root>, _ place: SourcePlace) {
    self.flow = flow
    self.place = place
  }

  var presentation: Presentation { flow.presentation }
  var pending: [Update.Pending] { flow.session.unreported }
  func tree() async throws -> TreeNode { flow.session.tree }
  func history() async throws -> [String] { flow.history.map(\.description) }

  func send(_ action: Event.Action) async throws -> Update { try await perform(action, goesOn: false) }
  func start(_ action: Event.Action) async throws -> Update { try await perform(action, goesOn: true) }

  private func perform(_ action: Event.Action, goesOn: Bool) async throws -> Update {
    do {
      try await flow.perform(action, place, isReleased: goesOn)
    } catch let failure as FlowFailure {
      throw PlainFailure(failure.message)
    }
    return Update(
      event: nil, revision: flow.presentation.revision, presentation: flow.presentation, checkpoint: nil,
      notices: flow.notices)
  }

  func reload(_ plugin: PluginID?) async throws -> String {
    throw PlainFailure("A test has no plugin to reload.")
  }

  func restart() async throws { try await flow.restart(file: place.file, line: place.line) }
}
