import Foundation

/// The SplitMix64 generator, which gives the same numbers for the same seed.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
@_spi(FrontEnd) public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  public init(seed: UInt64) { state = seed }

  /// Creates a generator with a new seed for each run, which is printed. `GANGWAY_SEED` sets the seed to repeat a run.
  public init(of test: String = #function) {
    let seed = ProcessInfo.processInfo.environment["GANGWAY_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...99_999)
    print("\(test): repeat with GANGWAY_SEED=\(seed)")
    self.init(seed: seed)
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
