import Benchmark
import Foundation

/// The bars are in script/bench, which prints each one beside its measured value.
let benchmarks: @Sendable () -> Void = {
  coreBenchmarks()
  navigationBenchmarks()
  linkBenchmarks()
  proportionBenchmarks()
  hostBenchmarks()
  screenBenchmarks()
  pluginBenchmarks()
  terminalBenchmarks()
  todoBenchmarks()
  webBenchmarks()
  browserBenchmarks()
}

/// Whether a few runs of each benchmark are enough, to show that it has a figure.
private let isQuick = ProcessInfo.processInfo.environment["GANGWAY_QUICK_BENCHMARKS"] != nil

/// Registers a benchmark on the main actor, where sessions live.
///
/// - Parameters:
///   - warmups: the number of runs before the measurement. It is 0 for memory of this process, which would use freed
///     memory again.
///   - teardown: removes the values that the body keeps between iterations.
func benchmark(
  _ name: String, seconds: Int64, iterations: Int, metrics: [BenchmarkMetric] = [.wallClock], warmups: Int = 1,
  _ body: @escaping @Sendable @MainActor (Benchmark) async throws -> Void,
  teardown: @escaping @Sendable @MainActor () -> Void = {}
) {
  Benchmark(
    name,
    configuration: .init(
      metrics: metrics, timeUnits: .nanoseconds, warmupIterations: warmups, maxDuration: .seconds(seconds),
      maxIterations: isQuick ? min(iterations, max(3, iterations / 20)) : iterations),
    closure: { benchmark in
      // The runner does not touch the benchmark before the body ends.
      nonisolated(unsafe) let lent = benchmark
      do {
        try await body(lent)
      } catch {
        // The runner does not report the error.
        FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
        throw error
      }
    }, teardown: { await teardown() })
}
