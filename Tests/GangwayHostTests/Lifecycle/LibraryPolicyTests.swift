import Foundation
import Testing

@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayHost

/// Locks and signatures: which libraries may run.
@Suite struct LibraryPolicyTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs a host with a plugin and its own cache.
  private func run(_ plugins: [String], _ rule: [String], _ lines: String) throws -> BuiltHost.Result {
    try BuiltHost.run(
      plugins.flatMap { ["--plugin", $0] } + rule + ["--script", "-"], input: lines,
      environment: ["XDG_CACHE_HOME": scratch.path("cache")])
  }

  /// Copies a sample plugin into the scratch folder.
  private func scenes() throws -> String {
    let path = scratch.path("libScenes.so")
    try FileManager.default.copyItem(atPath: BuiltHost.folder + "/libScenes.so", toPath: path)
    return path
  }

  /// Writes a lock with one plugin.
  private func lock(
    _ id: String, _ version: String, _ file: String, _ sha256: String, _ libraries: [String: String] = [:]
  ) throws -> [String] {
    let member = PluginLock.Member(
      id: PluginID(rawValue: id), version: version, file: file, sha256: sha256, libraries: libraries)
    return ["--lock", try scratch.file("plugins.lock", Data(PluginLock([member]).text.utf8)).path]
  }

  // MARK: The lock

  @Test func aLockedLibraryRunsAndAChangedOneIsRefusedWithBothDigests() throws {
    let library = try scenes()
    let digest = try LibraryPolicy.sha256(of: library)
    let rule = try lock("scenes", "1.0.0", "libScenes.so", digest)
    let taken = try run([library], rule, "expect Scene 1\n")
    #expect(taken.status == 0, "\(taken)")
    // A byte after the sections changes the digest, and nothing else.
    let file = try FileHandle(forWritingTo: URL(filePath: library))
    try file.seekToEnd()
    try file.write(contentsOf: Data([0]))
    try file.close()
    let other = try LibraryPolicy.sha256(of: library)
    let refused = try run([library], try lock("scenes", "1.0.0", "libScenes.so", digest), "expect Scene 1\n")
    #expect(
      refused.errors.contains("has the SHA-256 \(digest) for 'libScenes.so', but the file has \(other)"), "\(refused)")
    // The stored verdict of a run without the lock does not count for one with it.
    #expect(try run([library], [], "expect Scene 1\n").status == 0)
    let again = try run([library], rule, "expect Scene 1\n")
    #expect(again.status != 0 && again.errors.contains(other), "\(again)")
  }

  /// The code of a library that is not in the lock does not even run in a probe.
  @Test func noCodeOfALibraryThatIsNotLockedRuns() throws {
    let mark = scratch.path("ran")
    func hasRun() -> Bool {
      var status = stat()
      return lstat(mark, &status) == 0
    }
    _ = try Zoo.constructor("unlink(\"\(mark)\"); symlink(\"x\", \"\(mark)\");", as: "Mark", in: scratch)
    let library = try Zoo.swift(
      Zoo.plugin(
        "Marked", register: "registry.tab(\"main\", title: \"Marked\") { _ in MarkedFlow() }",
        extra: Zoo.flow("Marked", showing: "Text(\"Here\")")), as: "Marked", in: scratch,
      ["-L", scratch.folder.path, "-lMark", "-Xlinker", "-rpath", "-Xlinker", scratch.folder.path])
    let digest = try LibraryPolicy.sha256(of: library)
    let helper = try LibraryPolicy.sha256(of: scratch.path("libMark.so"))
    let none = try run([library], try lock("other", "1.0.0", "libOther.so", helper), "expect Here\n")
    #expect(none.errors.contains("does not list 'libMarked.so'; its SHA-256 is \(digest)"), "\(none)")
    #expect(!hasRun(), "the library ran")
    let alone = try run([library], try lock("marked", "1.0.0", "libMarked.so", digest), "expect Here\n")
    #expect(alone.errors.contains("it needs 'libMark.so': the lock '"), "\(alone)")
    #expect(!hasRun(), "the library that it needs ran")
    let both = try lock("marked", "1.0.0", "libMarked.so", digest, ["libMark.so": helper])
    let taken = try run([library], both, "expect Here\n")
    #expect(taken.status == 0, "\(taken)")
    #expect(hasRun())
  }

  @Test func anEntryThatNamesAnotherPluginIsRefusedWithBoth() throws {
    let library = try scenes()
    let digest = try LibraryPolicy.sha256(of: library)
    let refused = try run([library], try lock("scenes", "2.0.0", "libScenes.so", digest), "expect Scene 1\n")
    #expect(refused.errors.contains("lists it as 'scenes' 2.0.0, but it is 'scenes' 1.0.0"), "\(refused)")
    let taken = try run([library], try lock("scenes", "1.0.0", "libScenes.so", digest), "expect Scene 1\n")
    #expect(taken.status == 0, "\(taken)")
  }

  @Test func withoutAReadableLockNothingRuns() throws {
    let library = try scenes()
    let missing = try run([library], ["--lock", scratch.path("none.lock")], "expect Scene 1\n")
    #expect(missing.errors.contains("the lock could not be read: there is no file"), "\(missing)")
    let broken = try scratch.file("broken.lock", Data("{ \"format\": 1, \"plugins\": [ { \"idd\": 1 } ] }".utf8)).path
    let refused = try run([library], ["--lock", broken], "expect Scene 1\n")
    #expect(
      refused.errors.contains("line 1, column 31: there is no field 'idd' here. Did you mean 'id'?"), "\(refused)")
    chmod(broken, 0o666)
    let open = try run([library], ["--lock", broken], "expect Scene 1\n")
    #expect(open.errors.contains("is writable by other users"), "\(open)")
  }

  /// The stored verdict of a run with one rule does not count when a second rule cannot be read.
  @Test func aSecondRuleThatCannotBeReadIsNotForgotten() throws {
    let library = try scenes()
    let key = scratch.path("release.key")
    _ = try PluginSigning.createKey(at: key)
    _ = try PluginSigning.sign(library, key: key, time: 1_700_000_000)
    let keys = ["--trusted-keys", key + ".pub"]
    #expect(try run([library], keys, "expect Scene 1\n").status == 0)
    let both = try run([library], keys + ["--lock", scratch.path("none.lock")], "expect Scene 1\n")
    #expect(both.status != 0 && both.errors.contains("the lock could not be read"), "\(both)")
  }

  /// The loader would take a library that was not there when the verdict was stored.
  @Test func aLibraryThatAppearsBesideALockedOneIsChecked() throws {
    let aid = try Zoo.c(
      "const char *helper_word(void) { return \"one\"; }", as: "AidBuilt", in: scratch, ["-Wl,-soname,libAid.so"])
    let (first, second) = (scratch.path("first"), scratch.path("second"))
    for folder in [first, second] { mkdir(folder, 0o700) }
    rename(aid, scratch.path("libAid.so"))
    try FileManager.default.copyItem(atPath: scratch.path("libAid.so"), toPath: second + "/libAid.so")
    let library = try Zoo.swift(
      Zoo.plugin(
        "Leaning", register: "registry.tab(\"main\", title: \"Leaning\") { _ in LeaningFlow() }",
        extra: "@_silgen_name(\"helper_word\") func helperWord() -> UnsafePointer<CChar>\n"
          + Zoo.flow("Leaning", showing: "Text(\"Says \\(String(cString: helperWord()))\")")), as: "Leaning",
      in: scratch,
      ["-L", scratch.folder.path, "-lAid", "-Xlinker", "-rpath", "-Xlinker", "\(first):\(second)"])
    let rule = try lock(
      "leaning", "1.0.0", "libLeaning.so", try LibraryPolicy.sha256(of: library),
      ["libAid.so": try LibraryPolicy.sha256(of: second + "/libAid.so")])
    let taken = try run([library], rule, "expect Says one\n")
    #expect(taken.status == 0, "\(taken)")
    let other = try Zoo.c(
      "const char *helper_word(void) { return \"two\"; }", as: "AidOther", in: scratch, ["-Wl,-soname,libAid.so"])
    rename(other, first + "/libAid.so")
    let refused = try run([library], rule, "expect Says\n")
    #expect(refused.status != 0 && refused.errors.contains("it needs 'libAid.so': the lock"), "\(refused)")
  }

  @Test(arguments: [
    ("", "a value is missing"), ("[]", "an object is needed here, not a list"),
    ("{ \"format\": 2, \"plugins\": [] }", "the format is 2, and this version reads the format 1"),
    ("{ \"format\": 1 }", "a lock needs the fields 'format' and 'plugins'"),
    ("{ \"format\": 1, \"plugins\": [ { \"id\": \"a\" } ] }", "a plugin needs the fields"),
    (
      "{ \"format\": 1, \"plugins\": [ { \"sha256\": \"AB\" } ] }", "a SHA-256 has 64 digits from 0 to f, not 'AB'"
    ),
  ])
  func aLockEditedByHandIsRefusedWithThePlace(_ text: String, _ reason: String) {
    let mistake = #expect(throws: JSONDocument.Mistake.self) { try PluginLock(text) }
    #expect(mistake?.description.contains(reason) == true, "\(mistake?.description ?? "none")")
  }

  @Test func aLockIsReadAsItWasWritten() throws {
    let digest = String(repeating: "0a", count: 32)
    let lock = PluginLock([
      .init(id: "b", version: "1.0", file: "libB \"q\".so", sha256: digest, libraries: ["libC.so": digest]),
      .init(id: "a", version: "2", file: "libA.so", sha256: digest),
    ])
    #expect(lock.members.map(\.id) == ["a", "b"])
    #expect(try PluginLock(lock.text) == lock)
  }

  // MARK: Signatures

  @Test func aSignedLibraryRunsAndOthersAreRefused() throws {
    let library = try scenes()
    let key = scratch.path("release.key")
    let name = try PluginSigning.createKey(at: key)
    let rule = ["--trusted-keys", key + ".pub"]
    let unsigned = try run([library], rule, "expect Scene 1\n")
    #expect(unsigned.errors.contains("it is not signed: there is no file '\(library).minisig'"), "\(unsigned)")
    _ = try PluginSigning.sign(library, key: key, time: 1_700_000_000)
    let taken = try run([library], rule, "expect Scene 1\n")
    #expect(taken.status == 0, "\(taken)")
    // Another key signs it.
    let second = scratch.path("other.key")
    let other = try PluginSigning.createKey(at: second)
    let untrusted = try run([library], ["--trusted-keys", second + ".pub"], "expect Scene 1\n")
    #expect(untrusted.errors.contains("the key \(name) signed it"), "\(untrusted)")
    #expect(untrusted.errors.contains("trusts only \(other)"))
    // The signature of another file.
    let file = try FileHandle(forWritingTo: URL(filePath: library))
    try file.seekToEnd()
    try file.write(contentsOf: Data([0]))
    try file.close()
    let changed = try run([library], rule, "expect Scene 1\n")
    #expect(changed.errors.contains("does not match the library"), "\(changed)")
    // A signature that was cut off.
    let text = try String(contentsOfFile: library + ".minisig", encoding: .utf8)
    try text.prefix(120).write(toFile: library + ".minisig", atomically: true, encoding: .utf8)
    let cut = try run([library], rule, "expect Scene 1\n")
    #expect(cut.errors.contains("does not have the four lines of a signature"), "\(cut)")
    _ = try PluginSigning.sign(library, key: key, time: 1_700_000_000)
    #expect(try run([library], rule, "expect Scene 1\n").status == 0)
  }

  /// Keys and a signature that minisign 0.11 wrote.
  private static let minisign = (
    open: "RWRMQnn7DM/ssfYT2fZm+pTtd5dTqkRo9RKUrZWJ/AhGCgiD1XkiJGXS",
    secret:
      "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAATEJ5+wzP7LEQC/D3ON9fy/2cnMhfU7RKDh0e"
      + "Z8SjUsL32nxG5BbdAPYT2fZm+pTtd5dTqkRo9RKUrZWJ/AhGCgiD1XkiJGXSAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    signature: """
    untrusted comment: signature from minisign secret key
    RURMQnn7DM/ssT0TGR7veE+KMh/WrZoq+aEitBURme2zsa1JqI2E1s28uk7CpBOE65+wFttHskFjfoF2Bs3/jvDNhxguufkf4ww=
    trusted comment: timestamp:1700000000\tfile:lib.so\thashed
    dyVgbgHi63z/GqoIamvjLRz3VcI8JtGLxhye5N7octsHJ4hua8LZ3t5P7Vmyk7QKejYlKvD2uBTrQV/rie4hCg==

    """
  )

  @Test func signaturesAndKeysAreThoseOfMinisign() throws {
    let sodium = try Sodium.required()
    let key = try #require(TrustedKey.read("untrusted comment: any\n\(Self.minisign.open)\n").first)
    #expect(key.name == "B1ECCF0CFB79424C")
    let signature = try LibrarySignature(Self.minisign.signature)
    let digest = sodium.digest(.blake2b, of: Array("a library\n".utf8))
    #expect(signature.isValid(for: digest, by: key, sodium))
    #expect(!signature.isValid(for: sodium.digest(.blake2b, of: Array("another\n".utf8)), by: key, sodium))
    // The comment is signed, too.
    let renamed = try LibrarySignature(Self.minisign.signature.replacing("lib.so", with: "big.so"))
    #expect(!renamed.isValid(for: digest, by: key, sodium))
    // A file from another system may have other ends of lines.
    #expect(try LibrarySignature(Self.minisign.signature.replacing("\n", with: "\r\n")) == signature)
    #expect(try TrustedKey.read("untrusted comment: any\r\n\(Self.minisign.open)\r\n") == [key])
    // Signatures with Ed25519 have no random part.
    let secret = try SigningKey("untrusted comment: any\n\(Self.minisign.secret)\n", sodium)
    #expect(secret.trusted == key)
    #expect(LibrarySignature(of: digest, by: secret, comment: signature.comment, sodium) == signature)
  }

  @Test(arguments: [
    ("", "it contains no key"), ("untrusted comment: x\nhello\n", "line 2 is not a public key: 'hello'"),
  ])
  func aFileWithoutKeysIsRefused(_ text: String, _ reason: String) {
    let mistake = #expect(throws: LibrarySignature.Mistake.self) { try TrustedKey.read(text) }
    #expect(mistake?.description == reason)
  }

  /// A key that minisign 0.11 wrote with a password, and a key with one wrong bit.
  @Test func aKeyThatCannotSignSaysWhy() throws {
    let sodium = try Sodium.required()
    let locked =
      "RWRTY0IyLM3NsMQG6ioqWmj/0yyRd/nCxe+LGImz/WlzTg2Vm4cAAAACAAAAAAAAAEAAAAAAFavMNXDVeiPVHZAnR399TnFi6PI28QfsFQtF/P7H"
      + "z0ftT32E2gczmgPbqvSZTkZPOhriYdoMV0xqzyz6MyK6uw2ZQkGMjHjXyX7sZhQxtNAsLdvTh2M5JWe56ua923CFIKXYUaonQjw="
    #expect(throws: LibrarySignature.Mistake.self) { try SigningKey(locked, sodium) }
    var bytes = try #require(Data(base64Encoded: String(SigningKey(sodium).text(sodium).split(separator: "\n")[1])))
    #expect(throws: Never.self) { try SigningKey(bytes.base64EncodedString(), sodium) }
    bytes[80] ^= 1
    #expect(throws: LibrarySignature.Mistake.self) { try SigningKey(bytes.base64EncodedString(), sodium) }
    let file = scratch.path("release.key")
    _ = try PluginSigning.createKey(at: file)
    #expect(throws: Refusal.self) { try PluginSigning.createKey(at: file) }
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
  }

  /// SHA-256 of "abc" (FIPS 180-4, example), and BLAKE2b of "abc" (RFC 7693, appendix A).
  @Test func digestsAreThoseOfTheStandards() throws {
    let sodium = try Sodium.required()
    #expect(
      LibraryPolicy.hexadecimal(sodium.digest(.sha256, of: Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      LibraryPolicy.hexadecimal(sodium.digest(.blake2b, of: Array("abc".utf8))).hasPrefix(
        "ba80a53f981c4d0d6a2797b69f12f6e9"))
    #expect(sodium.digest(.blake2b, of: []).count == 64)
  }
}
