/// The commits of a session, for its observers.
extension Session {
  /// The commits of this session from now on, each after its screens are shown.
  ///
  /// The first one describes the present state.
  ///
  /// Each stream is independent. It buffers 256 commits. A slower reader misses the oldest ones, and sees the gap in
  /// their numbers. Nothing waits for a reader. The stream ends with the session.
  package var commits: AsyncStream<NavigationCommit> { navigation.hooks.commits.stream(navigation.table) }

  /// Sends the commits since the last call.
  func tellCommits(_ visible: VisibleTree) {
    let feed = navigation.hooks.commits
    if !isTelling {
      isTelling = true
      feed.hasObservers = observers.begin(feed.start(navigation.table))
    }
    observers.tell(feed.take(visible.path))
  }

  func endTelling() {
    navigation.hooks.commits.finish()
    observers.end()
  }
}
