import Observation

/// The readers of ``Router/path`` and ``Router/selection``, such as the bodies of screens.
///
/// Observation tracks each read, and the next commit tells all readers. So a commit costs nothing if there was no read.
@MainActor @Observable final class TreeReaders {
  /// The number of commits that told readers.
  private var count = 0
  /// Whether there was a read since the last such commit.
  @ObservationIgnored private var isRead = false

  /// Notes a read.
  func noteRead() {
    _ = count
    isRead = true
  }

  /// Tells the readers that a commit has changed the tree.
  func tell() {
    guard isRead else { return }
    isRead = false
    count += 1
  }
}
