import Foundation
import Synchronization
@_spi(FrontEnd) import TestSupport
import Testing

/// The attacks of one client on a server that admits anyone.
enum Attack: String, CaseIterable, Sendable {
  case readsNoAnswers, sendsPings, sendsEvents, followsLinksOfOtherSites, comesWithoutCookie, sendsBodiesUnasked
  case neverEndsRequests, connectsAgainAndAgain

  /// Attacks until told to end.
  ///
  /// - Parameters:
  ///   - attacker: a user of the server.
  ///   - isOver: whether to end.
  /// - Returns: how often the attack was made.
  func run(by attacker: Visitor, until isOver: () -> Bool) -> Int {
    let port = attacker.port
    let head = "HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    var rounds = 0
    var open: [RawConnection] = []
    /// Keeps a connection open, and closes the oldest of more than a number.
    func keep(_ connection: RawConnection?, most: Int) {
      guard let connection else { return }
      open.append(connection)
      if open.count > most { open.removeFirst() }
    }
    let style = attacker.page().firstMatch(of: /href="(\/_gangway\/[^"]+\.css[^"]*)"/).map { String($0.1) } ?? ""
    while !isOver() {
      switch self {
      case .readsNoAnswers:
        let connection = RawConnection(port, seconds: 1)
        keep(connection, most: 100)
        for _ in 0..<10 where connection?.send(String(repeating: "GET \(style) \(head)\r\n", count: 100)) == true {
          rounds += 1
        }
      case .sendsPings, .sendsEvents:
        let opcode: UInt8 = self == .sendsPings ? 9 : 1
        guard let (page, _) = attacker.follow() else { continue }
        while !isOver(), page.sendMessage(#"{"n":\#(rounds + 1),"do":"scroll 1 \#(rounds)"}"#, opcode: opcode) {
          rounds += 1
        }
      case .followsLinksOfOtherSites:
        let answer = attacker.ask("GET", "/scenes/2?text=\(rounds)", headers: "Sec-Fetch-Site: cross-site\r\n")
        if answer.hasPrefix("HTTP/1.1 ") { rounds += 1 }
      case .comesWithoutCookie:
        let connection = RawConnection(port)
        connection?.send(String(repeating: "GET / \(head)\r\n", count: 15) + "GET / \(head)Connection: close\r\n\r\n")
        rounds += (connection?.readAll() ?? "").components(separatedBy: "HTTP/1.1 30").count - 1
      case .sendsBodiesUnasked:
        let connection = RawConnection(port, from: "127.0.2.\(rounds % 200 + 1)")
        connection?.send("POST / \(head)Content-Length: 2000000\r\n\r\n")
        if connection?.send([UInt8](repeating: UInt8(ascii: "x"), count: 1_900_000)) == true { rounds += 1 }
        keep(connection, most: 100)
        // A network of 10 Gb/s needs as long for such a body.
        usleep(1_500)
      case .neverEndsRequests:
        let connection = RawConnection(port, from: "127.0.2.\(rounds % 200 + 1)")
        if connection?.send("GET / HTTP/1.1\r\nHost: 127") == true { rounds += 1 }
        keep(connection, most: 300)
      case .connectsAgainAndAgain:
        let page = attacker.follow()?.connection
        if page != nil { rounds += 1 }
        keep(page, most: 20)
      }
    }
    return rounds
  }
}

/// Attacks by one client, while other users use the server.
@MainActor @Suite(.serialized) struct AttackTests {
  /// Whether an attack is to end.
  private final class End: Sendable {
    private let value = Atomic(false)
    var isReached: Bool { value.load(ordering: .relaxed) }
    func reach() { value.store(true, ordering: .relaxed) }
  }

  @Test(arguments: Attack.allCases) func othersAreAnsweredAndNothingIsLost(_ attack: Attack) async throws {
    let workshop = try Workshop()
    let server = try await ServeCommand(["--plugin", "scenes", "--anyone"], in: workshop)
    let (port, process) = (server.port, server.processID)
    let (user, attacker) = try await elsewhere {
      let user = try #require(Visitor.come(to: port))
      #expect(user.page("scenes/2?text=kept").contains("You typed: kept"))
      return (user, try #require(Visitor.come(to: port)))
    }
    let before = ProcessMemory.resident(process)
    #expect(before > 0)
    // The attacker and the server share two cores, so a page may take many times as long.
    let calm = try await elsewhere { try typicalTime { user.page().contains("You typed: kept") } }
    let limit = max(.milliseconds(500), calm * 50)
    let end = End()
    async let attacked = elsewhere { attack.run(by: attacker) { end.isReached } }
    let (page, welcome, most) = try await elsewhere {
      defer { end.reach() }
      var most = before
      for _ in 0..<20 {
        usleep(100_000)
        most = max(most, ProcessMemory.resident(process))
      }
      let page = try typicalTime { user.page().contains("You typed: kept") }
      let newcomer = Visitor(port: port, cookie: "", session: "")
      let welcome = try typicalTime { newcomer.ask("GET", "/", isKnown: false).contains("Set-Cookie") }
      return (page, welcome, max(most, ProcessMemory.resident(process)))
    }
    let rounds = try await attacked
    let figures =
      "\(attack) \(rounds) times: a page in \(page), before in \(calm), a welcome in \(welcome), "
      + "\(before) to \(most) MB"
    #expect(rounds > 20, "\(figures)")
    #expect(page < limit && welcome < limit, "\(figures)")
    #expect(most - before < 64, "\(figures)")
    if ProcessInfo.processInfo.environment["GANGWAY_FIGURES"] != nil { print(figures) }
    // The text was stored before it was shown.
    kill(process, SIGKILL)
    let next = try await ServeCommand(["--plugin", "scenes", "--anyone", "--port", "\(port)"], in: workshop)
    try await elsewhere { #expect(user.page().contains("You typed: kept")) }
    #expect(try await next.stop() == 0)
  }
}
