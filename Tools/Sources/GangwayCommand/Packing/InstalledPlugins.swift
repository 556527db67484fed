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

  /// The end of the name of an installed license, after the name of the library.
  private static let licenseSuffix = ".license"

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
    let earlier = survey.statuses.filter { $0.id == facts.id && isHere($0.file) }
    let previous = earlier.compactMap(\.version).first
    if let previous, !allowsOlder, let newer = self.version(previous), facts.version < newer {
      throw Failure(description: Words.Packing.older(facts.id, installed: previous, archive: facts.version.description))
    }
    if let other = survey.statuses.first(where: { isHere($0.file) && name($0.file) == facts.library }),
      other.id != facts.id
    {
      throw Failure(
        description: Words.Packing.takenName(other.file, of: other.id?.rawValue ?? "unknown", by: facts.id))
    }
    // The library comes last, so that its signature is there.
    for name in facts.files.keys.filter({ $0 != facts.library }).sorted() + [facts.library] {
      let isLicense = PluginArchive.licenses.contains(name)
      let target = "\(folder)/" + (isLicense ? facts.library + Self.licenseSuffix : name)
      guard rename("\(staging)/\(name)", target) == 0 else {
        throw Failure(description: Words.Files.unwritable(target, reason: String(cString: strerror(errno))))
      }
    }
    for status in earlier where name(status.file) != facts.library { remove(status.file) }
    return Installed(
      id: facts.id, version: facts.version.description, file: "\(folder)/\(facts.library)", previous: previous)
  }

  /// Creates the folder for files that are not checked yet. No host searches it.
  private func makeStaging() throws(Failure) -> String {
    let staging = "\(folder)/.installing-\(getpid())"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
      try? FileManager.default.removeItem(atPath: staging)
      try FileManager.default.createDirectory(
        atPath: staging, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      return staging
    } catch {
      throw Failure(description: Words.Files.unwritable(folder, reason: error.localizedDescription))
    }
  }

  /// Removes a plugin.
  ///
  /// - Returns: the path of its library.
  /// - Throws: ``Failure`` if the plugin is not in the folder, naming where it is.
  @MainActor func uninstall(_ id: PluginID) throws -> String {
    let survey = survey()
    let found = survey.statuses.filter { $0.id == id }
    guard let status = found.first(where: { isHere($0.file) }) else {
      throw Failure(description: Words.Packing.notInstalled(id, folder: folder, elsewhere: found.first?.file))
    }
    remove(status.file)
    return status.file
  }

  /// Finds the plugins, those in this folder first.
  @MainActor private func survey(files: [String] = []) -> PluginSurvey {
    var launch = search.launch
    launch.folders.insert(folder, at: 0)
    return PluginSurvey(launch, files: files, host: search.executable)
  }

  private func remove(_ library: String) {
    unlink(library)
    unlink(library + PluginArchive.signatureSuffix)
    unlink(library + Self.licenseSuffix)
  }

  private func isHere(_ file: String) -> Bool {
    FilePaths.whole(String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])) == FilePaths.whole(folder)
  }

  private func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

  private func version(_ text: String) -> PluginVersion? {
    (try? Line.encode(text)).flatMap { try? JSONDecoder().decode(PluginVersion.self, from: Data($0)) }
  }
}
