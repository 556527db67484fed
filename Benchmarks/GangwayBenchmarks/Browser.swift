import Benchmark
import Foundation
@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import GangwayWeb
@_spi(FrontEnd) import TestSupport

/// Measures the waits of a user of a real browser, by the clock of the browser itself.
func browserBenchmarks() {
  benchmark("largest paint of the first page", seconds: 20, iterations: 10, metrics: [nanoseconds]) {
    try await largestPaint($0)
  }
  benchmark("jump to the end of 100000 rows, page", seconds: 20, iterations: 1, metrics: [nanoseconds]) {
    try await jumpOnPage($0)
  }
}

/// Measures the time from the user's request to the largest paint of the home, with an empty browser cache.
///
/// Source: W3C, "Largest Contentful Paint".
@MainActor private func largestPaint(_ benchmark: Benchmark) async throws {
  let serving = try await Serving(["welcome", "scenes", "todos", "account", "monitor", "files"])
  let (entrance, port) = (serving.site.makeEntrance(), serving.server.port)
  let time = try await elsewhere {
    let page = try Chromium().open()
    try page.go("http://127.0.0.1:\(port)\(entrance)")
    try page.wait(for: "Welcome")
    let time = try page.value(
      """
      new Promise(done => new PerformanceObserver(list => {
        const last = list.getEntries().pop()
        setTimeout(() => done(last.startTime), 300)
      }).observe({ type: 'largest-contentful-paint', buffered: true }))
      """)
    guard let time = time as? Double, time > 0 else { throw Failed(description: "the browser painted nothing") }
    return time
  }
  benchmark.measurement(nanoseconds, Int(time * 1_000_000))
  await serving.stop()
}

/// Measures the time from the press to the frame after which the last row is focused and in sight.
@MainActor private func jumpOnPage(_ benchmark: Benchmark) async throws {
  let serving = try await Serving(["gallery"])
  let (entrance, port) = (serving.site.makeEntrance(), serving.server.port)
  let times = try await elsewhere {
    let page = try Chromium().open()
    try page.go("http://127.0.0.1:\(port)\(entrance)")
    try page.wait("document.documentElement.classList.contains('live')")
    _ = try page.value("[...document.querySelectorAll('button, a')].find(e => e.innerText.trim() === 'Length').click()")
    try page.wait("!!document.querySelector('[data-jump=last]')")
    return try (0..<20).flatMap { _ in
      try [("first", 1), ("last", 100_000)].compactMap { end, row -> Double? in
        let time = try page.value(
          """
          new Promise((done, fail) => {
            const start = performance.now()
            const look = () => {
              const focused = document.activeElement, box = focused.getBoundingClientRect()
              const isThere = focused.closest('.row')?.innerText.trim().startsWith('Number \(row)')
              if (performance.now() - start > 20000) return fail('the page did not jump to row \(row)')
              if (!isThere || box.top < 0 || box.bottom > innerHeight) return requestAnimationFrame(look)
              requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)))
            }
            document.querySelector('[data-jump=\(end)]').click()
            look()
          })
          """)
        // The page is still while nobody presses.
        usleep(200_000)
        return end == "last" ? time as? Double : nil
      }
    }
  }
  guard times.count == 20 else { throw Failed(description: "only \(times.count) of 20 jumps were measured") }
  for time in times { benchmark.measurement(nanoseconds, Int(time * 1_000_000)) }
  await serving.stop()
}
