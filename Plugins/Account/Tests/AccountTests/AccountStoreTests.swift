import Foundation
import Testing

@testable import Account

@MainActor @Suite final class AccountStoreTests {
  private let folder: URL
  private static let cost = PasswordHash.Cost(passes: 1, memory: 8_192)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "account-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func session(_ clock: Clock? = nil) -> AccountSession {
    AccountSession(AccountStore(folder: folder), cost: Self.cost, now: { clock?.now ?? Date() })
  }

  private final class Clock { var now = Date(timeIntervalSince1970: 0) }

  private func outcome(_ session: AccountSession, _ password: String, _ name: String = "ada") async -> String {
    do {
      try await session.signIn(name, password)
      return "in"
    } catch {
      return "\(error)"
    }
  }

  @Test func aHundredWrongPasswordsTakeOverAnHour() async throws {
    let clock = Clock()
    let session = session(clock)
    _ = try await session.register("ada", "analytical engine")
    var tries = 0
    var refusals = 0
    while tries < 100 {
      switch await outcome(session, "wrong password") {
      case AccountError.wrong.description: tries += 1
      case let reason:
        #expect(reason.hasPrefix("Too many tries. Try again in"))
        refusals += 1
        // The right password waits too. Otherwise, the answer would reveal it.
        #expect(await outcome(session, "analytical engine") == reason)
        clock.now += 1
      }
    }
    #expect(clock.now.timeIntervalSince1970 > 3_600)
    // Another app with the same file does not start from zero.
    #expect(await outcome(self.session(clock), "analytical engine").hasPrefix("Too many tries"))
    clock.now += 61
    #expect(await outcome(session, "analytical engine") == "in")
    #expect(refusals > 3_600)
  }

  @Test func namesThatNobodyHasAreSlowedDownAlike() async throws {
    let session = session(Clock())
    for _ in 0..<5 { #expect(await outcome(session, "x", "nobody") == AccountError.wrong.description) }
    #expect(await outcome(session, "x", "nobody") == "Too many tries. Try again in 1 second.")
  }

  @Test func aNameIsTakenInAnyCase() async throws {
    let session = session()
    _ = try await session.register("Ada", "analytical engine")
    await #expect(throws: AccountError("The name 'ADA' is taken. Choose another one.")) {
      _ = try await session.register("ADA", "another password")
    }
  }

  @Test func nothingThatWasTypedIsInTheFile() async throws {
    let code = try await session().register("ada", "analytical engine")
    let bytes = try Data(contentsOf: folder.appending(path: "accounts.sqlite"))
    #expect(bytes.range(of: Data("analytical".utf8)) == nil)
    #expect(bytes.range(of: Data(code.utf8)) == nil)
    #expect(bytes.range(of: Data("ada".utf8)) != nil)
  }

  @Test func aKeyIsTheOneOfTheStandard() async throws {
    // The vector is from the reference implementation, P-H-C/phc-winner-argon2, src/test.c.
    let hash = PasswordHash(
      text: "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
    #expect(try await hash.matches("password"))
    #expect(try await !hash.matches("passwords"))
  }

  @Test(arguments: [Data("no database".utf8) + Data(count: 4096), Data("SQLite format 3\u{0}".utf8) + Data(count: 100)])
  func aDamagedFileIsKeptAndSaid(_ damaged: Data) async throws {
    let file = folder.appending(path: "accounts.sqlite")
    try damaged.write(to: file)
    let session = session()
    #expect(session.problem?.contains("the file is damaged") == true)
    await #expect(throws: AccountError.self) { _ = try await session.register("ada", "analytical engine") }
    #expect(try Data(contentsOf: file) == damaged)
  }
}
