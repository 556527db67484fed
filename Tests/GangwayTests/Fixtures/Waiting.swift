import Testing

/// Waits until a condition holds.
///
/// All tests share the main actor, and one poll gives each of them a turn. So the wait ends only after many polls, and
/// not while a busy machine keeps this test from running.
///
/// - Throws: an expectation that failed, after 30 seconds and 3,000 polls.
@MainActor func eventually(
  _ shown: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () -> Bool
) async throws {
  let limit = ContinuousClock.now + .seconds(30)
  var polls = 0
  while !condition() {
    polls += 1
    try #require(polls < 3_000 || ContinuousClock.now < limit, "\(shown())", sourceLocation: sourceLocation)
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Gives other work of the main actor turns until a condition holds, without a sleep.
///
/// - Throws: an expectation that failed, after 30 seconds.
@MainActor func yieldUntil(
  _ condition: @autoclosure () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let limit = ContinuousClock.now + .seconds(30)
  while !condition() {
    try #require(ContinuousClock.now < limit, "The condition never held.", sourceLocation: sourceLocation)
    await Task.yield()
  }
}
