import Benchmark
import Foundation

/// The bars stand in script/bench, which prints each beside what was measured.
let benchmarks: @Sendable () -> Void = {
  coreBenchmarks()
  navigationBenchmarks()
  linkBenchmarks()
  hostBenchmarks()
  screenBenchmarks()
  pluginBenchmarks()
  terminalBenchmarks()
  webBenchmarks()
}

/// A benchmark on the main actor, where sessions live.
///
/// - Parameters:
///   - warmups: how often it is run before it is measured; 0 where what was freed would be used again, for the process's own memory.
///   - teardown: removes what the body keeps from one iteration to the next.
func benchmark(
  _ name: String, seconds: Int64, iterations: Int, metrics: [BenchmarkMetric] = [.wallClock], warmups: Int = 1,
  _ body: @escaping @Sendable @MainActor (Benchmark) async throws -> Void,
  teardown: @escaping @Sendable @MainActor () -> Void = {}
) {
  Benchmark(
    name,
    configuration: .init(
      metrics: metrics, timeUnits: .nanoseconds, warmupIterations: warmups, maxDuration: .seconds(seconds),
      maxIterations: iterations),
    closure: { benchmark in
      // The runner does not touch the benchmark before the body has ended.
      nonisolated(unsafe) let lent = benchmark
      do {
        try await body(lent)
      } catch {
        // The runner says nothing of it.
        FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
        throw error
      }
    }, teardown: { await teardown() })
}
