import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The folder into which plugins are installed, and from which they are removed.
struct InstalledPlugins {
  /// The reason why a plugin is not installed or removed. The installed plugins stay as they were.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The ends of the names of the files beside a library: its signature and its license.
  private static let endings = [PluginArchive.signatureSuffix] + PluginArchive.licenses.map { "." + $0 }

  /// The beginning of the name of the folder of an installation, which the process follows.
  private static let staging = ".installing-"

  let folder: String
  /// The options of the search for plugins.
  let search: PluginOptions

  /// A plugin that was installed.
  struct Installed {
    let id: PluginID
    let version: String
    let file: String
    /// The version that it replaced; nil if the plugin was not installed.
    let previous: String?
  }

  /// Installs an archive.
  ///
  /// All files are complete and checked before the first one is renamed into place.
  ///
  /// - Parameter allowsOlder: whether an older version may replace a newer one.
  /// - Throws: ``Failure`` or ``PluginArchive/Failure``.
  @MainActor func install(_ path: String, allowsOlder: Bool) async throws -> Installed {
    let archive = try await PluginArchive(path)
    let facts = archive.facts
    let staging = try makeStaging()
    defer { try? FileManager.default.removeItem(atPath: staging) }
    for name in facts.files.keys.sorted() { try await archive.extract(name, to: "\(staging)/\(name)") }
    let library = "\(staging)/\(facts.library)"
    chmod(library, 0o755)
    // The plugin is examined alone, so that the installed version of it is no conflict.
    let survey = survey(files: [library])
    let status = survey.status(of: library)
    guard survey.manifests[library] != nil, let id = status?.id, let version = status?.version else {
      throw Failure(description: Words.Packing.refused(path, reason: status?.refusal ?? "no reason given"))
    }
    guard id == facts.id, version == facts.version.description else {
      throw Failure(
        description: Words.Packing.otherPlugin(
          path, facts: "\(facts.id) \(facts.version)", found: "\(id) \(version)"))
    }
    let others = survey.statuses.filter { $0.file != library }
    let previous = others.filter { isPlugin($0, facts.id) }
    try check(facts, others, previous, allowsOlder: allowsOlder)
    // The library comes first: if it cannot be replaced, everything stays as it was.
    for name in [facts.library] + facts.files.keys.filter({ $0 != facts.library }).sorted() {
      let target = "\(folder)/" + (PluginArchive.licenses.contains(name) ? facts.library + "." + name : name)
      guard rename("\(staging)/\(name)", target) == 0 else {
        throw Failure(description: Words.Files.unwritable(target, reason: String(cString: strerror(errno))))
      }
    }
    for ending in Self.endings
    where (facts.files[facts.library + ending] ?? facts.files[String(ending.dropFirst())]) == nil {
      unlink("\(folder)/\(facts.library)\(ending)")
    }
    for status in previous where isHere(status.file) && name(status.file) != facts.library { try remove(status.file) }
    return Installed(
      id: facts.id, version: facts.version.description, file: "\(folder)/\(facts.library)",
      previous: previous.lazy.compactMap(\.version).first)
  }

  /// Checks that an archive replaces no other plugin, and no newer version.
  ///
  /// A library hides one of the same name in a later folder, so the whole search counts.
  private func check(
    _ facts: PluginArchive.Facts, _ others: [HostMessage.PluginStatus], _ previous: [HostMessage.PluginStatus],
    allowsOlder: Bool
  ) throws(Failure) {
    if let other = others.first(where: { name($0.file) == facts.library && !isPlugin($0, facts.id) }) {
      throw Failure(
        description: Words.Packing.takenName(other.file, of: other.id?.rawValue ?? name(other.file), by: facts.id))
    }
    guard !allowsOlder else { return }
    for status in previous {
      guard let text = status.version, let version = version(text), facts.version < version else { continue }
      throw Failure(description: Words.Packing.older(facts.id, installed: text, archive: facts.version.description))
    }
  }

  /// Returns whether a file is a plugin; a refused file counts by its name, because its id is not known.
  private func isPlugin(_ status: HostMessage.PluginStatus, _ id: PluginID) -> Bool {
    func normal(_ text: some StringProtocol) -> String { text.lowercased().filter { $0 != "-" && $0 != "_" } }
    if let other = status.id { return other == id }
    let name = name(status.file)
    return name.hasPrefix("lib") && name.hasSuffix(".so")
      && normal(name.dropFirst(3).dropLast(3)) == normal(id.rawValue)
  }

  /// Creates the folder for files that are not checked yet. No host searches it.
  private func makeStaging() throws(Failure) -> String {
    let staging = "\(folder)/\(Self.staging)\(getpid())"
    removeLeftovers()
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
      try? FileManager.default.removeItem(atPath: staging)
      try FileManager.default.createDirectory(
        atPath: staging, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      return staging
    } catch {
      throw Failure(description: Words.Files.unwritable(folder, reason: error.reason))
    }
  }

  /// Removes the folders of installations whose process has ended.
  private func removeLeftovers() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(Self.staging)
    {
      guard let process = Int32(name.dropFirst(Self.staging.count)), kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }

  /// Removes a plugin.
  ///
  /// - Returns: the path of its library.
  /// - Throws: ``Failure`` if the plugin is not in the folder, naming where it is.
  @MainActor func uninstall(_ id: PluginID) throws -> String {
    let survey = survey()
    let found = survey.statuses.filter { isPlugin($0, id) }
    guard let status = found.first(where: { isHere($0.file) }) else {
      throw Failure(description: Words.Packing.notInstalled(id, folder: folder, elsewhere: found.first?.file))
    }
    try remove(status.file)
    return status.file
  }

  /// Finds the plugins, those in this folder first.
  @MainActor private func survey(files: [String] = []) -> PluginSurvey {
    var launch = search.launch
    launch.folders.insert(folder, at: 0)
    return PluginSurvey(launch, files: files, host: search.executable)
  }

  private func remove(_ library: String) throws(Failure) {
    guard unlink(library) == 0 || errno == ENOENT else {
      throw Failure(description: Words.Packing.notRemoved(library, reason: String(cString: strerror(errno))))
    }
    for ending in Self.endings { unlink(library + ending) }
  }

  private func isHere(_ file: String) -> Bool {
    FilePaths.whole(String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])) == FilePaths.whole(folder)
  }

  private func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

  private func version(_ text: String) -> PluginVersion? {
    (try? Line.encode(text)).flatMap { try? JSONDecoder().decode(PluginVersion.self, from: Data($0)) }
  }
}
