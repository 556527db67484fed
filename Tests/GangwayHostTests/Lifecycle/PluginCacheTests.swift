import Foundation
@_spi(FrontEnd) import Gangway
import Testing

@_spi(FrontEnd) @testable import GangwayHost

/// The results of earlier runs, by file.
@Suite struct PluginCacheTests {
  private static let manifest: PluginManifest = {
    var manifest = PluginManifest(id: "todos", version: "1.2.3")
    manifest.records = [
      ContributionRecord(
        .tab, "todos.list", [.title: "Todos ✓", .symbol: "✓", .order: "-3", .group: "Work", .guards: "true"]),
      ContributionRecord(.place, "todos.detail", type: "Int", [.schema: "2"]),
      ContributionRecord(.link, "todos/:id", type: "Int"), ContributionRecord(.guard, "login"),
      ContributionRecord(.service, "todos.store", type: "Store", [.operations: "add remove"]),
      ContributionRecord(.service, "Contract.Store"), ContributionRecord(.slot, "todos.actions", type: "Title"),
      ContributionRecord(
        .contribution, "todos.card", type: "Card", [.slot: "home.cards", .order: "5", .json: "{}"]),
      ContributionRecord(.use, "home.main", [.isOptional: "true", .json: "{}"]),
    ]
    manifest.dependencies = [.init(plugin: "home", minimum: PluginVersion("1.0.0"), isOptional: false)]
    return manifest
  }()

  private static let refusal = Refusal(.file, .notELF, "it is empty", advice: "Build it.")

  private func entry(_ verdict: PluginVerdict, moment: Int = 5) -> PluginCache.Entry {
    .init(
      identity: FileIdentity(device: 1, inode: .max, size: 3, modified: -4, changed: .max), hash: .max, moment: moment,
      verdict: verdict,
      helpers: [
        "/x": .init(identity: FileIdentity(device: 2, inode: 3, size: 4, modified: 5, changed: 6), hash: 7)
      ])
  }

  @Test func whatIsWrittenIsRead() throws {
    let entries = [
      "/a.so": entry(.accepted(Self.manifest, needsFoundation: true)), "/b.so": entry(.refused(Self.refusal)),
    ]
    #expect(try PluginCache.decode(PluginCache.encode(entries)) == entries)
  }

  @Test func nothingButWhatWasWrittenIsRead() throws {
    let bytes = PluginCache.encode([
      "/a.so": entry(.accepted(Self.manifest, needsFoundation: true)), "/b.so": entry(.refused(Self.refusal)),
    ])
    for length in 0..<bytes.count {
      #expect(throws: CacheReader.Damaged.self) { try PluginCache.decode(Array(bytes.prefix(length))) }
    }
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(throws: CacheReader.Damaged.self, "byte \(index)") { try PluginCache.decode(damaged) }
    }
  }

  /// Even with a correct checksum, no bytes make the reader trap.
  @Test func noBytesHarmTheReader() {
    var random = PersonWalk.Generator(state: 3)
    let bytes = PluginCache.encode(["/a.so": entry(.accepted(Self.manifest, needsFoundation: true))])
    for _ in 0..<20_000 {
      var damaged = bytes
      for _ in 0..<3 {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      var reader = CacheReader(damaged, from: Int.random(in: 0..<damaged.count, using: &random))
      _ = try? reader.items { reader throws(CacheReader.Damaged) in try reader.verdict() }
    }
  }

  @Test func aVerdictHoldsForTheFileAsItWas() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.so", Data("one".utf8)).path
    var cache = PluginCache(folder: scratch.path("cache"), framework: "f")
    let identity = try #require(FileIdentity(ofFile: file))
    cache.note(
      .refused(Self.refusal), of: file, identity, hash: PluginCache.hash(ofFile: file), moment: PluginCache.now)
    #expect(cache.save() == nil)
    var again = PluginCache(folder: scratch.path("cache"), framework: "f")
    #expect(again.verdict(of: file, identity) == .refused(Self.refusal))
    try scratch.file("a.so", Data("two and more".utf8))
    #expect(again.verdict(of: file, try #require(FileIdentity(ofFile: file))) == nil)
    var other = PluginCache(folder: scratch.path("cache"), framework: "another framework")
    #expect(other.verdict(of: file, identity) == nil)
  }

  /// Size and times can stay the same: a file system's clock is coarse, and `touch` sets any time.
  @Test func theSameTimesWithOtherContentAreFoundOut() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.so", Data("one".utf8)).path
    var cache = PluginCache(folder: scratch.path("cache"), framework: "f")
    let identity = try #require(FileIdentity(ofFile: file))
    cache.note(
      .refused(Self.refusal), of: file, identity, hash: PluginCache.hash(ofFile: file), moment: PluginCache.now)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    handle.write(Data("two".utf8))
    try handle.close()
    // As if all times were unchanged.
    #expect(cache.verdict(of: file, identity) == nil)
  }

  @Test func aClockThatWentBackMakesAFileDoubtful() {
    let second = 1_000_000_000
    let file = FileIdentity(device: 1, inode: 1, size: 1, modified: 100 * second, changed: 100 * second)
    #expect(file.isInDoubt(lookedIntoAt: 50 * second))
    #expect(file.isInDoubt(lookedIntoAt: 101 * second))
    #expect(!file.isInDoubt(lookedIntoAt: 103 * second))
  }

  @Test func twoHostsAtOnceLoseNothingOfEachOther() throws {
    let scratch = try Scratch()
    let files = try ["a.so", "b.so"].map { try scratch.file($0, Data($0.utf8)).path }
    var caches = files.map { _ in PluginCache(folder: scratch.path("cache"), framework: "f") }
    for (index, file) in files.enumerated() {
      caches[index].note(
        .refused(Self.refusal), of: file, try #require(FileIdentity(ofFile: file)), hash: 1, moment: PluginCache.now)
      #expect(caches[index].save() == nil)
    }
    #expect(Set(PluginCache(folder: scratch.path("cache"), framework: "f").entries.keys) == Set(files))
  }

  @Test(arguments: ["corrupt", "truncated", "future version", "another's"])
  func aCacheThatIsNoneIsMadeAnew(_ kind: String) throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.so", Data("one".utf8)).path
    var cache = PluginCache(folder: scratch.path("cache"), framework: "f")
    cache.note(.refused(Self.refusal), of: file, try #require(FileIdentity(ofFile: file)), hash: 1, moment: 1)
    #expect(cache.save() == nil)
    let path = try #require(cache.path)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    switch kind {
    case "corrupt": data[data.count / 2] ^= 1
    case "truncated": data = data.dropLast(4)
    case "future version": data = try Zoo.patch(data, "plugins\n5\n", "plugins\n6\n")
    default: chmod(path, 0o666)
    }
    if kind != "another's" { try data.write(to: URL(fileURLWithPath: path)) }
    let read = PluginCache(folder: scratch.path("cache"), framework: "f")
    #expect(read.entries.isEmpty)
    #expect(read.problem?.contains("is created again") == true)
  }

  @Test func oldCachesOfOtherFrameworksGo() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.so").path
    for number in 0..<12 {
      var cache = PluginCache(folder: scratch.path("cache"), framework: "f\(number)")
      cache.note(.refused(Self.refusal), of: file, try #require(FileIdentity(ofFile: file)), hash: 1, moment: 1)
      #expect(cache.save() == nil)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("cache")).count == 8)
  }
}
