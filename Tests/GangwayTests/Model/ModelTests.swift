import FoundationEssentials
@_spi(FrontEnd) @testable import Gangway
import Testing

/// Random sequences of every operation on random apps, with checks of all conditions after every step.
///
/// A failure is shrunk to the fewest steps that still fail, and printed as a readable script.
@MainActor @Suite struct ModelTests {
  /// The minimum count of each ordered pair of operations: 10, or the value of GANGWAY_MODEL_PAIRS. That is 1 in
  /// `script/test --fast`, and 50 in CI.
  static let wantedPairs = ProcessInfo.processInfo.environment["GANGWAY_MODEL_PAIRS"].flatMap { Int($0) } ?? 10
  static let stepsInARun = 400

  @Test func noSequenceOfOperationsBreaksTheCore() async throws {
    var pairs = Pairs()
    var seed: UInt64 = 1
    while pairs.least < Self.wantedPairs {
      let steps = pairs.steps(Self.stepsInARun, seed: seed)
      if let failure = await Self.failure(seed, steps) {
        let script = await Self.shrunk(seed, steps)
        Issue.record("\(failure)\nseed \(seed), steps:\n\(Self.text(script))")
        return
      }
      seed += 1
    }
    #expect(pairs.least >= Self.wantedPairs)
  }

  @Test(arguments: Defect.allCases)
  func aSeededDefectIsCaughtAndShrunkToAScript(_ defect: Defect) async throws {
    await Defect.$seeded.withValue(defect) {
      var pairs = Pairs()
      for seed in UInt64(1)...60 {
        let steps = pairs.steps(Self.stepsInARun, seed: seed)
        guard await Self.failure(seed, steps) != nil else { continue }
        let script = await Self.shrunk(seed, steps)
        #expect(await Self.failure(seed, script) != nil)
        #expect(script.count <= 8, "\(Self.text(script))")
        return
      }
      Issue.record("\(defect) was not caught")
    }
  }

  /// Returns the failure of the steps from the start; nil if there is none.
  static func failure(_ seed: UInt64, _ steps: [ModelStep]) async -> String? {
    do {
      let run = try ModelRun(seed: seed)
      defer { run.end() }
      // The first screen may be behind guards.
      #expect(await run.session.idle())
      for (index, step) in steps.enumerated() {
        do {
          try await run.take(step)
        } catch {
          return "step \(index + 1), \(step): \(error)"
        }
      }
      return nil
    } catch {
      return "the application does not start: \(error)"
    }
  }

  /// Returns the fewest steps found that still fail.
  ///
  /// The steps after the failure go first, then ever smaller pieces of the rest. This is delta debugging, after Zeller
  /// and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002.
  static func shrunk(_ seed: UInt64, _ steps: [ModelStep]) async -> [ModelStep] {
    var steps = steps
    if let failure = await failure(seed, steps), let number = Int(failure.dropFirst(5).prefix { $0.isNumber }) {
      steps = Array(steps.prefix(number))
    }
    var size = max(1, steps.count / 2)
    while true {
      var isSmaller = false
      var start = 0
      while start < steps.count {
        var shorter = steps
        shorter.removeSubrange(start..<min(start + size, steps.count))
        if await failure(seed, shorter) != nil {
          steps = shorter
          isSmaller = true
        } else {
          start += size
        }
      }
      if size == 1, !isSmaller { return steps }
      size = max(1, size / 2)
    }
  }

  private static func text(_ steps: [ModelStep]) -> String { steps.map { "  \($0)" }.joined(separator: "\n") }
}

/// A choice of operations in which every ordered pair occurs often.
struct Pairs {
  private var counts = [[Int]](
    repeating: [Int](repeating: 0, count: ModelStep.Operation.allCases.count),
    count: ModelStep.Operation.allCases.count)

  /// The count of the rarest pair.
  var least: Int { counts.joined().min() ?? 0 }

  mutating func steps(_ count: Int, seed: UInt64) -> [ModelStep] {
    let all = ModelStep.Operation.allCases
    var random = SplitMix(seed: seed &* 7919)
    var current = Int.random(in: 0..<all.count, using: &random)
    var steps = [ModelStep.random(all[current], &random)]
    while steps.count < count {
      // Take the rarest possible successor, or any of several equally rare ones.
      let fewest = counts[current].min() ?? 0
      let candidates = all.indices.filter { counts[current][$0] == fewest }
      let next = candidates.randomElement(using: &random) ?? 0
      counts[current][next] += 1
      current = next
      steps.append(.random(all[next], &random))
    }
    return steps
  }
}
