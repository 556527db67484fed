import Gangway
import Observation

/// The todos of the signed-in user. Each session has one shelf, which its flows observe.
@MainActor @Observable final class Shelf {
  /// The signed-in user, if known.
  private(set) var user: String?
  /// The user's todos, or the samples for a guest; nil before the user is known.
  private(set) var store: TodoStore?
  /// The reason why the todos cannot be read.
  private(set) var problem: String?

  @ObservationIgnored private let files: TodoFiles
  @ObservationIgnored private let session: ServiceHandle

  init(_ files: TodoFiles, session: ServiceHandle) {
    self.files = files
    self.session = session
  }

  /// The number of due todos, for the tab.
  var badge: String? { user == nil ? nil : store?.counts[.due].flatMap { $0 == 0 ? nil : "\($0)" } }

  /// Follows the signed-in user, as long as a flow of this feature exists.
  ///
  /// - Parameter changed: called with each user, and with nil after a sign-out.
  func follow(_ changed: (String?) async throws -> Void = { _ in }) async throws {
    for try await user in try await session.changes("user", as: String?.self) {
      if self.user != user || store == nil {
        self.user = user
        store = user.map(files.store(of:)) ?? files.samples
        await refresh()
      }
      try await changed(user)
    }
  }

  /// Reads the todos again.
  func refresh() async {
    do {
      try await store?.refresh()
      problem = store?.problem
    } catch {
      problem = "\(error)"
    }
  }
}
