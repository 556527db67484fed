import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc
import Subprocess
import SystemPackage

/// A packed plugin: a tar archive, compressed with gzip, with the library and the facts about it.
///
/// The system's `tar` reads and writes it. Members are only read as a stream, so no name in an archive reaches another
/// folder.
struct PluginArchive: Sendable {
  /// The facts about a packed plugin: the member `plugin.json`.
  struct Facts: Codable, Hashable, Sendable {
    var format = 1
    var id: PluginID
    var version: PluginVersion
    /// The architecture, as `uname -m` prints it.
    var architecture: String
    /// The member that contains the plugin.
    var library: String
    /// The SHA-256 of each other member.
    var files: [String: String]
  }

  /// The reason why an archive cannot be written or is refused.
  struct Failure: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  /// The end of the file's name.
  static let suffix = ".gangway"
  /// The end of the name of a library's signature, after the library's name.
  static let signatureSuffix = ".minisig"
  /// The names of the files that `gangway pack` takes as the license of a package.
  static let licenses = ["LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING"]
  static let factsName = "plugin.json"
  /// The most members, and the most bytes of all members together.
  private static let maximumMembers = 64
  private static let maximumSize = 1 << 30
  /// The longest time for one run of `tar`.
  private static let patience: Duration = .seconds(120)

  let path: String
  let facts: Facts
  /// The sizes of the members in bytes, by name.
  let sizes: [String: Int]

  /// Opens an archive: reads the list of members and the facts.
  ///
  /// - Throws: ``Failure`` if a member is not a plain file, or if the facts are missing or do not fit the members.
  init(_ path: String) async throws(Failure) {
    if let kind = RegularFile.other(path) { throw Failure(description: Words.Packing.notAFile(path, kind: kind)) }
    let listing = try await Self.tar(
      ["--list", "--verbose", "--numeric-owner", "--gzip", "--file", path], limit: 1 << 20, of: path)
    var sizes: [String: Int] = [:]
    for line in listing.split(separator: "\n") {
      let (name, size) = try Self.member(line, path)
      guard sizes.updateValue(size, forKey: name) == nil else {
        throw Failure(description: Words.Packing.twice(name, path))
      }
    }
    let size = sizes.values.reduce(0) { $0.addingReportingOverflow($1).overflow ? Int.max : $0 + $1 }
    guard sizes.count <= Self.maximumMembers, size <= Self.maximumSize else {
      throw Failure(description: Words.Packing.tooLarge(path, count: sizes.count, size: size))
    }
    guard let factsSize = sizes.removeValue(forKey: Self.factsName), factsSize <= 1 << 20 else {
      throw Failure(description: Words.Packing.noFacts(path))
    }
    let text = try await Self.tar(
      ["--extract", "--to-stdout", "--gzip", "--file", path, Self.factsName], limit: 1 << 20, of: path)
    do {
      facts = try JSONDecoder().decode(Facts.self, from: Data(text.utf8))
    } catch {
      throw Failure(description: Words.Packing.unreadableFacts(path, reason: "\(error)"))
    }
    guard facts.format == 1 else { throw Failure(description: Words.Packing.otherFormat(path, facts.format)) }
    guard facts.architecture == Self.architecture else {
      throw Failure(description: Words.Packing.otherMachine(path, facts.architecture, own: Self.architecture))
    }
    guard Set(facts.files.keys) == Set(sizes.keys), sizes[facts.library] != nil else {
      throw Failure(
        description: Words.Packing.otherMembers(path, facts: facts.files.keys.sorted(), found: sizes.keys.sorted()))
    }
    guard facts.library.hasPrefix("lib"), facts.library.hasSuffix(".so"), facts.library != "libGangway.so" else {
      throw Failure(description: Words.Packing.badLibrary(facts.library, path))
    }
    // Any other file could replace one of another plugin.
    let known = [facts.library, facts.library + Self.signatureSuffix] + Self.licenses
    if let stranger = sizes.keys.sorted().first(where: { !known.contains($0) }) {
      throw Failure(description: Words.Packing.stranger(stranger, path))
    }
    (self.path, self.sizes) = (path, sizes)
  }

  /// Reads a line of `tar --list --verbose`: mode, owner, size, date, time, name.
  private static func member(_ line: Substring, _ path: String) throws(Failure) -> (name: String, size: Int) {
    let fields = line.split(separator: " ", maxSplits: 5)
    guard fields.count == 6, let size = Int(fields[2]), size >= 0 else {
      throw Failure(description: Words.Packing.notAnArchive(path))
    }
    let name = String(fields[5])
    // A link or a device has another letter, and a link's name has an arrow.
    let isPlain = name.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || "._+-".utf8.contains(byte)
    }
    guard line.first == "-", isPlain, !name.hasPrefix("."), name.utf8.count <= 200 else {
      throw Failure(description: Words.Packing.badMember(name, path))
    }
    return (name, size)
  }

  /// Writes a member to a new file, and checks its digest.
  ///
  /// - Throws: ``Failure`` if the digest differs, with both.
  func extract(_ name: String, to file: String) async throws(Failure) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else {
      throw Failure(description: Words.Files.unwritable(file, reason: String(cString: strerror(errno))))
    }
    let output = FileDescriptor(rawValue: descriptor)
    defer { close(descriptor) }
    do {
      let result = try await Self.limited { [path] in
        try await Subprocess.run(
          .name("tar"), arguments: ["--extract", "--to-stdout", "--gzip", "--file", path, name],
          environment: Self.environment, input: .none,
          output: .fileDescriptor(output, closeAfterSpawningProcess: false), error: .string(limit: 1 << 16))
      }
      guard result.terminationStatus.isSuccess else { throw Self.failure(of: path, result.standardError) }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: Words.Packing.noTar(path, reason: "\(error)"))
    }
    guard fsync(descriptor) == 0 else {
      throw Failure(description: Words.Files.unwritable(file, reason: String(cString: strerror(errno))))
    }
    let digest: String
    do throws(Refusal) {
      digest = try PluginLock.digest(of: file)
    } catch {
      throw Failure(description: "\(error)")
    }
    guard let stated = facts.files[name], digest == stated else {
      throw Failure(description: Words.Packing.otherDigest(name, stated: facts.files[name] ?? "none", found: digest))
    }
  }

  /// Packs files into an archive; an existing archive of this name is replaced.
  ///
  /// - Parameters:
  ///   - folder: the folder with the files, and nothing else.
  ///   - path: the archive.
  static func write(_ facts: Facts, from folder: String, to path: String) async throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let temporary = path + ".\(getpid())"
    do {
      try encoder.encode(facts).write(to: URL(filePath: "\(folder)/\(factsName)"))
      defer { unlink(temporary) }
      // The same files make the same archive.
      _ = try await tar(
        [
          "--create", "--use-compress-program", "gzip --no-name", "--file", temporary, "--directory", folder,
          "--format", "ustar", "--sort", "name",
          "--owner", "0", "--group", "0", "--numeric-owner", "--mtime", "@0", factsName,
        ] + facts.files.keys.sorted(), limit: 1 << 16, of: path)
      guard rename(temporary, path) == 0 else {
        throw Failure(description: Words.Files.unwritable(path, reason: String(cString: strerror(errno))))
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: Words.Files.unwritable(path, reason: error.reason))
    }
  }

  /// The architecture of this machine, as `uname -m` prints it.
  static var architecture: String {
    var names = utsname()
    uname(&names)
    return withUnsafeBytes(of: &names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The user's options for `tar` could change what it does, and the language what it prints.
  private static let environment = Environment.inherit.updating(["LC_ALL": "C", "TAR_OPTIONS": ""])

  private static func tar(_ arguments: [String], limit: Int, of path: String) async throws(Failure) -> String {
    do {
      let result = try await limited {
        try await Subprocess.run(
          .name("tar"), arguments: Arguments(arguments), environment: environment, input: .none,
          output: .string(limit: limit), error: .string(limit: 1 << 16))
      }
      guard result.terminationStatus.isSuccess else { throw failure(of: path, result.standardError) }
      return result.standardOutput
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: Words.Packing.noTar(path, reason: "\(error)"))
    }
  }

  private static func failure(of path: String, _ errors: String) -> Failure {
    let reason = errors.split(separator: "\n").first.map(String.init) ?? ""
    return Failure(description: Words.Packing.notAnArchive(path, reason: reason))
  }

  /// Runs a process with a time limit.
  private static func limited<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let run = Task { try await work() }
    let clock = Task {
      try await Task.sleep(for: patience)
      run.cancel()
    }
    defer { clock.cancel() }
    return try await run.value
  }
}
