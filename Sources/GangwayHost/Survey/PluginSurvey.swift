@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The installed plugins and their conflicts, found without loading anything into this process.
@_spi(FrontEnd) public struct PluginSurvey: Sendable {
  /// The status of each file, in search order, with libraries that merely are in the folder.
  public private(set) var statuses: [HostMessage.PluginStatus] = []
  /// The contributions of the files, by file, also of files that were refused only because of others.
  public private(set) var manifests: [String: PluginManifest] = [:]
  /// The libraries that each file brings along, by file.
  private var helpers: [String: [String]] = [:]
  /// The conflicts that refuse no plugin.
  public private(set) var problems: [String] = []

  /// Examines every file on the search path, as a host does.
  ///
  /// Processes that run `host` load the unknown files. This call blocks until they end.
  ///
  /// - Parameters:
  ///   - launch: what to search, and how. `plugins` has no effect.
  ///   - files: further files to examine.
  ///   - host: the host's executable.
  @MainActor public init(_ launch: HostLaunch, files: [String] = [], host: String) {
    var examination = PluginExamination(
      launch, folder: Folders.cache, probe: ProbeRun(executable: host, deadline: launch.probeDeadline))
    if let problem = examination.cache.problem { problems.append(problem) }
    let hostFolder = host.lastIndex(of: "/").map { String(host[..<$0]) } ?? "."
    let found = HostFiles.find(in: launch.folders, hostFolder: hostFolder)
    let (findings, problem) = examination.examine(files + found.filter { !files.contains($0) })
    if let problem { problems.append(problem) }
    var missing: [PluginID: String] = [:]
    var leftOut: [String: Refusal] = [:]
    helpers = Dictionary(findings.map { ($0.file, $0.helpers.keys.sorted()) }, uniquingKeysWith: { $1 })
    for finding in findings {
      let id = finding.manifest?.id ?? PluginID(rawValue: PluginSearch.id(ofFile: finding.file))
      if let reason = launch.reasonToLeaveOut(finding.file, id: id.rawValue) {
        leftOut[finding.file] = .leftOut(reason)
        missing[id] = reason
        continue
      }
      manifests[finding.file] = finding.manifest
      if let refusal = finding.refusal {
        missing[PluginID(rawValue: PluginSearch.id(ofFile: finding.file))] =
          "'\(finding.file)' was refused: \(refusal.reason)"
      }
    }
    let plan = PluginPlan(
      findings.filter { leftOut[$0.file] == nil }.compactMap { finding in
        finding.manifest.map { .init(file: finding.file, identity: finding.identity, manifest: $0) }
      }, missing: missing)
    statuses = findings.map { finding in
      let manifest = finding.manifest
      let refusal = leftOut[finding.file] ?? finding.refusal ?? plan.refused[finding.file]
      return HostMessage.PluginStatus(
        refusal == nil ? .registered : refusal?.code == .leftOut ? .disabled : .refused, id: manifest?.id,
        version: manifest?.version, file: finding.file,
        contributions: manifest?.lines ?? [], refusal: refusal?.description, cause: refusal?.code.rawValue,
        step: refusal?.step.rawValue)
    }
    let registry = Registry()
    for member in plan.accepted { registry.announce(member.manifest) }
    problems += registry.problems
  }

  /// Makes a lock of the plugins that would load, with the libraries that they bring along.
  ///
  /// - Throws: a refusal if a file cannot be read any more, or if libsodium is not installed.
  public func makeLock() throws(Refusal) -> PluginLock {
    var members: [PluginLock.Member] = []
    for status in plugins where status.refusal == nil {
      guard let id = status.id, let version = status.version else { continue }
      var libraries: [String: String] = [:]
      for path in helpers[status.file] ?? [] { libraries[Self.name(path)] = try LibraryPolicy.sha256(of: path) }
      members.append(
        .init(
          id: id, version: version, file: Self.name(status.file), sha256: try LibraryPolicy.sha256(of: status.file),
          libraries: libraries))
    }
    return PluginLock(members)
  }

  private static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

  /// The plugins, and the files that should be plugins.
  public var plugins: [HostMessage.PluginStatus] {
    statuses.filter { $0.cause != Refusal.Code.notAPlugin.rawValue }
      .sorted { ($0.id ?? "~", $0.file) < ($1.id ?? "~", $1.file) }
  }

  /// Returns the status of the plugin with an id or path; if several match, of the one that would load.
  ///
  /// A library that is not a plugin matches by the name of its file.
  public func status(of name: String) -> HostMessage.PluginStatus? {
    let id = PluginID(rawValue: name)
    return statuses.first { $0.file == name } ?? statuses.first { $0.id == id && $0.state == .registered }
      ?? statuses.first { $0.id == id }
      ?? (plugins + statuses).first { PluginSearch.id(ofFile: $0.file) == PluginSearch.normal(name) }
  }
}
