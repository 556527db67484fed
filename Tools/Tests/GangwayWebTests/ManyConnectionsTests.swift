import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// `gangway serve` with more open connections than the process may have descriptors.
@MainActor @Suite(.serialized) struct ManyConnectionsTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    // This process holds the other ends of all connections.
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 8_192))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private func serve(_ arguments: [String] = [], limit: String? = nil) async throws -> ServeCommand {
    try await ServeCommand(["--plugin", "scenes"] + arguments, in: workshop, limit: limit)
  }

  /// Opens connections that send nothing, in turn from several addresses.
  nonisolated private static func silent(_ count: Int, _ port: Int, addresses: Int) -> [RawConnection] {
    (0..<count).compactMap { RawConnection(port, from: "127.0.1.\($0 % addresses + 1)") }
  }

  /// Returns a process's share of one core; several busy threads add up.
  nonisolated private static func load(of process: Int32, for seconds: UInt32 = 1) -> Double {
    func ticks() -> Int {
      let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
      // The fields after the name: proc_pid_stat(5), utime and stime.
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }
    let (start, before) = (ContinuousClock.now, ticks())
    usleep(seconds * 1_000_000)
    let used = Double(ticks() - before) / Double(sysconf(Int32(_SC_CLK_TCK)))
    return used / ((ContinuousClock.now - start) / .seconds(1))
  }

  /// Returns the open descriptors of a process.
  nonisolated private static func files(of process: Int32) -> Set<Int> {
    Set(((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []).compactMap { Int($0) })
  }

  /// Returns the open descriptors of a process once they no longer change; nil if they still change after 20 s.
  nonisolated private static func settledFiles(of process: Int32) -> Set<Int>? {
    var (open, same) = (files(of: process), 0)
    for _ in 0..<400 {
      usleep(50_000)
      let now = files(of: process)
      (open, same) = (now, now == open ? same + 1 : 0)
      if same == 20 { return open }
    }
    return nil
  }

  /// Limits a process to its open descriptors and a number of further ones.
  nonisolated private static func limit(_ process: Int32, toMore count: Int) -> Bool {
    // Descriptors that are about to be closed would leave room.
    guard let open = count == 0 ? settledFiles(of: process) : files(of: process) else { return false }
    let free = (0...).lazy.filter { !open.contains($0) }.prefix(count + 1)
    guard let end = Array(free).last else { return false }
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
    // Set only the soft limit.
    tool.arguments = ["--pid", "\(process)", "--nofile=\(end):"]
    guard (try? tool.run()) != nil else { return false }
    tool.waitUntilExit()
    return tool.terminationStatus == 0
  }

  /// Returns the hosts that a server has started.
  nonisolated private static func hosts(of process: Int32) -> [Int32] {
    children(of: process).filter { child in
      let words = FileManager.default.contents(atPath: "/proc/\(child)/cmdline") ?? Data()
      return words.split(separator: 0).contains(Data("--serve".utf8))
    }
  }

  /// Returns the children of a process.
  nonisolated private static func children(of process: Int32) -> [Int32] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return tasks.flatMap { task in
      ((try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)) ?? "")
        .split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// Opens silent connections and checks that the server still serves its users.
  ///
  /// - Parameters:
  ///   - limit: the server's limit of open files.
  ///   - addresses: the number of addresses that the silent connections come from.
  @Test(arguments: [("-Sn 256", 1), ("-Sn 256", 16), ("-n 256", 1), ("-n 256", 16)])
  func silentConnectionsKeepNobodyOut(limit: String, addresses: Int) async throws {
    let server = try await serve(["--no-spare"], limit: limit)
    let (port, entrance, process) = (server.port, server.entrance, server.processID)
    try await elsewhere {
      let visitor = try #require(Visitor.enter(entrance, port: port))
      #expect(visitor.page("scenes/2?text=kept").contains("You typed: kept"))
      let before = Self.files(of: process).count
      var silent = Self.silent(1_100, port, addresses: addresses)
      #expect(silent.count == 1_100)
      // A known user gets pages and can follow the session.
      #expect(visitor.page().contains("You typed: kept"))
      #expect(visitor.follow()?.answer.contains("101 Switching Protocols") == true)
      // Retrying to accept connections without a pause would take a whole core.
      let load = Self.load(of: process)
      #expect(load < 0.15, "\(load)")
      // The server can still start a new host.
      let hosts = Self.hosts(of: process)
      #expect(!hosts.isEmpty)
      for host in hosts { kill(host, SIGKILL) }
      // Events that arrive before the server knows of the host's end are lost.
      let patience = Patience(.seconds(20))
      while Self.hosts(of: process).isEmpty || !Set(Self.hosts(of: process)).isDisjoint(with: hosts),
        !patience.hasEnded
      { usleep(20_000) }
      #expect(visitor.page().contains("You typed: kept"))
      // The user opens the link again if the message says that it was not done.
      while !visitor.page("scenes/2?text=again").contains("You typed: again"), !patience.hasEnded { usleep(20_000) }
      #expect(visitor.page().contains("You typed: again"))
      #expect(Set(Self.hosts(of: process)).isDisjoint(with: hosts))
      // After the connections close, everything is as before.
      silent = []
      let closing = Patience(.seconds(10))
      while Self.files(of: process).count > before + 8, !closing.hasEnded { usleep(20_000) }
      #expect(Self.files(of: process).count <= before + 8)
      #expect(visitor.page().contains("You typed: again"))
    }
    #expect(!server.complaints.contains("Too many open files"), "\(server.complaints)")
    #expect(try await server.stop() == 0)
  }

  @Test func theLimitOfOpenFilesIsRaised() async throws {
    let server = try await serve(limit: "-Sn 256")
    let limits = try String(contentsOfFile: "/proc/\(server.processID)/limits", encoding: .utf8)
    let found = try #require(limits.firstMatch(of: /Max open files +(\d+) +(\d+)/))
    let (soft, hard) = (try #require(Int(found.1)), try #require(Int(found.2)))
    #expect(soft == min(hard, 65_536))
    #expect(server.complaints.isEmpty, "\(server.complaints)")
    #expect(try await server.stop() == 0)
  }

  @Test func aLimitThatIsTooSmallIsSaid() async throws {
    let small = try await serve(limit: "-n 256")
    #expect(small.port > 0)
    let words = small.complaints
    #expect(words.contains("256 files and connections") && words.contains("instead of 4096"), "\(words)")
    #expect(words.contains("LimitNOFILE"), "\(words)")
    #expect(try await small.stop() == 0)
    let tooSmall = try await serve(limit: "-n 64")
    #expect(tooSmall.port == 0)
    #expect(tooSmall.complaints.contains("64 files and connections"), "\(tooSmall.complaints)")
    #expect(try await tooSmall.stop() == 1)
  }

  /// Not only connections can use up all descriptors.
  @Test func theServerWaitsWhereNothingMoreCanBeOpened() async throws {
    let server = try await serve(["--no-spare"])
    let (port, process) = (server.port, server.processID)
    try #require(Self.limit(process, toMore: 0))
    try await elsewhere {
      let waiting = (0..<20).compactMap { _ in RawConnection(port) }
      #expect(waiting.count == 20)
      for connection in waiting {
        connection.send("GET /_gangway/health HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
      }
      let load = Self.load(of: process, for: 2)
      #expect(load < 0.15, "\(load)")
      let heard = waiting.filter { $0.isClosed }.count
      #expect(heard == 0)
      try #require(Self.limit(process, toMore: 100))
      for connection in waiting { #expect(connection.readAll().hasPrefix("HTTP/1.1 200")) }
    }
    let said = server.complaints.split(separator: "\n").filter { $0.contains("Too many open files") }
    #expect(said.count == 1, "\(server.complaints)")
    #expect(try await server.stop() == 0)
  }

  /// The control socket waits for descriptors, too.
  @Test func theControlSocketWaitsWhereNothingMoreCanBeOpened() async throws {
    let server = try await serve(["--no-spare"])
    let process = server.processID
    let socket = workshop.path("state/gangway/run/\(process).sock")
    try await eventually { access(socket, F_OK) == 0 }
    try #require(Self.limit(process, toMore: 0))
    try await elsewhere {
      let client = try #require(SocketAddress(socket).open(connect))
      defer { close(client) }
      let load = Self.load(of: process, for: 2)
      #expect(load < 0.15, "\(load)")
      try #require(Self.limit(process, toMore: 100))
      #expect(ProcessIO.writeAll(Array("nonsense\n".utf8), to: client))
      // The app greets the client, answers that this is no message, and ends the connection.
      var answer = ""
      var bytes = [UInt8](repeating: 0, count: 1_000)
      while case let count = read(client, &bytes, bytes.count), count > 0 {
        answer += String(decoding: bytes.prefix(count), as: UTF8.self)
      }
      #expect(answer.contains(#""type":"hello""#) && answer.contains(#""code":"malformed""#), "\(answer)")
    }
    #expect(try await server.stop() == 0)
  }

  /// A session whose file cannot be opened at the moment does not count as damaged.
  @Test func aSessionThatCannotBeOpenedForNowIsKept() async throws {
    let first = try await serve(["--no-spare"])
    let (port, entrance) = (first.port, first.entrance)
    let visitor = try await elsewhere {
      let visitor = try #require(Visitor.enter(entrance, port: port))
      #expect(visitor.page("scenes/2?text=kept").contains("You typed: kept"))
      return visitor
    }
    #expect(try await first.stop() == 0)
    let second = try await serve(["--no-spare"])
    #expect(second.port == port)
    let process = second.processID
    // One descriptor is for the connection.
    try #require(Self.limit(process, toMore: 1))
    try await elsewhere {
      let answer = visitor.ask("GET", "/~\(visitor.session)/")
      #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
      try #require(Self.limit(process, toMore: 100))
      #expect(visitor.page().contains("You typed: kept"))
    }
    #expect(try await second.stop() == 0)
  }
}
