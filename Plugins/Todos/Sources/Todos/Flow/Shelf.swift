import Gangway
import Observation

/// The todos of who is signed in: one for each session, whose flows look at it.
@MainActor @Observable final class Shelf {
  /// Who is signed in, as far as it is known.
  private(set) var user: String?
  /// Their todos.
  private(set) var store: TodoStore?
  /// Why the todos cannot be read.
  private(set) var problem: String?

  @ObservationIgnored private let files: TodoFiles
  @ObservationIgnored private let session: ServiceHandle

  init(_ files: TodoFiles, session: ServiceHandle) {
    self.files = files
    self.session = session
  }

  /// How many are due, for the tab.
  var badge: String? { store?.counts[.due].flatMap { $0 == 0 ? nil : "\($0)" } }

  /// Follows who is signed in, for as long as a flow of this feature is there.
  ///
  /// - Parameter changed: told of each user there is.
  func follow(_ changed: (String) async throws -> Void = { _ in }) async throws {
    for try await user in try await session.changes("user", as: String?.self) {
      if self.user != user || store == nil {
        self.user = user
        store = user.map(files.store(of:))
        await refresh()
      }
      if let user { try await changed(user) }
    }
  }

  /// Reads what there is.
  func refresh() async {
    do {
      try await store?.refresh()
      problem = store?.problem
    } catch {
      problem = "\(error)"
    }
  }
}
