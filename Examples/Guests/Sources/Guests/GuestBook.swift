import Foundation
import Gangway
import Observation

struct Guest: Codable, Hashable, Identifiable, Sendable { var id = UUID(), name = "", mail = "", isComing = false }

/// A problem with the file, in words for the user.
enum GuestError: String, Error, CustomStringConvertible {
  case unread = "Could not read your guests. The file is unchanged."
  case unsaved = "Could not save your guests. Make room on the disk, and try again."
  var description: String { rawValue }
}

/// The guests, in a file that is read outside the main actor.
@MainActor final class GuestBook {
  let guests: Loadable<[Guest]>
  private let file: URL
  /// The tab's label, with the number of guests who have not accepted; nil until the guests are loaded.
  var label: TabLabel? { guests.value.map { guests in TabLabel(badge: guests.count { !$0.isComing }) } }
  init(file: URL) {
    self.file = file
    guests = Loadable { try await GuestBook.read(file) }
  }
  @concurrent private nonisolated static func read(_ file: URL) async throws -> [Guest] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    do { return try JSONDecoder().decode([Guest].self, from: Data(contentsOf: file)) } catch { throw GuestError.unread }
  }
  func replace(_ id: Guest.ID, with guest: Guest?) async throws {
    let all = try await (guests.get().filter { $0.id != id } + [guest].compactMap { $0 }).sorted { $0.name < $1.name }
    do { try JSONEncoder().encode(all).write(to: file, options: .atomic) } catch { throw GuestError.unsaved }
    guests.value = all
  }
}

@MainActor @Observable final class Draft {
  var guest: Guest
  init(_ guest: Guest) { self.guest = guest }
}
