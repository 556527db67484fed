import Benchmark
import Foundation
@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import GangwayWeb
import Glibc
@_spi(FrontEnd) import TestSupport

func webBenchmarks() {
  benchmark("first web page, a new session", seconds: 10, iterations: 200) { try await firstPage($0) }
  benchmark("bytes of the first page with style and script", seconds: 5, iterations: 1, metrics: [bytes]) {
    try await bytesOfFirstPage($0)
  }
  benchmark("key to patch, 1000 events a second, 100 pages", seconds: 20, iterations: 1, metrics: [nanoseconds]) {
    try await keyToPatch($0)
  }
  benchmark("memory of a session in the web server", seconds: 60, iterations: 1, metrics: [bytes], warmups: 0) {
    try await manyPages($0, .memoryOfServer)
  }
  benchmark("memory of a session in the host of the web server", seconds: 60, iterations: 1, metrics: [bytes]) {
    try await manyPages($0, .memoryOfHost)
  }
  benchmark("1000 pages restored after a kill, all", seconds: 60, iterations: 1, metrics: [nanoseconds]) {
    try await manyPages($0, .restoring)
  }
}

private let bytes = BenchmarkMetric.custom("bytes", polarity: .prefersSmaller, useScalingFactor: false)
private let nanoseconds = BenchmarkMetric.custom("nanoseconds", polarity: .prefersSmaller, useScalingFactor: false)

/// A site takes its sessions from a source. Neither of their modules knows the other.
extension UserSessions: @retroactive SessionSource {}

/// A server with its hosts, in this process. Its visitors are on other threads.
@MainActor private final class Serving {
  let userSessions: UserSessions
  let site: Site
  let server: WebServer

  init() async throws {
    userSessions = try UserSessions(makeOptions(["scenes", "hello"]), folder: nil)
    var options = Site.Options()
    // One user has all sessions, and does the work of a thousand.
    options.limits.sessionsPerPerson = 2_000
    (options.limits.eventsPerSecond, options.limits.burst) = (1_000_000, 1_000_000)
    site = try Site(userSessions, options)
    server = try await WebServer.start(site, port: 0)
  }

  /// Lets a user in, with a number of sessions.
  func visitors(_ count: Int) async throws -> [Visitor] {
    let (entrance, port) = (site.makeEntrance(), server.port)
    return try await elsewhere {
      var made: [Visitor] = []
      while made.count < count {
        guard let visitor = Visitor.enter(entrance, port: port, cookie: made.first?.cookie) else {
          throw Failed(description: "nobody is let in")
        }
        made.append(visitor)
      }
      return made
    }
  }

  func stop() async {
    await server.stop()
    await userSessions.stop()
  }
}

private struct Failed: Error, CustomStringConvertible { let description: String }

/// Returns the time of a monotonic clock, in nanoseconds.
private func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Measures a known user's request for `/`, which creates a session and returns its page.
@MainActor private func firstPage(_ benchmark: Benchmark) async throws {
  let serving = try await Serving()
  guard let visitor = try await serving.visitors(1).first else { return }
  for _ in benchmark.scaledIterations {
    benchmark.startMeasurement()
    let page = try await elsewhere {
      guard let begun = Visitor.enter("", port: visitor.port, cookie: visitor.cookie) else {
        throw Failed(description: "nobody is let in")
      }
      return begun.page()
    }
    benchmark.stopMeasurement()
    guard page.contains("Scene 1") else { return benchmark.error(page) }
  }
  await serving.stop()
}

/// Measures the bytes for a browser: the page as it is, the style and the module compressed.
@MainActor private func bytesOfFirstPage(_ benchmark: Benchmark) async throws {
  let serving = try await Serving()
  guard let visitor = try await serving.visitors(1).first else { return }
  let count = try await elsewhere {
    let page = visitor.page()
    let files = page.matches(of: /(?:href|src)="(\/_gangway\/[^"]+)"/).map { String($0.1) }
    guard files.count == 2 else { throw Failed(description: "\(files)") }
    return try files.reduce(page.utf8.count) { count, file in
      let answer = visitor.ask("GET", file, headers: "Accept-Encoding: gzip\r\n")
      guard let length = answer.firstMatch(of: /Content-Length: (\d+)/).flatMap({ Int($0.1) }) else {
        throw Failed(description: "no length of \(file)")
      }
      return count + length
    }
  }
  benchmark.measurement(bytes, count)
  await serving.stop()
}

/// Measures ten users on ten pages each, who type a letter on each page every hundred milliseconds.
///
/// The time counts from the moment when the letter is due. So the wait for one answer does not hide the wait of the
/// next (G. Tene, "How NOT to measure latency", 2013).
@MainActor private func keyToPatch(_ benchmark: Benchmark) async throws {
  let serving = try await Serving()
  let visitors = try await serving.visitors(100)
  let typists = (0..<10).map { thread in
    let own = Array(visitors[thread * 10..<thread * 10 + 10])
    return Task { try await elsewhere { try type(own, events: 1_000, every: 10_000_000) } }
  }
  for typist in typists {
    for time in try await typist.value { benchmark.measurement(nanoseconds, time) }
  }
  await serving.stop()
}

/// Types on several pages in turn.
///
/// - Returns: the time of each answer in nanoseconds, except those of the first second.
private func type(_ visitors: [Visitor], events: Int, every interval: UInt64) throws -> [Int] {
  let pages = try visitors.map { visitor in
    guard let (page, answer) = visitor.follow(), answer.contains("101") else {
      throw Failed(description: "not followed")
    }
    return page
  }
  // The first message has the present content.
  for page in pages { _ = page.readMessage() }
  let nodes = visitors.map { $0.page().firstMatch(of: /name="edit (\d+) text"/)?.1 ?? "0" }
  var times: [Int] = []
  var due = now()
  for number in 0..<events {
    due += interval
    let wait = Int64(due) - Int64(now())
    if wait > 0 { usleep(UInt32(wait / 1_000)) }
    let page = pages[number % pages.count]
    let serial = number / pages.count + 1
    page.sendMessage(
      #"{"n":\#(serial),"do":"edit \#(nodes[number % pages.count]) text","text":"\#(number)","r":1}"#)
    while true {
      guard let message = page.readMessage() else { throw Failed(description: "no answer") }
      if message.contains("\"a\":\(serial),") || message.contains("\"a\":\(serial)}") { break }
    }
    if number >= events / 10 { times.append(Int(now() - due)) }
  }
  return times
}

private enum Wanted { case memoryOfServer, memoryOfHost, restoring }

/// Opens a thousand sessions in one host, each with a page that follows its updates.
@MainActor private func manyPages(_ benchmark: Benchmark, _ wanted: Wanted) async throws {
  let serving = try await Serving()
  // This process has both ends of each connection.
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = min(limit.rlim_max, 8_192)
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  // The first sessions take memory that later ones share.
  let first = try await open(50, serving)
  guard let host = serving.userSessions.hostProcessIDs.first else { return benchmark.error("no host") }
  let process = wanted == .memoryOfHost ? host : getpid()
  let before = privateMemory(of: process)
  let others = try await open(950, serving)
  let after = privateMemory(of: process)
  switch wanted {
  case .memoryOfServer, .memoryOfHost: benchmark.measurement(bytes, max(0, after - before) / others.count)
  case .restoring:
    let start = now()
    kill(host, SIGKILL)
    // Each page receives a message when it is visible again.
    let all = first + others
    let end = try await elsewhere {
      for page in all {
        guard page.readMessage() != nil else { throw Failed(description: "a page was closed") }
      }
      return now()
    }
    benchmark.measurement(nanoseconds, Int(end - start))
  }
  await serving.stop()
}

@MainActor private func open(_ count: Int, _ serving: Serving) async throws -> [RawConnection] {
  let visitors = try await serving.visitors(count)
  return try await elsewhere {
    try visitors.map { visitor in
      guard let (page, answer) = visitor.follow(), answer.contains("101") else {
        throw Failed(description: "not followed")
      }
      _ = page.readMessage()
      return page
    }
  }
}
