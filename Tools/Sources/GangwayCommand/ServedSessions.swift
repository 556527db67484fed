import GangwayClient
import GangwayProtocol
import GangwaySupervisor
import GangwayWeb

/// Gives a site the sessions of a shelf.
@MainActor final class ServedSessions: WebSessionSource {
  private let shelf: SessionShelf

  init(_ shelf: SessionShelf) { self.shelf = shelf }

  func open(_ id: String, of person: String) async throws -> (session: any SessionConnection, notices: [Update.Notice])
  {
    let (keeper, notices) = try await shelf.open(id, of: person)
    return (keeper, notices)
  }

  func isStored(_ id: String, of person: String) -> Bool { shelf.isKnown(id, of: person) }

  func copy(_ id: String, to other: String, of person: String) async throws { shelf.copy(id, to: other) }

  func putAway(_ id: String, of person: String) async { await shelf.putAway(id) }
}
