import Foundation
@_spi(FrontEnd) import Gangway
import GangwayTesting
import Observation

@testable import Todos

/// A double of the feature Account, with a folder for the files.
@MainActor @Observable final class Desk {
  var user: String? = "ada"
  /// Whether the session does not say yet who is signed in.
  var isSilent = false
  @ObservationIgnored let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "todos-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Makes the tab, with the other features' stubs. A second flow has the same files, as after a restart.
  func flow() async throws -> FlowTester<RootCoordinator> {
    try await FlowTester(plugins: [TodosPlugin.self], stubs: stubs)
  }

  var stubs: [Stub] {
    [
      .service("account.session", operation: "user") { [self] (_: NoPayload) in user },
      .service("account.session", changes: "user") { [self] in Observations { self.user } },
      .place("account.sign-in", endingWith: String.self),
    ]
  }

  /// The same stubs, with a session that says nothing while `isSilent` is true.
  var slowStubs: [Stub] {
    [
      .service("account.session", operation: "user") { [self] (_: NoPayload) in user },
      .service("account.session", changes: "user") { [self] in
        Observations { self.isSilent ? nil : .some(self.user) }.compactMap { $0 }
      },
      .place("account.sign-in", endingWith: String.self),
    ]
  }

  var file: URL { folder.appending(path: "todos.sqlite") }
  func store(now: @escaping () -> Date = { Date() }) -> TodoStore { TodoStore(TodoDatabase(path: file.path), now: now) }
}
