import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
import Glibc

/// The result of the checks and the probe for a file.
enum PluginVerdict: Hashable, Sendable {
  /// The contributions, and whether the library needs Foundation.
  case accepted(PluginManifest, needsFoundation: Bool)
  case refused(Refusal)
}

/// The results of earlier runs: verdicts and contributions, by the identity of the file.
///
/// The cache can be deleted at any time. Results that are missing, damaged or of another version are found out again.
struct PluginCache {
  struct Entry: Hashable {
    let identity: FileIdentity
    /// The hash of the file's content, in case its times say too little.
    let hash: UInt64
    /// The time of the examination, in nanoseconds since 1970.
    let moment: Int
    let verdict: PluginVerdict
    /// The libraries that the plugin brings along, by path.
    var helpers: [String: Helper] = [:]
  }

  /// A library that a plugin brings along.
  struct Helper: Hashable {
    let identity: FileIdentity
    /// The hash of the library's content, as for the plugin's own file.
    let hash: UInt64
  }

  /// The header of a cache. Its last line is the version of the format.
  static let magic = Array("gangway plugins\n5\n".utf8)
  /// The most caches in the folder, one for each framework that was used lately.
  private static let maximumCaches = 8

  let path: String?
  private(set) var entries: [String: Entry] = [:]
  private(set) var isChanged = false
  /// The reason why an existing cache was not used.
  private(set) var problem: String?

  /// Reads a cache.
  ///
  /// - Parameters:
  ///   - folder: the folder of the caches; nil for no cache.
  ///   - framework: the file of the framework, for which the verdicts are valid.
  ///   - policy: the fingerprint of the rule about libraries, under which the verdicts were found.
  init(folder: String?, framework: String, policy: String = "") {
    let identity = FileIdentity(ofFile: framework)
    var hash = ContentHash()
    hash.update(Array("\(framework) \(identity.map { "\($0)" } ?? "") \(policy)".utf8))
    path = folder.map { "\($0)/plugins-\(String(hash.value, radix: 16)).cache" }
    guard let path, let bytes = Self.contents(of: path) else { return }
    do {
      entries = try Self.decode(bytes)
    } catch {
      problem = "The cache '\(path)' is damaged or from another version. It is created again."
    }
  }

  /// Returns the known verdict for a file in its current state; nil if there is none.
  mutating func verdict(of file: String, _ identity: FileIdentity) -> PluginVerdict? {
    guard let entry = entries[file], entry.identity == identity else { return nil }
    var states = [(path: file, identity: identity, hash: entry.hash)]
    for (path, helper) in entry.helpers {
      guard FileIdentity(ofFile: path) == helper.identity else { return nil }
      states.append((path, helper.identity, helper.hash))
    }
    let doubtful = states.filter { $0.identity.isInDoubt(lookedIntoAt: entry.moment) }
    if !doubtful.isEmpty {
      guard doubtful.allSatisfy({ Self.hash(ofFile: $0.path) == $0.hash }) else { return nil }
      let now = Self.now
      if !doubtful.contains(where: { $0.identity.isInDoubt(lookedIntoAt: now) }) {
        entries[file] = Entry(
          identity: identity, hash: entry.hash, moment: now, verdict: entry.verdict, helpers: entry.helpers)
        isChanged = true
      }
    }
    return entry.verdict
  }

  /// Records the verdict for a file.
  ///
  /// - Parameters:
  ///   - hash: the hash of the file's content, from before the examination.
  ///   - moment: the start of the examination, in nanoseconds since 1970.
  ///   - helpers: the libraries that the plugin brings along, by path.
  mutating func note(
    _ verdict: PluginVerdict, of file: String, _ identity: FileIdentity, hash: UInt64, moment: Int,
    helpers: [String: Helper] = [:]
  ) {
    entries[file] = Entry(identity: identity, hash: hash, moment: moment, verdict: verdict, helpers: helpers)
    isChanged = true
  }

  /// Forgets a file, so that it is examined again.
  mutating func forget(_ file: String) {
    if entries.removeValue(forKey: file) != nil { isChanged = true }
  }

  /// Writes the changes to a temporary file, syncs the file, then renames it. Entries of other hosts since then are
  /// kept.
  ///
  /// - Returns: the reason why the cache was not written; nil if it was, or had no changes.
  mutating func save() -> String? {
    guard isChanged, let path else { return nil }
    isChanged = false
    if let bytes = Self.contents(of: path), let others = try? Self.decode(bytes) {
      entries.merge(others) { own, other in own.moment >= other.moment ? own : other }
    }
    entries = entries.filter { FileIdentity(ofFile: $0.key) != nil }
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let temporary = "\(path).\(getpid())"
    func failed() -> String {
      let reason = String(cString: strerror(errno))
      unlink(temporary)
      return
        "Could not write the probe cache '\(path)': \(reason). Plugins are probed again at the next start. Make the "
        + "folder writable, or set another one with XDG_CACHE_HOME."
    }
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return failed() }
    let isWritten = ProcessIO.writeAll(Self.encode(entries), to: descriptor) && fsync(descriptor) == 0
    guard close(descriptor) == 0, isWritten, rename(temporary, path) == 0 else { return failed() }
    Self.removeOld(in: folder)
    return nil
  }

  private static func removeOld(in folder: String) {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
      $0.hasPrefix("plugins-") && $0.hasSuffix(".cache")
    }
    guard names.count > maximumCaches else { return }
    let paths = names.map { "\(folder)/\($0)" }
    let sorted = paths.sorted { FileIdentity(ofFile: $0)?.modified ?? 0 > FileIdentity(ofFile: $1)?.modified ?? 0 }
    for old in sorted.dropFirst(maximumCaches) { unlink(old) }
  }

  // MARK: Files

  /// The current time in nanoseconds since 1970, on the clock that file systems use.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// Returns the hash of a file's content; 0 if the file cannot be read.
  static func hash(ofFile path: String) -> UInt64 {
    var hash = ContentHash()
    guard let file = try? TrustedFile(path) else { return 0 }
    var offset = 0
    while true {
      let bytes = file.read(1 << 20, at: offset)
      guard !bytes.isEmpty else { return hash.value }
      hash.update(bytes)
      offset += bytes.count
    }
  }

  private static func contents(of path: String) -> [UInt8]? {
    // A cache decides which files may load. So only a file that no other user can write counts.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & (S_IWGRP | S_IWOTH) == 0, status.st_size <= 64 << 20
    else { return [] }
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let got = pread(descriptor, buffer.baseAddress?.advanced(by: filled), size - filled, off_t(filled))
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
  }

  // MARK: The format

  static func encode(_ entries: [String: Entry]) -> [UInt8] {
    var body = CacheWriter()
    body.write(entries.sorted { $0.key < $1.key }) { writer, item in
      writer.write(item.key)
      let entry = item.value
      writer.write(entry.identity)
      for number in [Int(bitPattern: UInt(entry.hash)), entry.moment] { writer.write(number) }
      writer.write(entry.verdict)
      writer.write(entry.helpers.sorted { $0.key < $1.key }) { writer, helper in
        writer.write(helper.key)
        writer.write(helper.value.identity)
        writer.write(Int(bitPattern: UInt(helper.value.hash)))
      }
    }
    var hash = ContentHash()
    hash.update(body.bytes)
    var header = CacheWriter()
    header.write(Int(bitPattern: UInt(hash.value)))
    return magic + header.bytes + body.bytes
  }

  static func decode(_ bytes: [UInt8]) throws(CacheReader.Damaged) -> [String: Entry] {
    guard bytes.starts(with: magic) else { throw CacheReader.Damaged() }
    var reader = CacheReader(bytes, from: magic.count)
    let stored = try reader.number()
    var hash = ContentHash()
    hash.update(reader.rest)
    guard stored == Int(bitPattern: UInt(hash.value)) else { throw CacheReader.Damaged() }
    let items = try reader.items { reader throws(CacheReader.Damaged) in
      let file = try reader.text()
      let identity = try reader.identity()
      let hash = UInt64(bitPattern: Int64(try reader.number()))
      let moment = try reader.number()
      let verdict = try reader.verdict()
      let helpers = try reader.items { reader throws(CacheReader.Damaged) in
        let (path, identity) = (try reader.text(), try reader.identity())
        return (path, Helper(identity: identity, hash: UInt64(bitPattern: Int64(try reader.number()))))
      }
      let entry = Entry(
        identity: identity, hash: hash, moment: moment, verdict: verdict,
        helpers: Dictionary(helpers, uniquingKeysWith: { $1 }))
      return (file, entry)
    }
    return Dictionary(items, uniquingKeysWith: { $1 })
  }
}
