import Foundation
import GangwayTesting
import Testing
@testable import Guests

@MainActor @Test func aGuestIsInvitedRemovedAndTakenBack() async throws {
  let flow = try await FlowTester(plugins: [GuestsPlugin.self])
  try await flow.tap("Invite")
  try await flow.type("Ada", into: "Name")
  await #expect(throws: FlowFailure.self) { try await flow.submit() }
  #expect(flow.screen.contains("(problem: An address has an @"))
  try await flow.restart()
  try await flow.type("ada@example.org", into: "Mail")
  try await flow.submit()
  #expect(flow.screen.hasPrefix("[Guests* (1)]"))
  try await flow.tap("Ada")
  try await flow.tap("Remove")
  #expect(flow.screen.contains("Nobody is invited yet"))
  try await flow.undo("Ada was removed.")
  #expect(flow.screen.contains("Ada"))
}

@MainActor @Test func aDamagedFileIsShownAndNotOverwritten() async throws {
  let file = URL.temporaryDirectory.appending(path: "guests-\(UUID())")
  try Data("damaged".utf8).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  let flow = try await FlowTester(GuestsCoordinator(GuestBook(file: file)))
  #expect(flow.screen.contains("Could not read your guests."))
  await #expect(throws: GuestError.unread) { try await GuestBook(file: file).replace(UUID(), with: Guest()) }
  #expect(try Data(contentsOf: file) == Data("damaged".utf8))
}
