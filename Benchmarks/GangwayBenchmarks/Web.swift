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
  for pages in [100, 200] {
    let name = "key to patch, 1000 events a second, \(pages) pages"
    benchmark(name, seconds: 20, iterations: 1, metrics: [nanoseconds]) { try await keyToPatch($0, pages: pages) }
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
  benchmark("upload of 100 MB", seconds: 20, iterations: 10) { try await transfer($0, .upload, .time) }
  benchmark("download of 100 MB", seconds: 20, iterations: 10) { try await transfer($0, .download, .time) }
  benchmark("memory of an upload of 100 MB", seconds: 20, iterations: 3, metrics: [bytes]) {
    try await transfer($0, .upload, .memory)
  }
  benchmark("memory of a download of 100 MB", seconds: 20, iterations: 3, metrics: [bytes]) {
    try await transfer($0, .download, .memory)
  }
}

private let bytes = BenchmarkMetric.custom("bytes", polarity: .prefersSmaller, useScalingFactor: false)
let nanoseconds = BenchmarkMetric.custom("nanoseconds", polarity: .prefersSmaller, useScalingFactor: false)

/// A site takes its sessions from a source. Neither of their modules knows the other.
extension UserSessions: @retroactive SessionSource {}

/// A server with its hosts, in this process. Its visitors are on other threads.
@MainActor final class Serving {
  let userSessions: UserSessions
  let site: Site
  let server: WebServer

  init(
    _ plugins: [String] = ["scenes", "hello"], _ change: (inout SupervisorOptions) -> Void = { _ in }
  ) async throws {
    var supervised = makeOptions(plugins)
    change(&supervised)
    userSessions = try UserSessions(supervised, folder: nil)
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
        throw Failed(description: "the response for \(file) has no Content-Length")
      }
      return count + length
    }
  }
  benchmark.measurement(bytes, count)
  await serving.stop()
}

/// Measures ten users, each on a tenth of the pages, who type a hundred letters a second on their pages in turn.
///
/// The time counts from the moment when the letter is due. So the wait for one answer does not hide the wait of the
/// next (G. Tene, "How NOT to measure latency", 2013).
@MainActor private func keyToPatch(_ benchmark: Benchmark, pages: Int) async throws {
  let serving = try await Serving()
  let visitors = try await serving.visitors(pages)
  let typists = (0..<10).map { thread in
    let own = Array(visitors[thread * pages / 10..<(thread + 1) * pages / 10])
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

private enum Direction { case upload, download }
private enum Figure { case time, memory }

/// A feature that keeps a file, and offers it.
private let attic = """
  import Foundation
  import Gangway

  final class Attic: StackCoordinator {
    enum Route: NavigationRoute { case shelf }
    let start = Route.shelf
    let file: String
    init(_ file: String) { self.file = file }
    func destination(for route: Route) -> Destination { .screen { _ in Shelf(file: self.file) } }
  }

  struct Shelf: Screen {
    let file: String
    var body: some Content {
      FilePicker("Keep", maximumBytes: 200_000_000) { try await $0.move(to: file + $0.name) }
      Download("Fetch", file: file)
    }
  }

  @MainActor final class AtticPlugin: Plugin {
    static let id = "attic"
    static let version = "1.0.0"
    func register(in registry: Registrar) {
      registry.tab("shelf", title: "Attic") { _ in Attic(ProcessInfo.processInfo.environment["ATTIC"] ?? "") }
    }
  }

  @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(AtticPlugin.self) }
  """

/// Measures a file of 100 MB on its way between a browser and a feature.
///
/// The figure is the time, or the most memory that the server and its host take meanwhile.
@MainActor private func transfer(_ benchmark: Benchmark, _ direction: Direction, _ figure: Figure) async throws {
  let workshop = try Workshop()
  let kept = workshop.path("kept")
  let plugin = try await workshop.plugin("Attic", attic)
  let serving = try await Serving([plugin]) { $0.environment["ATTIC"] = kept }
  guard let visitor = try await serving.visitors(1).first, let host = serving.userSessions.hostProcessIDs.first else {
    throw Failed(description: "no session has begun")
  }
  let head = try await elsewhere {
    let page = visitor.page()
    try Data(repeating: 7, count: direction == .download ? 100_000_000 : 1).write(to: URL(filePath: kept))
    return try request(for: direction, of: visitor, page)
  }
  let before = [host, getpid()].map { resetPeak(of: $0) }
  benchmark.startMeasurement()
  try await elsewhere {
    guard let connection = RawConnection(visitor.port, seconds: 30) else {
      throw Failed(description: "the server did not accept a connection")
    }
    let part = [UInt8](repeating: 7, count: 250_000)
    connection.send(head)
    if direction == .download {
      var count = 0
      while let part = connection.read(), !part.isEmpty { count += part.count }
      guard count >= 100_000_000 else { throw Failed(description: "only \(count) bytes arrived") }
      return
    }
    for _ in 0..<400 { connection.send(part) }
    guard connection.read(until: "\r\n\r\n").contains(" 204 ") else {
      throw Failed(description: "the server did not accept the upload")
    }
  }
  benchmark.stopMeasurement()
  if figure == .memory {
    let more = zip([host, getpid()], before).map { memory(of: $0, "VmHWM") - $1 }
    benchmark.measurement(bytes, more.reduce(0, +) * 1_024)
  }
  await serving.stop()
}

/// Returns the head of the request of a page that sends or loads the file.
private func request(for direction: Direction, of visitor: Visitor, _ page: String) throws -> String {
  guard let token = page.firstMatch(of: /name="token" value="([^"]+)"/)?.1,
    let element = page.firstMatch(of: /data-file="([^"]+)"/)?.1,
    let fetch = page.firstMatch(of: /value="(tap [^"]+)"[^>]*><span class="label">Fetch/)?.1
  else { throw Failed(description: "the page has no files") }
  let rest = "Host: 127.0.0.1:\(visitor.port)\r\nCookie: \(visitor.cookie)\r\nConnection: close\r\n"
  if direction == .upload {
    let name = UUID().uuidString
    return
      "POST /~\(visitor.session)/_upload?do=\(element.replacing(" ", with: "%20"))&name=\(name) HTTP/1.1\r\n\(rest)"
      + "X-Gangway-Token: \(token)\r\nContent-Length: 100000000\r\n\r\n"
  }
  let form = "token=\(token)&do=\(fetch.replacing(" ", with: "+"))"
  _ = visitor.ask(
    "POST", "/~\(visitor.session)/", headers: "Content-Type: application/x-www-form-urlencoded\r\n", body: form)
  guard let address = visitor.page().firstMatch(of: /href="([^"]+\/_file\/\d+)"/)?.1 else {
    throw Failed(description: "the file was not offered")
  }
  return "GET \(address) HTTP/1.1\r\n\(rest)\r\n"
}

/// Returns the memory of a process in KB, and forgets its peak. Source: proc(5), clear_refs.
private func resetPeak(of process: Int32) -> Int {
  try? "5".write(toFile: "/proc/\(process)/clear_refs", atomically: false, encoding: .utf8)
  return memory(of: process, "VmRSS")
}

/// Returns a figure of a process in KB. Source: proc_pid_status(5).
private func memory(of process: Int32, _ name: String) -> Int {
  let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
  return Int(line.filter(\.isNumber)) ?? 0
}
