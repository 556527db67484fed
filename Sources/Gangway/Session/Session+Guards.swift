/// Guards that run without an action of the user.
extension Session {
  /// Runs the guards of entries from a file, one after the other.
  func admit() {
    guard !isAdmitting else { return }
    isAdmitting = true
    work.start(event: nil, plugin: nil) { [weak self] in
      defer { self?.isAdmitting = false }
      guard let navigation = self?.navigation else { return }
      // Most guards answer at once, so the first update waits for them and shows the user's former screen.
      let answer: Result<Void, any Error> = await navigation.hooks.waiting(tell: {}) {
        // Content that is being made is finished first.
        await Task.yield()
        do { return .success(try await navigation.planner.admitRestored()) } catch { return .failure(error) }
      }
      try answer.get()
    }
  }

  /// Runs the guards of entries that a crash recovery restored, to follow the guards' values.
  func followRestored() {
    guard !isFollowing else { return }
    isFollowing = true
    work.start(event: nil, plugin: nil) { [weak self] in
      // Everything that is restored becomes visible first.
      await Task.yield()
      self?.isFollowing = false
      await self?.navigation.planner.followRestored()
    }
  }
}
