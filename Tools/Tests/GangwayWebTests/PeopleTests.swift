import Foundation
import TestSupport
import Testing

@testable import GangwayWeb

/// Who may come in is known to the next run.
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
    #expect(last.number == first.number, "It was written anew.")
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

  @Test func whatEarlierVersionsKeptIsRead() throws {
    let old = #"[{"id":"a","secret":"b","formToken":"c"}]"#
    try old.write(toFile: file, atomically: true, encoding: .utf8)
    let people = try People(file: file)
    #expect(people.person(cookie: "a.b")?.formToken == "c")
    let new = try come(people)
    let again = try People(file: file)
    #expect(again.person(cookie: "a.b") != nil)
    #expect(again.person(cookie: new.cookie) != nil)
  }

  @Test func aFileThatIsNoneOfThatIsNotWrittenOver() throws {
    let text = "{\"id\":\"a\"}\nsomething\n"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(throws: People.Failure.self) { try People(file: file) }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }
}
