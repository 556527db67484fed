import Foundation
import GRDB
import Testing

@testable import Todos

@MainActor @Suite struct TodoStoreTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  private func filled(_ count: Int) async throws -> TodoStore {
    let store = desk.store()
    try await fill(count)
    return store
  }

  /// Adds many todos at once.
  private func fill(_ count: Int) async throws {
    let words = ["milk", "bread", "letter", "wall", "garden", "rematch", "invoice", "ticket", "book", "lamp"]
    try await TodoDatabase(path: desk.file.path).write { database in
      for number in 0..<count {
        var todo = Todo(key: "\(number)", title: "Number \(number) \(words[number % 10]) \(words[number / 10 % 10])")
        todo.position = Double(number)
        try todo.insert(database)
      }
    }
  }

  private func message(_ work: () async throws -> Void) async -> String {
    do {
      try await work()
      return "done"
    } catch {
      return "\(error)"
    }
  }

  /// A search uses the index: it is faster than reading all ids. Without the index, it would read all titles, too.
  @Test func aHundredThousandAreSearchedByTheIndex() async throws {
    let store = try await filled(100_000)
    func time(_ search: String, isEnough: (Duration) -> Bool) async throws -> Duration {
      var best = Duration.seconds(9)
      // Other processes may take the processor during a search, but hardly during each of twenty.
      for _ in 0..<20 where !isEnough(best) {
        let time = try await ContinuousClock().measure { _ = try await store.ids(.all, search: search) }
        best = min(best, time)
      }
      return best
    }
    let all = try await time("") { _ in false }
    let word = "garden le"
    for length in 1...word.count {
      let search = String(word.prefix(length))
      let one = try await time(search) { $0 < all }
      #expect(one < all, "'\(search)': \(one), all: \(all)")
    }
    #expect(try await store.ids(.all, search: "garden lett").count == 1_000)
    #expect(try await store.ids(.all, search: "number 99999") == [100_000])
    #expect(try await store.ids(.all).count == 100_000)
  }

  @Test(arguments: ["\"", "'; DROP TABLE todo; --", "NEAR(", "*", "- OR", "title:", "🙂", "\u{0}", " "])
  func aSearchIsTextAndNothingElse(_ search: String) async throws {
    let store = try await filled(3)
    _ = try await store.ids(.all, search: search)
    #expect(try await store.ids(.all).count == 3)
  }

  @Test func whatMovesKeepsItsPlaceAmongTheOthers() async throws {
    let store = try await filled(4)
    #expect(try await store.ids(.all) == [1, 2, 3, 4])
    try await store.move(4, by: -1, in: .all)
    #expect(try await store.ids(.all) == [1, 2, 4, 3])
    try await store.move(1, by: 1, in: .all)
    #expect(try await store.ids(.all) == [2, 1, 4, 3])
    try await store.move(2, by: -1, in: .all)
    try await store.move(3, by: 1, in: .all)
    #expect(try await store.ids(.all) == [2, 1, 4, 3])
  }

  @Test func whatAnotherSessionWroteToOtherPartsStays() async throws {
    let (one, other) = (desk.store(), desk.store())
    let todo = try await one.add(Todo(key: "a", title: "Buy milk"))
    try await other.update(try #require(todo.id)) { $0.isFavourite = true }
    try await one.update(try #require(todo.id)) { $0.title = "Buy bread" }
    #expect(try other.todo(1)?.isFavourite == true)
    #expect(try desk.store().todo(1)?.title == "Buy bread")
  }

  @Test func twoHostsOnOneFileLoseNothing() async throws {
    let (one, other) = (desk.store(), desk.store())
    async let first: Void = { for n in 0..<50 { _ = try await one.add(Todo(key: "a\(n)", title: "a\(n)")) } }()
    async let second: Void = { for n in 0..<50 { _ = try await other.add(Todo(key: "b\(n)", title: "b\(n)")) } }()
    _ = try await (first, second)
    #expect(Set(try await one.ids(.all)) == Set(1...100))
  }

  @Test func aTodoThatIsGoneIsSaid() async throws {
    let store = try await filled(1)
    try await store.remove(1)
    #expect(try store.todo(1) == nil)
    #expect(await message { try await store.update(1) { $0.isDone = true } }.contains("was deleted in the meantime"))
  }

  // MARK: Unusable files

  @Test func aLockedFileIsSaidAndWorksAgainAfterwards() async throws {
    let store = try await filled(1)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: desk.file.path, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    #expect(
      await message { _ = try await store.add(Todo(key: "x", title: "x")) }.contains("another program is using"))
    #expect(try await store.ids(.all) == [1])
    try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    #expect(await message { _ = try await store.add(Todo(key: "x", title: "x")) } == "done")
  }

  @Test func aDamagedFileIsKeptAndSaid() async throws {
    let damaged = Data("no database at all, ".utf8) + Data(repeating: 7, count: 5_000)
    try damaged.write(to: desk.file)
    let store = desk.store()
    #expect(store.problem?.contains("the file is damaged") == true)
    #expect(await message { _ = try await store.ids(.all) }.contains("the file is damaged"))
    #expect(try Data(contentsOf: desk.file) == damaged)
  }

  @Test func aFileThatIsDamagedInTheMiddleSaysSo() async throws {
    _ = try await filled(2_000)
    try await TodoDatabase(path: desk.file.path).write { _ in }
    var bytes = try Data(contentsOf: desk.file)
    for index in 8_192..<bytes.count { bytes[index] = 0xAB }
    try? FileManager.default.removeItem(atPath: desk.file.path + "-wal")
    try bytes.write(to: desk.file)
    let store = desk.store()
    let said = await message { _ = try await store.ids(.all) }
    #expect(said.contains("damaged"), "\(said)")
  }

  @Test func aFileOfANewerVersionIsLeftAlone() async throws {
    _ = try await filled(1)
    try await TodoDatabase(path: desk.file.path).write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')")
    }
    let store = desk.store()
    #expect(store.problem?.contains("a newer version of Todos") == true)
    #expect(await message { _ = try await store.add(Todo(key: "x", title: "x")) }.contains("newer version"))
  }

  @Test func aFullDiskIsSaidAndWhatWasThereStays() async throws {
    let store = try await filled(10)
    // SQLite's own limit gives the same answer as a full disk.
    let long = String(repeating: "a", count: 90_000)
    let limited = TodoStore(TodoDatabase(path: desk.file.path, mostPages: 60))
    var said = "done"
    for number in 0..<20 where said == "done" {
      said = await message { _ = try await limited.add(Todo(key: "n\(number)", title: "n", note: long)) }
    }
    #expect(said.contains("the disk is full. Make room and try again"))
    #expect(try await store.ids(.all).count >= 10)
  }

  @Test func aFileThatCannotBeWrittenIsRead() async throws {
    _ = try await filled(3)
    let store = TodoStore(TodoDatabase(path: desk.file.path, isReadOnly: true))
    #expect(try await store.ids(.all) == [1, 2, 3])
    #expect(store.problem?.contains("not writable") == true)
    #expect(await message { _ = try await store.add(Todo(key: "x", title: "x")) }.contains("not writable"))
  }

  @Test func eachUserHasAFile() async throws {
    let files = TodoFiles(folder: desk.folder)
    for name in ["ada", "../etc/passwd", "Ä ö", "con", "a/b"] {
      _ = try await files.store(of: name).add(Todo(key: "x", title: name))
    }
    #expect(files.store(of: "ADA") === files.store(of: "ada"))
    let names = try FileManager.default.contentsOfDirectory(atPath: desk.folder.path).filter { $0.hasSuffix(".sqlite") }
    #expect(names.count == 5)
  }
}
