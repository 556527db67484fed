import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// The file of admitted users, which the next run reads.
@MainActor @Suite struct PeopleTests {
  private let workshop: Workshop
  private var file: String { workshop.path("people.json") }

  init() throws { workshop = try Workshop() }

  private func come(_ people: People) throws -> People.Person { try #require(try people.enter(with: people.makeKey())) }

  private func identity() throws -> (number: Int, size: Int) {
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    return (attributes[.systemFileNumber] as? Int ?? 0, attributes[.size] as? Int ?? 0)
  }

  @Test func oneMorePersonIsOneMoreLine() throws {
    let people = try People(file: file)
    var all = [try come(people)]
    let first = try identity()
    for _ in 1..<50 { all.append(try come(people)) }
    let last = try identity()
    #expect(last.number == first.number, "The whole file was written again.")
    #expect(last.size == first.size * 50)
    let again = try People(file: file)
    for person in all { #expect(again.person(cookie: person.cookie)?.id == person.id) }
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aLineThatWasCutOffIsNobodyAndTheOthersStay() throws {
    let people = try People(file: file)
    let (one, other) = (try come(people), try come(people))
    try Data(Data(contentsOf: URL(fileURLWithPath: file)).dropLast(10)).write(to: URL(fileURLWithPath: file))
    let after = try People(file: file)
    let known = [one, other].filter { after.person(cookie: $0.cookie) != nil }
    #expect(known.count == 1)
    let newest = try come(after)
    let last = try People(file: file)
    for person in known + [newest] { #expect(last.person(cookie: person.cookie) != nil) }
  }

  /// Browsers keep a cookie for at most 400 days. The server renews it, so users who keep coming stay known.
  @Test func whoComesAgainIsRenewedNowAndThen() throws {
    var today = 20_000
    let people = try People(file: file)
    people.day = { today }
    let (often, seldom) = (try come(people), try come(people))
    #expect(!people.renew(often))
    var renewals = 0
    for day in 20_001...20_400 {
      today = day
      if people.renew(often) { renewals += 1 }
    }
    #expect(renewals == 400 / People.renewalDays)
    // The file tells the next run, too.
    let again = try People(file: file)
    again.day = { today }
    #expect(!again.renew(try #require(again.person(cookie: often.cookie))))
    #expect(again.renew(try #require(again.person(cookie: seldom.cookie))))
    // The clock was wrong.
    today -= 100
    #expect(again.renew(try #require(again.person(cookie: often.cookie))))
    #expect(!again.renew(People.Person(id: "a", secret: "b", formToken: "c", renewed: 0)))
  }

  @Test func renewingDoesNotLetTheFileGrowWithoutEnd() throws {
    var today = 0
    let people = try People(file: file)
    people.day = { today }
    let all = [try come(people), try come(people)]
    let line = try identity().size / 2
    var largest = 0
    for _ in 0..<2_000 {
      today += People.renewalDays
      for person in all { #expect(people.renew(person)) }
      largest = max(largest, try identity().size)
    }
    // The file is rewritten at a thousand lines; later days have more digits.
    #expect(largest > 900 * line && largest < 1_200 * line, "\(largest), a line has \(line)")
    let again = try People(file: file)
    for person in all { #expect(again.person(cookie: person.cookie)?.renewed == today) }
  }

  @Test func whenThereAreTooManyThoseAreForgottenWhoCannotComeBack() throws {
    var limits = WebLimits()
    limits.people = 3
    var today = 100
    let people = try People(file: file, limits: limits)
    people.day = { today }
    var forgotten: [String] = []
    people.didForget = { forgotten.append($0) }
    let (left, stays, new) = (try come(people), try come(people), try come(people))
    today += 200
    #expect(people.renew(stays))
    #expect(people.renew(new))
    today += 165
    // The last day of their cookie.
    #expect(throws: ErrorPage.self) { try come(people) }
    #expect(forgotten.isEmpty)
    today += 1
    let next = try come(people)
    #expect(forgotten == [left.id])
    #expect(people.person(cookie: left.cookie) == nil)
    for person in [stays, new, next] { #expect(people.person(cookie: person.cookie) != nil) }
    let again = try People(file: file, limits: limits)
    for person in [stays, new, next] { #expect(again.person(cookie: person.cookie) != nil) }
    #expect(throws: ErrorPage.self) { try come(people) }
  }

  @Test func aForgottenUserLeavesTheStorage() throws {
    var limits = WebLimits()
    limits.people = 1
    let storage = PeopleFile(path: file)
    let people = try People(storage, limits: limits)
    people.hasNothing = { _ in true }
    _ = try come(people)
    let next = try come(people)
    #expect(try storage.people().map(\.id) == [next.id])
  }

  @Test func amongManyItIsLookedAtSomeAtATimeAndAtAllInTheEnd() throws {
    var limits = WebLimits()
    limits.people = 5_000
    let people = try People(file: nil, limits: limits)
    let all = try (0..<5_000).map { _ in try come(people) }
    let empty = all[4_321]
    var asked = 0
    people.hasNothing = {
      asked += 1
      return $0.id == empty.id
    }
    var tries = 0
    while (try? come(people)) == nil, tries < 10 { tries += 1 }
    #expect(tries == 4)
    #expect(asked == 5_000)
    #expect(people.person(cookie: empty.cookie) == nil)
  }

  @Test func aFileThatIsNoneOfThatIsNotWrittenOver() throws {
    let text = "{\"id\":\"a\"}\nsomething\n"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(throws: People.Failure.self) { try People(file: file) }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  /// The whole file is written again here, because it is missing.
  @Test func aUserWhoBecomesTheOwnerStaysTheOwner() throws {
    let people = try People(file: file)
    let (owner, other) = (try come(people), try come(people))
    try FileManager.default.removeItem(atPath: file)
    #expect(try people.promote(owner, with: people.makeKey(isOwners: true)))
    let again = try People(file: file)
    #expect(again.person(cookie: owner.cookie)?.isOwner == true)
    let stays = try #require(again.person(cookie: other.cookie))
    #expect(stays.isOwner == nil)
  }

  /// A user with an address must not need another one because the disk was full.
  @Test(arguments: [false, true]) func aKeyStaysValidIfItsUserCannotBeStored(isOwners: Bool) throws {
    let disk = TroubledDisk()
    let people = try People(PeopleFile(path: file, disk: disk.operations))
    let key = people.makeKey(isOwners: isOwners)
    disk.room = 0
    for _ in 0..<2 { #expect(throws: People.Failure.self) { try people.enter(with: key) } }
    #expect(people.isKey(key) && !people.hasOwner)
    disk.room = .max
    #expect(try people.enter(with: key)?.isOwner == (isOwners ? true : nil))
    #expect(try !people.isKey(key) && people.enter(with: key) == nil)
    #expect(try People(file: file).hasOwner == isOwners)
  }

  @Test func aKeyStaysValidIfThereAreTooManyUsers() throws {
    var limits = WebLimits()
    limits.people = 1
    let people = try People(file: file, limits: limits)
    people.hasNothing = { _ in false }
    _ = try come(people)
    let key = people.makeKey()
    #expect(throws: ErrorPage.self) { try people.enter(with: key) }
    #expect(people.isKey(key))
    people.hasNothing = { _ in true }
    #expect(try people.enter(with: key) != nil)
    #expect(!people.isKey(key))
  }

  @Test func anOwnersKeyStaysValidIfTheOwnerCannotBeStored() throws {
    let disk = TroubledDisk()
    let people = try People(PeopleFile(path: file, disk: disk.operations))
    let person = try come(people)
    let (key, usersKey) = (people.makeKey(isOwners: true), people.makeKey())
    // A key that gives a known user nothing new stays valid for another browser.
    #expect(try !people.promote(person, with: usersKey) && people.isKey(usersKey))
    disk.room = 10
    #expect(throws: People.Failure.self) { try people.promote(person, with: key) }
    #expect(people.isKey(key) && !people.hasOwner)
    #expect(people.person(cookie: person.cookie)?.isOwner == nil)
    disk.room = .max
    #expect(try people.promote(person, with: key))
    #expect(try !people.promote(person, with: key))
    #expect(try !people.isKey(key) && People(file: file).hasOwner)
  }

  @Test func aUserWhoseRenewalCannotBeStoredStaysKnown() throws {
    var today = 20_000
    let disk = TroubledDisk()
    let people = try People(PeopleFile(path: file, disk: disk.operations))
    people.day = { today }
    let person = try come(people)
    today += People.renewalDays
    disk.room = 0
    #expect(people.renew(person))
    #expect(!people.renew(person))
    #expect(people.person(cookie: person.cookie)?.renewed == today)
    // The next run renews the cookie.
    let next = try People(file: file)
    next.day = { today }
    #expect(next.renew(try #require(next.person(cookie: person.cookie))))
  }
}
