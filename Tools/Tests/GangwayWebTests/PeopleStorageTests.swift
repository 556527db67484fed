import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// The contract of ``PeopleStorage``, for each implementation.
@MainActor @Suite struct PeopleStorageTests {
  /// An implementation.
  enum Kind: CaseIterable {
    case file, memory

    /// Whether the next run has the users of this run.
    var isLasting: Bool { self != .memory }
    /// Whether the next run has the keys of this run.
    var keepsKeys: Bool { false }
    /// The kinds that can fail.
    static let fallible = allCases.filter { $0 != .memory }
  }

  private let workshop: Workshop
  private let disk = TroubledDisk()
  private var file: String { workshop.path("people.json") }

  init() throws { workshop = try Workshop() }

  /// Opens the storage of this test, as a server does at its start.
  private func storage(_ kind: Kind) -> any PeopleStorage {
    switch kind {
    case .file: PeopleFile(path: file, disk: disk.operations)
    case .memory: PeopleFile(path: nil)
    }
  }

  private static func person(_ id: String, renewed: Int = 20_000, isOwner: Bool? = nil) -> People.Person {
    .init(id: id, secret: "secret of \(id)", formToken: "token of \(id)", renewed: renewed, isOwner: isOwner)
  }

  /// Returns everything that is stored about users, one text for each user.
  private static func facts(_ people: [People.Person]) -> [String] { people.map { "\($0)" }.sorted() }

  // MARK: Users

  @Test(arguments: Kind.allCases) func aStoredUserIsReadAgain(_ kind: Kind) throws {
    let first = storage(kind)
    #expect(try first.people().isEmpty)
    let people = [Self.person("ada"), Self.person("grace", renewed: 0, isOwner: true), Self.person("äöü \"\n🎈")]
    for person in people { try first.store(person) }
    #expect(try Self.facts(first.people()) == Self.facts(people))
    // The first storage does nothing more, as after the end of the process.
    #expect(try Self.facts(storage(kind).people()) == (kind.isLasting ? Self.facts(people) : []))
  }

  /// The server reads first, but nothing must be lost if it does not.
  @Test(arguments: Kind.allCases) func storingBeforeReadingKeepsTheUsersOfEarlierRuns(_ kind: Kind) throws {
    try storage(kind).store(Self.person("ada"))
    let second = storage(kind)
    try second.store(Self.person("grace"))
    let both = [Self.person("ada"), Self.person("grace")]
    #expect(try Self.facts(second.people()) == Self.facts(kind.isLasting ? both : [both[1]]))
    #expect(try Self.facts(storage(kind).people()) == (kind.isLasting ? Self.facts(both) : []))
  }

  /// - Parameter count: the number of changes; after a thousand, a file is written again as a whole.
  @Test(arguments: Kind.allCases, [1, 1_500])
  func aChangedUserReplacesTheEarlierOne(_ kind: Kind, count: Int) throws {
    let storage = storage(kind)
    try storage.store(Self.person("ada"))
    try storage.store(Self.person("grace"))
    for change in 1...count { try storage.store(Self.person("ada", renewed: 20_000 + change, isOwner: true)) }
    let expected = Self.facts([Self.person("ada", renewed: 20_000 + count, isOwner: true), Self.person("grace")])
    #expect(try Self.facts(storage.people()) == expected)
    #expect(try Self.facts(self.storage(kind).people()) == (kind.isLasting ? expected : []))
  }

  /// - Parameter count: the number of changes after the removal.
  @Test(arguments: Kind.allCases, [0, 1_500])
  func aRemovedUserIsGoneAndTheOthersStay(_ kind: Kind, count: Int) throws {
    let storage = storage(kind)
    for id in ["ada", "grace", "mary"] { try storage.store(Self.person(id)) }
    storage.remove(["ada", "mary", "unknown"])
    storage.remove([])
    #expect(try Self.facts(storage.people()) == Self.facts([Self.person("grace")]))
    for _ in 0..<count { try storage.store(Self.person("grace")) }
    let next = try Self.facts(self.storage(kind).people())
    #expect(next.contains(Self.facts([Self.person("grace")])[0]) == kind.isLasting)
    // A file loses the removed users when it is written again as a whole.
    if count > 0 { #expect(next.count == (kind.isLasting ? 1 : 0)) }
    // A removed user may return.
    try storage.store(Self.person("ada", renewed: 20_001))
    let both = Self.facts([Self.person("ada", renewed: 20_001), Self.person("grace")])
    #expect(try Self.facts(storage.people()) == both)
  }

  // MARK: Lists that cannot be used

  /// A reason why a list cannot be used.
  enum Damage: CaseIterable {
    case isNoList, foreignLine, cutOffFirstLine, cutOffReading, unreadable, open, link, folder
  }

  /// Damages the stored list.
  ///
  /// - Returns: a function that repairs the list.
  private func damage(_ damage: Damage) throws -> () throws -> Void {
    let (url, whole) = (URL(fileURLWithPath: file), try Data(contentsOf: URL(fileURLWithPath: file)))
    switch damage {
    case .isNoList: try Data("something".utf8).write(to: url)
    case .foreignLine: try (whole + Data("{\"id\":\"a\"}\n".utf8) + whole).write(to: url)
    case .cutOffFirstLine: try whole.prefix(10).write(to: url)
    case .cutOffReading: disk.readable = whole.count - 1
    case .unreadable: disk.readable = -1
    case .open: break
    case .link, .folder:
      try FileManager.default.moveItem(atPath: file, toPath: file + "-moved")
      if damage == .link {
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file + "-moved")
      } else {
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
      }
    }
    if damage != .link, damage != .folder { chmod(file, damage == .open ? 0o640 : 0o600) }
    return { [file, disk] in
      disk.readable = .max
      if damage == .link || damage == .folder { try FileManager.default.removeItem(atPath: file) }
      try whole.write(to: url)
      chmod(file, 0o600)
    }
  }

  @Test(arguments: Kind.fallible, Damage.allCases)
  func aListThatCannotBeUsedIsNotOverwritten(_ kind: Kind, _ damage: Damage) throws {
    let people = [Self.person("ada"), Self.person("grace")]
    let first = storage(kind)
    for person in people { try first.store(person) }
    let repair = try self.damage(damage)
    let before = try content()
    let storage = storage(kind)
    #expect(throws: People.Failure.self) { try storage.people() }
    #expect(throws: People.Failure.self) { try storage.store(Self.person("mary")) }
    #expect(throws: People.Failure.self) { try People(storage) }
    #expect(try content() == before)
    try repair()
    // The call can be repeated.
    #expect(try Self.facts(storage.people()) == Self.facts(people))
    try storage.store(Self.person("mary"))
    #expect(try Self.facts(self.storage(kind).people()) == Self.facts(people + [Self.person("mary")]))
  }

  @Test(.enabled(if: geteuid() == 0, "Only root can give a file away."), arguments: Kind.fallible)
  func aListOfAnotherUserIsNotUsed(_ kind: Kind) throws {
    try storage(kind).store(Self.person("ada"))
    #expect(chown(file, 1, 1) == 0)
    let before = try content()
    let storage = storage(kind)
    #expect(throws: People.Failure.self) { try storage.people() }
    #expect(throws: People.Failure.self) { try storage.store(Self.person("mary")) }
    #expect(try content() == before)
  }

  /// Returns the bytes of all files in the folder, by their names.
  private func content() throws -> [String: Data] {
    var content: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: workshop.folder) {
      content[name] = FileManager.default.contents(atPath: workshop.path(name)) ?? Data()
    }
    return content
  }

  // MARK: Failures

  /// A reason why a user cannot be stored.
  enum Trouble: CaseIterable {
    case full, fullWithinTheLine, fullInTheLongWrite, fullWithinTheLongWrite, noNewFile

    /// Whether the whole list is about to be written again.
    var isLong: Bool { self != .full && self != .fullWithinTheLine }
  }

  @Test(arguments: Kind.fallible, Trouble.allCases)
  func aFailedCallLeavesEverythingAsBefore(_ kind: Kind, _ trouble: Trouble) throws {
    let storage = storage(kind)
    try storage.store(Self.person("grace"))
    for change in 0..<(trouble.isLong ? 999 : 1) { try storage.store(Self.person("ada", renewed: change)) }
    let (before, people) = (try Data(contentsOf: URL(fileURLWithPath: file)), try Self.facts(storage.people()))
    let blocked = file + ".new"
    switch trouble {
    case .full, .fullInTheLongWrite: disk.room = 0
    case .fullWithinTheLine, .fullWithinTheLongWrite: disk.room = 20
    // Permissions do not stop root, but a folder with the file's name does.
    case .noNewFile: try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: false)
    }
    for person in [Self.person("mary"), Self.person("ada", renewed: 1, isOwner: true)] {
      let failure = #expect(throws: People.Failure.self) { try storage.store(person) }
      #expect(failure?.description.contains(trouble == .noNewFile ? "exists" : "No space left") == true)
      #expect(try Self.facts(storage.people()) == people)
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
      #expect(try Self.facts(self.storage(kind).people()) == people)
    }
    disk.room = .max
    if trouble == .noNewFile { try FileManager.default.removeItem(atPath: blocked) }
    try storage.store(Self.person("mary"))
    #expect(try storage.people().count == 3)
    #expect(try Self.facts(self.storage(kind).people()) == Self.facts(storage.people()))
  }

  /// No user can create a file there, not even root.
  @Test func aFolderThatTakesNoFilesFailsTheCall() throws {
    let storage = PeopleFile(path: "/proc/gangway-people.json")
    #expect(try storage.people().isEmpty)
    #expect(throws: People.Failure.self) { try storage.store(Self.person("ada")) }
    #expect(try storage.people().isEmpty)
  }

  @Test(.enabled(if: geteuid() != 0, "Permissions do not stop root."), arguments: Kind.fallible)
  func aReadOnlyFolderFailsTheCall(_ kind: Kind) throws {
    chmod(workshop.folder, 0o500)
    defer { chmod(workshop.folder, 0o700) }
    let storage = storage(kind)
    #expect(try storage.people().isEmpty)
    #expect(throws: People.Failure.self) { try storage.store(Self.person("ada")) }
    #expect(try storage.people().isEmpty)
    #expect(try content().isEmpty)
  }

  // MARK: Keys

  @Test(arguments: Kind.allCases) func aKeyAdmitsOnce(_ kind: Kind) throws {
    let storage = storage(kind)
    storage.add("users", for: .user)
    storage.add("owners", for: .owner)
    for _ in 0..<2 {
      // Asking does not void a key.
      #expect(storage.admission(by: "users") == .user)
      #expect(storage.admission(by: "owners") == .owner)
    }
    #expect(try storage.take("owners") == .owner)
    #expect(try storage.take("owners") == nil)
    #expect(storage.admission(by: "owners") == nil)
    #expect(try storage.take("users") == .user)
    #expect(try storage.take("users") == nil)
    // A key is valid again if its user could not be stored.
    storage.add("owners", for: .owner)
    #expect(try storage.take("owners") == .owner)
    #expect(try storage.take("owners") == nil)
    // Keys are not users.
    #expect(try storage.people().isEmpty)
  }

  @Test(arguments: Kind.allCases) func ofManyCallersOneGetsTheKey(_ kind: Kind) async throws {
    let storage = storage(kind)
    for key in ["one", "other"] { storage.add(key, for: .user) }
    let callers = (0..<200).map { caller in
      let key = caller.isMultiple(of: 2) ? "one" : "other"
      return Task { () -> String? in
        guard storage.admission(by: key) != nil else { return nil }
        // All callers see a valid key before one takes it.
        for _ in 0..<10 { await Task.yield() }
        return try storage.take(key) == nil ? nil : key
      }
    }
    var takers: [String: Int] = [:]
    for caller in callers { if let key = try await caller.value { takers[key, default: 0] += 1 } }
    #expect(takers == ["one": 1, "other": 1])
  }

  @Test(arguments: Kind.allCases) func anUnknownKeyAdmitsNobody(_ kind: Kind) throws {
    let storage = storage(kind)
    #expect(try storage.take("") == nil)
    storage.add("the key", for: .owner)
    for wrong in ["", "the ke", "the key0", "The key", "the keY", "key", String(repeating: "a", count: 100_000)] {
      #expect(storage.admission(by: wrong) == nil, "\(wrong.prefix(100))")
      #expect(try storage.take(wrong) == nil, "\(wrong.prefix(100))")
    }
    #expect(try storage.take("the key") == .owner)
  }

  @Test(arguments: Kind.allCases) func keysNeedNotOutliveTheServer(_ kind: Kind) throws {
    let storage = storage(kind)
    storage.add("the key", for: .user)
    try storage.store(Self.person("ada"))
    let next = self.storage(kind)
    #expect((next.admission(by: "the key") != nil) == kind.keepsKeys)
    #expect(try (next.take("the key") != nil) == kind.keepsKeys)
    // No file has a secret of a key.
    for (name, data) in try content() { #expect(data.range(of: Data("the key".utf8)) == nil, "\(name)") }
  }
}
