import Foundation
@_spi(FrontEnd) import GangwayProtocol
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The state transition tables: their guarantees, and their copies in the documentation.
@Suite struct PhaseTests {
  private static let document = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Documentation/Supervisor.md")

  /// Returns a table in Markdown, with a row per event and a column per phase.
  private static func table<Phase, Happening, Action>(
    _ phases: [Phase], _ happenings: [Happening], _ after: (Phase, Happening) -> PhaseStep<Phase, Action>
  ) -> String
  where
    Phase: RawRepresentable<String>, Happening: RawRepresentable<String>, Action: RawRepresentable<String>
  {
    var notes: [String] = []
    func mark(_ text: String) -> String {
      if !notes.contains(text) { notes.append(text) }
      return "(\((notes.firstIndex(of: text) ?? 0) + 1))"
    }
    var lines = ["| | " + phases.map { "**\($0.rawValue)**" }.joined(separator: " | ") + " |"]
    lines.append("| --- |" + String(repeating: " --- |", count: phases.count))
    for happening in happenings {
      let cells = phases.map { phase in
        switch after(phase, happening) {
        case .to(let next, let actions):
          actions.isEmpty
            ? "→ \(next.rawValue)" : "→ \(next.rawValue): \(actions.map(\.rawValue).joined(separator: ", "))"
        case .ignored(let reason): "– \(mark(reason))"
        case .impossible(let reason): "✕ \(mark(reason))"
        }
      }
      lines.append("| \(happening.rawValue) | " + cells.joined(separator: " | ") + " |")
    }
    let list = notes.enumerated().map { "\($0 + 1). \($1)." }
    return lines.joined(separator: "\n") + "\n\n" + list.joined(separator: "\n")
  }

  private static let hosts = table(HostPhase.allCases, HostHappening.allCases) { $0.after($1) }
  private static let keepers = table(KeeperPhase.allCases, KeeperHappening.allCases) { $0.after($1) }

  /// With `GANGWAY_DRAW=1`, the test writes the tables instead: `script/draw-tables`.
  @Test(.serialized, arguments: [("hosts", hosts), ("sessions", keepers)])
  func theDocumentationShowsTheTable(_ name: String, _ table: String) throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let begin = try #require(text.range(of: "<!-- table: \(name) -->\n"))
    let end = try #require(text.range(of: "<!-- end -->", range: begin.upperBound..<text.endIndex))
    if ProcessInfo.processInfo.environment["GANGWAY_DRAW"] != nil {
      let drawn = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: "\n\(table)\n\n")
      try drawn.write(to: Self.document, atomically: true, encoding: .utf8)
    } else {
      let shown = text[begin.upperBound..<end.lowerBound].trimmingCharacters(in: .newlines)
      #expect(shown == table, "Draw it again: script/draw-tables")
    }
  }

  @Test(arguments: HostPhase.allCases) func aLineOfHostsEndsFromEverywhere(_ phase: HostPhase) {
    switch phase.after(.stop) {
    case .to(let next, _): #expect(next == .stopped)
    case .ignored: #expect(phase == .stopped)
    case .impossible(let reason): Issue.record("\(reason)")
    }
    // Late reports must not start anything once the app is ending or has failed.
    for happening in HostHappening.allCases where phase == .stopped || phase == .failed {
      guard case .to(let next, let actions) = phase.after(happening) else { continue }
      #expect(next == .stopped || next == .failed)
      #expect(Set(actions).isDisjoint(with: [.launch, .recover, .startCandidate, .swap]))
    }
  }

  /// The end of a host is never a supervisor's fault, and starts the next host if one is wanted.
  @Test(arguments: HostPhase.allCases) func everyDeathIsFollowed(_ phase: HostPhase) {
    guard phase != .idle else { return }
    switch phase.after(.died) {
    case .to(let next, let actions):
      #expect(next == .starting)
      #expect(actions.last == .recover)
      #expect(actions.contains(.dropCandidate) == (phase == .replacing))
    case .ignored: #expect([.stopped, .failed].contains(phase))
    case .impossible(let reason): Issue.record("\(reason)")
    }
  }

  @Test(arguments: KeeperPhase.allCases) func aSessionWaitsForTheNextHostFromEverywhere(_ phase: KeeperPhase) {
    switch phase.after(.hostEnded) {
    case .to(let next, let actions):
      #expect(next == .waiting)
      // The lost event is named, and its question is removed from the screen.
      if phase == .handling || phase == .asking { #expect(actions == [.endWatch, .noteLoss, .drop]) }
    case .ignored: #expect([.waiting, .failed, .closed].contains(phase))
    case .impossible(let reason): Issue.record("\(reason)")
    }
    switch phase.after(.close) {
    case .to(let next, _): #expect(next == .closed)
    case .ignored: #expect(phase == .closed)
    case .impossible(let reason): Issue.record("\(reason)")
    }
  }

  private static let load = EndEvidence.Load(file: "/a.so", plugin: "a")
  private static let waiting = EndEvidence.Load(file: "/a.so", plugin: "a", isRunning: false)

  /// The blame for each kind of evidence; see PluginLifecycle.md.
  @Test(arguments: [
    // A crash counts against the plugin whose code ran, even if another one is on screen.
    (EndEvidence(frame: "a"), Blame.crash("a")),
    (EndEvidence(frame: "a", hasEvent: true), .crash("a")),
    (EndEvidence(hasEvent: true), .nobody),
    (EndEvidence(), .unexplained),
    // A plugin that was alone in loading or restoring gets the blame, unless another plugin's code ran.
    (EndEvidence(loading: load), .loading("/a.so")),
    (EndEvidence(loading: load, hasEvent: true), .loading("/a.so")),
    (EndEvidence(frame: "a", loading: load), .loading("/a.so")),
    (EndEvidence(frame: "b", loading: load), .crash("b")),
    (EndEvidence(restoring: "a"), .restoring("a", isInFrame: false)),
    (EndEvidence(frame: "a", restoring: "a"), .restoring("a", isInFrame: true)),
    (EndEvidence(frame: "b", restoring: "a"), .crash("b")),
    (EndEvidence(frame: "b", loading: load, restoring: "b"), .restoring("b", isInFrame: true)),
    // A library that waits for the system's loader runs no code.
    (EndEvidence(cause: .hung, loading: load), .loading("/a.so")),
    (EndEvidence(cause: .hung, loading: waiting), .nobody),
    (EndEvidence(cause: .hung, loading: waiting, restoring: "a"), .nobody),
    (EndEvidence(cause: .hung, restoring: "a"), .restoring("a", isInFrame: false)),
    (EndEvidence(cause: .hung, hasEvent: true), .nobody),
    (EndEvidence(cause: .hung), .nobody),
    (EndEvidence(cause: .impossible), .nobody),
    (EndEvidence(cause: .impossible, loading: load), .loading("/a.so")),
  ])
  func anEndCountsForWhatItIsEvidenceOf(_ evidence: EndEvidence, _ blame: Blame) {
    #expect(evidence.blame == blame)
  }

  @Test(arguments: [EndEvidence.Cause.outside, .wanted], [nil, "a", "b"] as [PluginID?])
  func anEndFromOutsideCountsForNothing(_ cause: EndEvidence.Cause, _ frame: PluginID?) {
    for loading in [nil, Self.load, Self.waiting] {
      for restoring: PluginID? in [nil, "a"] {
        for hasEvent in [false, true] {
          let evidence = EndEvidence(
            cause: cause, frame: frame, loading: loading, restoring: restoring, hasEvent: hasEvent)
          #expect(evidence.blame == .nobody)
        }
      }
    }
  }

  /// Events are sent one at a time, and only to a host that shows the session.
  @Test(arguments: KeeperPhase.allCases) func anEventIsSentOnlyToAHostThatIsReady(_ phase: KeeperPhase) {
    if case .to(let next, _) = phase.after(.sent) {
      #expect(phase == .ready)
      #expect(next == .handling)
    } else {
      #expect(phase != .ready)
    }
  }
}
