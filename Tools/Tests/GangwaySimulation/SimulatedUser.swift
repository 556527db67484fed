@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

@_spi(FrontEnd) import GangwaySupervisor

/// A user with a session and three front ends. Each front end types numbers into its own field of every tab.
@MainActor final class SimulatedUser {
  /// A field of a tab.
  struct Field: Hashable {
    let tab: NodeID
    let name: ElementID
  }

  let number: Int
  let id: SessionID
  private unowned let simulation: Simulation
  /// The name of the folder with the user's sessions.
  let profile: String
  private var frontEnds: [any SessionConnection] = []
  /// Whether the session is being closed or opened, so that it may be only in memory for a moment.
  private var isOnTheWay = false
  /// The number of this session's life, which ends with its supervisor or when no host stays up.
  private var life = 0
  /// The last number in each field that was acknowledged and must be kept.
  private var acknowledged: [Field: Int] = [:]
  private(set) var acknowledgedCount = 0
  private var lastNumber = 0
  private var isEnding = false
  /// The number of times that the user chose to keep waiting, since the last restart.
  private var waitsInARow = 0
  /// The last presentation of each front end: the host's number and its revision.
  private var seen: [Int: (host: String, revision: Revision)] = [:]

  init(number: Int, _ simulation: Simulation) {
    (self.number, self.simulation) = (number, simulation)
    id = SessionID(rawValue: "s\(number)")
    profile = "p\(number)"
  }

  /// The state in words, for a report.
  var state: String {
    let host = session?.host as? SimulatedHost
    return "\(id): \(simulation.sessions?.phase(of: id) ?? "closed"); \(host?.state ?? "no host"); "
      + "\(session?.waitingEvents ?? 0) events wait; \(acknowledgedCount) acknowledged"
  }

  // MARK: The session

  /// Opens the session.
  func begin() {
    guard !isEnding, let sessions = simulation.sessions else { return }
    life += 1
    let life = life
    seen = [:]
    frontEnds = []
    isOnTheWay = true
    simulation.note("\(id) comes")
    Task {
      do {
        for index in 0..<3 {
          let (frontEnd, _) = try await sessions.open(id, of: profile)
          guard life == self.life else { return }
          frontEnd.onUpdate = { [weak self] in self?.take($0, index, life) }
          frontEnds.append(frontEnd)
        }
        if session?.isStored != true { simulation.fail("\(id) is not stored: its file is in use") }
        isOnTheWay = false
        for index in 0..<3 { act(index, life) }
      } catch {
        if life == self.life { hasFailed() }
      }
    }
  }

  private var session: SessionState? { simulation.sessions?.state(of: id) }

  /// Leaves a session for which no host stays up, or which the user closes, and comes back later.
  func hasFailed() {
    guard let sessions = simulation.sessions else { return }
    life += 1
    let life = life
    simulation.note("\(id) leaves")
    frontEnds = []
    isOnTheWay = true
    Task {
      await sessions.putAway(id, of: profile)
      simulation.note("\(id) is parked, \(sessions.isUnstored(id) ? "in memory" : "and stored")")
      if life == self.life { isOnTheWay = false }
      simulation.clock.after(.milliseconds(simulation.random(1...6_000))) { [self] in
        if life == self.life { begin() }
      }
    }
  }

  /// Leaves the session of a supervisor that was killed.
  ///
  /// - Parameters:
  ///   - sessions: the sessions of the killed supervisor.
  ///   - file: the session's file.
  func supervisorEnded(_ sessions: UserSessions, _ file: String) {
    life += 1
    frontEnds = []
    // The supervisor said that the newest changes are not stored, so the user keeps the front ends open.
    if sessions.state(of: id)?.isBehind == true || sessions.isUnstored(id) || isOnTheWay {
      acknowledged = stored(file)
    }
  }

  /// Ends the session.
  func end() {
    isEnding = true
    life += 1
  }

  /// The numbers in the file now.
  private func stored(_ file: String) -> [Field: Int] {
    switch StateFile(path: file).read(settingAside: false) {
    case .checkpoint(let checkpoint), .partial(let checkpoint, _):
      Dictionary(uniqueKeysWithValues: acknowledged.map { ($0, min($1, Self.number(checkpoint, $0))) })
    case .nothing, .setAside, .notNow: [:]
    }
  }

  // MARK: Actions

  /// Does the next thing after a while.
  private func act(_ index: Int, _ life: Int) {
    guard life == self.life else { return }
    simulation.clock.after(.milliseconds(simulation.random(1...1_500))) { [self] in
      guard life == self.life else { return }
      Task {
        await actNow(index, life)
        act(index, life)
      }
    }
  }

  private func actNow(_ index: Int, _ life: Int) async {
    guard frontEnds.count == 3 else { return }
    let frontEnd = frontEnds[index]
    if isAsked { return await answer(index) }
    switch simulation.isStormy ? simulation.random(0...29) : simulation.random(0...24) {
    case 0: _ = try? await frontEnd.send(.tap(.init(node: tab(index), element: "open")))
    case 1: _ = try? await frontEnd.send(.back)
    case 2: _ = try? await frontEnd.send(.tab(tab(simulation.random(0...2))))
    case 25: try? await frontEnd.restart()
    case 28: hasFailed()
    case 26: _ = try? await frontEnd.reload(simulation.pick(SimulatedHost.features))
    case 27 where simulation.random(0...19) == 0: flood(frontEnd)
    default: await type(index, life)
    }
  }

  /// Answers the question whether to keep waiting.
  private func answer(_ index: Int) async {
    // Each time, the next question comes after twice the time, and the calm ends after 15 minutes.
    let waits = simulation.isStormy && waitsInARow < 3 && simulation.random(0...2) == 0
    waitsInARow = waits ? waitsInARow + 1 : 0
    let choice = waits ? Overlay.wait : Overlay.restart
    simulation.note("\(id) answers \(choice)")
    _ = try? await frontEnds[index].send(.tap(.init(node: Overlay.node, element: choice)))
  }

  private var isAsked: Bool { simulation.sessions?.presentation(of: id)?.layers.last?.node == Overlay.node }
  private func tab(_ index: Int) -> NodeID { SimulatedSession.tab(index) }

  private func type(_ index: Int, _ life: Int) async {
    lastNumber += 1
    let (number, field) = (lastNumber, Field(tab: tab(simulation.random(0...2)), name: SimulatedSession.fields[index]))
    let answer = try? await frontEnds[index].send(
      .edit(.init(node: field.tab, element: field.name), text: "\(number)"))
    guard life == self.life, let answer, answer.event != nil, !isAsked else { return }
    acknowledged[field] = number
    acknowledgedCount += 1
    simulation.note("\(id) has \(number) in \(field.tab) \(field.name)")
  }

  /// Presses a key very often.
  private func flood(_ frontEnd: any SessionConnection) {
    simulation.noteFault("\(id) presses a key 1,100 times")
    for _ in 0..<1_100 { Task { _ = try? await frontEnd.send(.focus(tab(0), nil)) } }
  }

  // MARK: Promises

  private func take(_ update: Update, _ index: Int, _ life: Int) {
    guard life == self.life, let presentation = update.presentation, let title = presentation.layers.first?.title else {
      return
    }
    if let last = seen[index], last.host == title, presentation.revision < last.revision {
      simulation.fail("\(id) went back from revision \(last.revision) to \(presentation.revision) of \(title)")
    }
    seen[index] = (title, presentation.revision)
    guard isAsked else { return }
    simulation.clock.after(.milliseconds(simulation.random(500...5_000))) { [self] in
      guard life == self.life, isAsked, frontEnds.count == 3 else { return }
      Task { await answer(index) }
    }
  }

  private static func number(_ checkpoint: Checkpoint?, _ field: Field) -> Int {
    checkpoint?.records[field.tab]?.values?[field.name].flatMap { Int($0) } ?? 0
  }

  /// Checks that a checkpoint has everything that was acknowledged.
  func check(_ checkpoint: Checkpoint?, _ receiver: String) {
    for (field, number) in acknowledged {
      let kept = Self.number(checkpoint, field)
      if kept < number {
        simulation.fail(
          "\(id) lost \(number) in \(field.tab) \(field.name): \(receiver) has \(kept == 0 ? "nothing" : "\(kept)")")
      }
    }
  }

  /// Checks that a file has everything that was acknowledged, after the end of the supervisor.
  func check(file: String) {
    guard case .checkpoint(let stored) = StateFile(path: file).read(settingAside: false) else {
      return simulation.fail("\(id) has no readable file at the end")
    }
    check(stored, "the file at the end")
  }

  /// Checks that nothing grows without bound.
  func checkMemory() {
    guard let session else { return }
    if session.waitingEvents > 1_100 { simulation.fail("\(id) has \(session.waitingEvents) waiting events") }
    if session.notices > 1_000 { simulation.fail("\(id) has \(session.notices) notifications") }
  }
}
