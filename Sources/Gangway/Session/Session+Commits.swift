/// Who is told what the navigation of a session does.
extension Session {
  /// The commits of this session from now on, each when what it led to is shown; first of all one that says what is there.
  ///
  /// Every stream is its own. It keeps 256 commits for whoever reads it: of one that is read more slowly the oldest are
  /// missing, which their numbers show. Nothing waits for its reader. It ends with the session.
  public var commits: AsyncStream<NavigationCommit> { navigation.hooks.commits.stream(navigation.table) }

  /// Tells what was committed since this was called last.
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
