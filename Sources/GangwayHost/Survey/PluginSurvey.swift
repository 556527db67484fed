import Gangway
import GangwayProtocol

/// What is installed, and what goes together, found out without loading anything into this process.
public struct PluginSurvey: Sendable {
  /// Each file, in the order of the search; libraries that merely lie there too.
  public private(set) var statuses: [HostMessage.PluginStatus] = []
  /// What the files contribute, by file; those that were refused only for others' sake too.
  public private(set) var manifests: [String: PluginManifest] = [:]
  /// What does not fit together among them, without anything being refused for it.
  public private(set) var problems: [String] = []

  /// Looks into every file on the search path, as a host does.
  ///
  /// Files that nothing is known of are loaded by processes that run `host`; this blocks until they have ended.
  ///
  /// - Parameters:
  ///   - folders: looked into first.
  ///   - files: files to look into besides.
  ///   - host: the host's executable.
  ///   - rescans: whether what is known from earlier runs does not count.
  ///   - deadline: how long a file may make no progress.
  @MainActor public init(
    folders: [String], files: [String] = [], host: String, rescans: Bool = false, deadline: Duration = .seconds(10)
  ) {
    let framework = PluginLibrary.frameworkPath
    var examination = PluginExamination(
      cache: PluginCache(folder: Folders.cache, framework: framework),
      probe: ProbeRun(executable: host, deadline: deadline), framework: framework, forgets: rescans)
    if let problem = examination.cache.problem { problems.append(problem) }
    let hostFolder = host.lastIndex(of: "/").map { String(host[..<$0]) } ?? "."
    let found = HostFiles.find(in: folders, hostFolder: hostFolder)
    let (findings, problem) = examination.examine(files + found.filter { !files.contains($0) })
    if let problem { problems.append(problem) }
    var missing: [String: String] = [:]
    for finding in findings {
      manifests[finding.file] = finding.manifest
      if let refusal = finding.refusal {
        missing[PluginSearch.id(ofFile: finding.file)] = "'\(finding.file)' was refused: \(refusal.reason)"
      }
    }
    let plan = PluginPlan(
      findings.compactMap { finding in
        finding.manifest.map { .init(file: finding.file, identity: finding.identity, manifest: $0) }
      }, missing: missing)
    statuses = findings.map { finding in
      let manifest = finding.manifest
      let refusal = finding.refusal ?? plan.refused[finding.file]
      return HostMessage.PluginStatus(
        refusal == nil ? .registered : .refused, id: manifest?.id, version: manifest?.version, file: finding.file,
        contributions: manifest?.lines ?? [], refusal: refusal?.description, cause: refusal?.code.rawValue,
        step: refusal?.step.rawValue)
    }
    let registry = Registry()
    for member in plan.accepted { registry.announce(member.manifest) }
    problems += registry.problems
  }

  /// Those that are plugins, or should be.
  public var plugins: [HostMessage.PluginStatus] {
    statuses.filter { $0.cause != Refusal.Code.notAPlugin.rawValue }
      .sorted { ($0.id ?? "~", $0.file) < ($1.id ?? "~", $1.file) }
  }

  /// The plugin of an id, or of a file: the one that would be loaded, if there are several; a library that is none where one is called
  /// so.
  public func status(of name: String) -> HostMessage.PluginStatus? {
    statuses.first { $0.file == name } ?? statuses.first { $0.id == name && $0.state == .registered }
      ?? statuses.first { $0.id == name }
      ?? (plugins + statuses).first { PluginSearch.id(ofFile: $0.file) == PluginSearch.normal(name) }
  }
}
