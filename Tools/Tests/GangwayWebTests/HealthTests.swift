import CoreMetrics
import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// The server's reports about itself, for monitoring and for developers.
@MainActor @Suite(.serialized) struct HealthTests {
  @Test func whatHappensIsCountedAndWhichPluginStopsHosts() async throws {
    let serving = try await Serving(["scenes"], hasTrouble: true)
    let visitor = try await serving.visitor()
    func metrics() async throws -> String {
      try await elsewhere { visitor.ask("GET", "/_gangway/metrics", isKnown: false) }
    }
    let before = try await metrics()
    #expect(before.contains("Content-Type: text/plain; version=0.0.4"))
    #expect(before.contains("\ngangway_sessions 1\n") && before.contains("\ngangway_pages 0\n"))
    #expect(before.contains("\ngangway_events_total 0\n"))
    try await elsewhere {
      #expect(visitor.ask("GET", "/", isKnown: false).contains("403"))
      let page = visitor.page()
      let token = try #require(page.firstMatch(of: /name="token" value="(\w+)"/)).1
      let trap = try #require(page.firstMatch(of: /value="(tap [^"]+)"[^>]*>(?:<[^>]*>)*Trap/)).1
      let pressed = trap.replacing(" ", with: "+")
      #expect(visitor.ask("POST", "/~\(visitor.session)/", body: "token=\(token)&do=\(pressed)").contains("303"))
    }
    // Wait for the crash report, because it may blame another plugin.
    let restarts = #"gangway_host_restarts_total{plugin="trouble",cause="crashed"} 1"#
    let patience = Patience(.seconds(20))
    var after = ""
    repeat {
      after = try await metrics()
      try #require(!patience.hasEnded, "\(after)")
    } while !after.contains("\n\(restarts)\n")
    #expect(after.contains("\ngangway_refusals_total 2\n"), "a stranger, and a key that was used")
    #expect(after.contains("# TYPE gangway_event_seconds histogram\n"))
    for line in after.split(separator: "\r\n\r\n").last?.split(separator: "\n") ?? [] {
      let isOfFormat =
        line.wholeMatch(of: /# TYPE \w+ (counter|gauge|histogram)/) != nil
        || line.wholeMatch(of: /[a-z_]+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [0-9.e+-]+/) != nil
      #expect(isOfFormat, "\(line)")
    }
    try await elsewhere {
      // Clients behind a proxy get no metrics.
      #expect(visitor.ask("GET", "/_gangway/metrics", headers: "X-Forwarded-For: 192.0.2.1\r\n").contains("404"))
      let health = visitor.ask("GET", "/_gangway/health", isKnown: false)
      #expect(health.hasSuffix(#"{"status":"ok","sessions":1,"pages":0,"unstored":0}"# + "\n"), "\(health)")
    }
    await serving.stop()
  }

  @Test func aPersonsOwnSessionsAreShownToThemOnTheServersOwnMachine() async throws {
    let serving = try await Serving(["scenes"]) {
      $0.names = ["app.example.org"]
      $0.graph = { "<svg xmlns=\"http://www.w3.org/2000/svg\"/>" }
    }
    let visitor = try await serving.visitor()
    let other = try await serving.visitor()
    try await elsewhere {
      let page = visitor.page("scenes/2?text=typed")
      let token = try #require(page.firstMatch(of: /name="token" value="(\w+)"/)).1
      #expect(page.firstMatch(of: /<h1[^>]*>Scene 2/) != nil, "\(page)")
      #expect(visitor.ask("POST", "/~\(visitor.session)/", body: "token=\(token)&do=back").contains("303"))
      let inspector = visitor.ask("GET", "/_gangway")
      #expect(inspector.contains("<strong>Scene 1</strong><code>scene1</code>"), "\(inspector)")
      #expect(inspector.contains("ScenesCoordinator") && inspector.contains("<ol class=\"history\""), "\(inspector)")
      #expect(inspector.contains("/~\(visitor.session)/") && !inspector.contains(other.session.rawValue))
      #expect(!inspector.contains("http-equiv") && visitor.ask("GET", "/_gangway?follow").contains("http-equiv"))
      #expect(inspector.contains("/_gangway/graph.svg"))
      let graph = visitor.ask("GET", "/_gangway/graph.svg")
      #expect(graph.contains("image/svg+xml") && graph.contains("style-src 'unsafe-inline'"), "\(graph)")
      #expect(!graph.contains("script-src"))
      for path in ["/_gangway", "/_gangway/graph.svg"] {
        #expect(visitor.ask("GET", path, isKnown: false).firstMatch(of: /^HTTP\/1.1 40[34]/) != nil)
        #expect(visitor.ask("GET", path, host: "app.example.org").hasPrefix("HTTP/1.1 404"))
        for header in ["Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.1", "Via: 1.1 proxy"] {
          #expect(visitor.ask("GET", path, headers: header + "\r\n").hasPrefix("HTTP/1.1 404"), "\(header)")
        }
      }
    }
    await serving.stop()
  }

  @Test func seriesAreInTheFormOfScrapersAndBounded() {
    let metrics = PrometheusMetrics()
    Counter(label: "a.total", dimensions: [("the-file", "C:\\a \"b\"\nc")], factory: metrics).increment(by: 3)
    let timer = Timer(label: "seconds", factory: metrics)
    for milliseconds in [1, 2, 30, 20_000] { timer.recordMilliseconds(milliseconds) }
    let meter = Meter(label: "9level", factory: metrics)
    meter.set(2.5)
    meter.increment(by: 1)
    #expect(metrics.text.contains("# TYPE _9level gauge\n_9level 3.5\n# TYPE a_total counter\n"))
    #expect(metrics.text.contains(#"a_total{the_file="C:\\a \"b\"\nc"} 3"# + "\n"))
    for line in [
      #"seconds_bucket{le="0.001"} 1"#, #"seconds_bucket{le="0.0025"} 2"#, #"seconds_bucket{le="0.05"} 3"#,
      #"seconds_bucket{le="10"} 3"#, #"seconds_bucket{le="+Inf"} 4"#, "seconds_count 4", "seconds_sum 20.033",
    ] {
      #expect(metrics.text.contains(line + "\n"), "\(line) in \(metrics.text)")
    }
    // Labels from outside cannot fill the memory.
    for number in 0..<3_000 { Counter(label: "many", dimensions: [("n", "\(number)")], factory: metrics).increment() }
    let count = metrics.text.split(separator: "\n").count { $0.hasPrefix("many{") }
    #expect(count == PrometheusMetrics.maximumSeries - 3)
    // A name that is used for two types keeps the first.
    Meter(label: "a.total", dimensions: [("the-file", "C:\\a \"b\"\nc")], factory: metrics).set(1)
    #expect(metrics.text.contains("a_total{the_file=\"C:\\\\a \\\"b\\\"\\nc\"} 3\n"))
    meter.destroy()
    #expect(!metrics.text.contains("_9level"))
  }
}
