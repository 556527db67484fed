/// Asking guards outside of what the person does.
extension Session {
  /// Asks the guards about entries from a file, one after the other.
  func admit() {
    guard !isAdmitting else { return }
    isAdmitting = true
    work.start(event: nil, plugin: nil) { [weak self] in
      defer { self?.isAdmitting = false }
      guard let navigation = self?.navigation else { return }
      // What most guards say at once is waited for: the first screen is the one the person was on.
      let answer: Result<Void, any Error> = await navigation.hooks.waiting(tell: {}) {
        // What is being made now is made first.
        await Task.yield()
        do { return .success(try await navigation.planner.admitRestored()) } catch { return .failure(error) }
      }
      try answer.get()
    }
  }

  /// Asks the guards of what came back after a crash, so that what they read is followed.
  func followRestored() {
    guard !isFollowing else { return }
    isFollowing = true
    work.start(event: nil, plugin: nil) { [weak self] in
      // What comes back is seen first, and all of it.
      await Task.yield()
      self?.isFollowing = false
      await self?.navigation.planner.followRestored()
    }
  }
}
