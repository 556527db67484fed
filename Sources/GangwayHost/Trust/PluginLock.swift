import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The libraries that an app may load, each with its digest: the file `plugins.lock`.
///
/// `gangway lock` writes it, and `--locked` refuses every other library before any of its code runs.
@_spi(FrontEnd) public struct PluginLock: Hashable, Sendable {
  /// The version of the format.
  static let format = 1
  /// The largest file in bytes.
  static let maximumSize = 4 << 20

  /// A plugin in the lock.
  struct Member: Hashable, Sendable {
    let id: PluginID
    let version: String
    /// The name of the file, without folders. It only makes messages clear.
    let file: String
    /// The digest in hexadecimal digits.
    let sha256: String
    /// The digests of the libraries that it brings along, by the names of their files.
    var libraries: [String: String] = [:]
  }

  /// The plugins, in the order of their ids.
  let members: [Member]

  /// The reason why a file is not a lock.
  struct Mistake: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  init(_ members: [Member]) { self.members = members.sorted { ($0.id, $0.file) < ($1.id, $1.file) } }

  // MARK: Checking

  /// Checks that the lock lists a content, of a plugin or of a library that one brings along.
  ///
  /// - Throws: a refusal at the step `trust` if the lock does not list this content.
  func check(_ file: String, sha256: String, lock: String) throws(Refusal) {
    let name = String(file.split(separator: "/").last ?? "")
    for member in members where member.sha256 == sha256 || member.libraries.values.contains(sha256) { return }
    let locked =
      members.first { $0.file == name }?.sha256 ?? members.lazy.compactMap { $0.libraries[name] }.first
    guard let locked else {
      throw Refusal(
        .trust, .notLocked, "the lock '\(lock)' does not list '\(name)'; its SHA-256 is \(sha256)",
        advice: "Remove the file, or check it and run `gangway lock` again.")
    }
    throw Refusal(
      .trust, .notLocked, "the lock '\(lock)' has the SHA-256 \(locked) for '\(name)', but the file has \(sha256)",
      advice: "Install the locked version, or check the file and run `gangway lock` again.")
  }

  /// Checks that a plugin is the one that the lock lists for its content.
  ///
  /// - Throws: a refusal at the step `probe` if the lock names another id or version, or lists the file only as a
  ///   library of other plugins.
  func check(_ manifest: PluginManifest, sha256: String, lock: String) throws(Refusal) {
    let same = members.filter { $0.sha256 == sha256 }
    if same.contains(where: { $0.id == manifest.id && $0.version == manifest.version }) { return }
    let listed = same.first.map { "'\($0.id)' \($0.version)" } ?? "a library that other plugins need"
    throw Refusal(
      .probe, .notLocked,
      "the lock '\(lock)' lists it as \(listed), but it is '\(manifest.id)' \(manifest.version)",
      advice: "Do not edit the lock by hand: check the plugin and run `gangway lock` again.")
  }

  // MARK: The format

  /// The text of the file.
  public var text: String {
    func quoted(_ text: String) -> String {
      (try? Line.encode(text)).map { String(decoding: $0.dropLast(), as: UTF8.self) } ?? "\"\""
    }
    let lines = members.map { member in
      var fields = [
        ("id", quoted(member.id.rawValue)), ("version", quoted(member.version)), ("file", quoted(member.file)),
        ("sha256", quoted(member.sha256)),
      ]
      if !member.libraries.isEmpty {
        let libraries = member.libraries.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \(quoted($0.value))" }
        fields.append(("libraries", "{ \(libraries.joined(separator: ", ")) }"))
      }
      return "    { " + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + " }"
    }
    return "{\n  \"format\": \(Self.format),\n  \"plugins\": [\n\(lines.joined(separator: ",\n"))\n  ]\n}\n"
  }

  /// Returns the SHA-256 of a file, as in a lock.
  ///
  /// - Throws: ``Refusal`` if the file is missing or not trusted, or if libsodium is not installed.
  public static func digest(of path: String) throws(Refusal) -> String { try LibraryPolicy.sha256(of: path) }

  /// The number of plugins.
  public var count: Int { members.count }

  /// Reads the text of a file.
  ///
  /// - Throws: ``JSONDocument/Mistake`` with the line and column.
  init(_ text: String) throws(JSONDocument.Mistake) {
    let root = try JSONDocument.read(text)
    var members: [Member]?
    var format: Int?
    for (name, place, value) in try root.fields() {
      switch name {
      case "format":
        guard case .number(let number) = value.content, number == "\(Self.format)" else {
          throw JSONDocument.Mistake(
            place: value.place, reason: "the format is \(value.json), and this version reads the format \(Self.format)")
        }
        format = Self.format
      case "plugins":
        var read: [Member] = []
        for member in try value.values() { read.append(try Self.member(member)) }
        members = read
      default: throw JSONDocument.unknownField(name, place, ["format", "plugins"])
      }
    }
    guard let members, format != nil else {
      throw JSONDocument.Mistake(place: root.place, reason: "a lock needs the fields 'format' and 'plugins'")
    }
    self.init(members)
  }

  private static func member(_ value: JSONDocument.Value) throws(JSONDocument.Mistake) -> Member {
    var (id, version, file, sha256): (String?, String?, String?, String?)
    var libraries: [String: String] = [:]
    for (name, place, value) in try value.fields() {
      switch name {
      case "id": id = try value.string()
      case "version": version = try value.string()
      case "file": file = try value.string()
      case "sha256": sha256 = try digest(value)
      case "libraries":
        for (library, _, value) in try value.fields() { libraries[library] = try digest(value) }
      default: throw JSONDocument.unknownField(name, place, ["id", "version", "file", "sha256", "libraries"])
      }
    }
    guard let id, let version, let file, let sha256 else {
      throw JSONDocument.Mistake(
        place: value.place, reason: "a plugin needs the fields 'id', 'version', 'file' and 'sha256'")
    }
    return Member(id: PluginID(rawValue: id), version: version, file: file, sha256: sha256, libraries: libraries)
  }

  private static func digest(_ value: JSONDocument.Value) throws(JSONDocument.Mistake) -> String {
    let text = try value.string()
    guard text.count == 64, text.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else {
      throw JSONDocument.Mistake(
        place: value.place, reason: "a SHA-256 has 64 digits from 0 to f, not '\(text)'")
    }
    return text
  }
}
