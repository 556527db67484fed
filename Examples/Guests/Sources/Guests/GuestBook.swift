import Foundation
import Gangway
import Observation

struct Guest: Codable, Hashable, Identifiable, Sendable { var id = UUID(), name = "", mail = "", isComing = false }

/// The guests, in a file that is read outside the main actor.
@MainActor @Observable final class GuestBook {
  private(set) var guests: [Guest]?
  private(set) var problem: String?
  private let file: URL
  /// The number of guests who have not accepted.
  var badge: String? { guests.map { guests in guests.count { !$0.isComing } }.flatMap { $0 == 0 ? nil : "\($0)" } }
  init(file: URL) { self.file = file }

  func load() async {
    guard guests == nil else { return }
    do { guests = try await Self.read(file) } catch { problem = "\(file.path): \(error.localizedDescription)" }
  }
  @concurrent private nonisolated static func read(_ file: URL) async throws -> [Guest] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    return try JSONDecoder().decode([Guest].self, from: Data(contentsOf: file))
  }

  func replace(_ id: Guest.ID, with guest: Guest?) async throws {
    if guests == nil { guests = try await Self.read(file) }  // What cannot be read is not overwritten.
    let all = ((guests ?? []).filter { $0.id != id } + [guest].compactMap { $0 }).sorted { $0.name < $1.name }
    try JSONEncoder().encode(all).write(to: file, options: .atomic)
    guests = all
  }
}

@MainActor @Observable final class Draft {
  var guest: Guest
  init(_ guest: Guest) { self.guest = guest }
}
