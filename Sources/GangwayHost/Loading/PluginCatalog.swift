@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The plugins of a host. It finds, examines and plans them before any of their code runs here, and loads them on first
/// use.
@_spi(FrontEnd) @MainActor public final class PluginCatalog {
  /// The contributions of the plugins.
  package let registry = Registry()
  /// The conflicts that were reported already.
  private var toldProblems: Set<String> = []
  /// The status of each file, in search order.
  package var statuses: [HostMessage.PluginStatus] { order.compactMap { states[$0] } }
  /// The warnings, such as refusals. A library that merely is beside plugins causes none.
  package private(set) var warnings: [String] = []
  /// Called before this process runs code of a file.
  var willLoad: (String) -> Void = { _ in }
  /// Called after a plugin's state changes.
  var didChange: (HostMessage.PluginStatus) -> Void = { _ in }
  /// Called with the report of a plugin's change that would affect other plugins.
  var didNotice: (String) -> Void = { Console.complain("gangway-host: \($0)") }

  let options: HostOptions
  private(set) var plan = PluginPlan([])
  private let examiner: PluginExaminer
  private var order: [String] = []
  private var states: [String: HostMessage.PluginStatus] = [:]
  private var members: [PluginID: PluginPlan.Member] = [:]
  /// The files of plugins, by id.
  private var files: [PluginID: String] = [:]
  lazy var loader = PluginLoader(self)

  /// Makes a catalog of the plugins that the options select.
  ///
  /// - Parameters:
  ///   - host: the executable to run with `--probe`; by default this program.
  ///   - willProbe: called before a new process loads a file to find its contributions.
  init(
    _ options: HostOptions, host: String = ProcessIO.executable,
    willProbe: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.options = options
    examiner = PluginExaminer(options, host: host, willProbe: willProbe)
    registry.source = loader
  }

  /// Finds, examines, plans and announces the selected plugins. A refused plugin does not stop the others.
  ///
  /// - Throws: a refusal if no plugin has a requested id; a mistake in the configuration.
  func prepare() async throws {
    registry.onLateCall = { Console.complain("gangway-host: \($0). Move the call into register(in:).") }
    for (id, reason) in options.launch.without { registry.leaveOut(PluginID(rawValue: id), because: reason) }
    for plugin in options.builtIn where options.launch.without[plugin.id] == nil { try registry.register(plugin) }
    let configuration = try options.launch.configuration.map { file throws(HostConfiguration.Mistake) in
      try HostConfiguration(file: file)
    }
    if let configuration { configuration.applyLinks(to: registry.links) }
    let search = PluginSearch(
      folders: options.launch.folders, environment: options.searchPath, hostFolder: ProcessIO.executableFolder)
    if options.launch.plugins.isEmpty { _ = search.files() }
    if let problem = await examiner.cacheProblem { warnings.append(problem) }
    for folder in options.launch.folders where !search.files().contains(where: { $0.hasPrefix(folder) }) {
      warnings.append("The folder '\(folder)' of --plugins-dir contains no plugin. Check its name.")
    }
    try announce(try await select(search))
    if options.launch.plugins.isEmpty {
      let names = Set(states.keys.map { $0.split(separator: "/").last.map(String.init) ?? $0 })
      for locked in await examiner.locked ?? []
      where !states.values.contains(where: { $0.id == locked.id }) && !names.contains(locked.file)
        && leftOut(locked.file, locked.id.rawValue) == nil
      {
        warnings.append(
          "The lock lists the plugin '\(locked.id)' \(locked.version), which was not found. Install it.")
      }
    }
    if options.launch.plugins.isEmpty, let configuration { expect(configuration.expected) }
    if let configuration { warnings += configuration.apply(to: registry) }
    warnings += newProblems()
    if states.values.allSatisfy({ $0.id == nil }), warnings.isEmpty, options.builtIn.isEmpty {
      warnings.append(
        "No plugin was found in \(search.folders.map { "'\($0)'" }.joined(separator: ", ")). Build one, or pass its "
          + "folder with --plugins-dir.")
    }
  }

  /// Returns the conflicts among the plugins that are not reported yet.
  private func newProblems() -> [String] { registry.problems.filter { toldProblems.insert($0).inserted } }

  // MARK: Selecting

  /// Examines the selected files, or all files.
  private func select(_ search: PluginSearch) async throws -> [PluginExamination.Finding] {
    guard !options.launch.plugins.isEmpty else { return await examine(search.files()) }
    var findings: [PluginExamination.Finding] = []
    // The file named after the plugin is examined first. The others are examined only if the file is another plugin's.
    var others: [PluginExamination.Finding]?
    for name in options.launch.plugins {
      if PluginSearch.isPath(name) {
        findings += await examine([name])
        continue
      }
      let id = PluginID(rawValue: name)
      if let file = search.file(named: name) {
        let finding = await examine([file])
        if finding.first?.manifest?.id ?? id == id {
          findings += finding
          continue
        }
      }
      if others == nil { others = await examine(search.files()) }
      guard let found = others?.first(where: { $0.manifest?.id == id }) else {
        throw missing(id, search, others ?? [])
      }
      findings.append(found)
    }
    return findings + (await needed(by: findings, search, &others))
  }

  private func missing(
    _ id: PluginID, _ search: PluginSearch, _ found: [PluginExamination.Finding]
  ) -> Refusal {
    let ids = found.compactMap { $0.manifest?.id.rawValue }
    let nearest = NearestMatch.of(id.rawValue, among: ids).map { " Did you mean '\($0)'?" } ?? ""
    return Refusal(
      .find, .missing,
      "there is no plugin '\(id)': no library of that name or id in "
        + search.folders.map { "'\($0)'" }.joined(separator: ", "),
      advice: "Found: \(ids.isEmpty ? "none" : ids.joined(separator: ", ")).\(nearest) "
        + "Name \(ids.isEmpty ? "" : "one of these, ")the path of a library, or another folder with --plugins-dir.")
  }

  /// Returns the dependencies of the selected plugins that are not selected themselves.
  private func needed(
    by selected: [PluginExamination.Finding], _ search: PluginSearch, _ others: inout [PluginExamination.Finding]?
  ) async -> [PluginExamination.Finding] {
    var present = Set(selected.compactMap { $0.manifest?.id })
    var queue = selected.compactMap(\.manifest).flatMap(\.dependencies)
    var more: [PluginExamination.Finding] = []
    while let dependency = queue.popLast() {
      guard !dependency.isOptional, present.insert(dependency.plugin).inserted else { continue }
      if others == nil { others = await examine(search.files()) }
      guard let found = others?.first(where: { $0.manifest?.id == dependency.plugin }) else { continue }
      more.append(found)
      queue += found.manifest?.dependencies ?? []
    }
    return more
  }

  private func examine(_ files: [String]) async -> [PluginExamination.Finding] {
    if options.launch.without.isEmpty {
      let (findings, problem) = await examiner.examine(files)
      if let problem, !warnings.contains(problem) { warnings.append(problem) }
      return findings
    }
    let (findings, problem) = await examiner.examine(files.filter { leftOut($0, PluginSearch.id(ofFile: $0)) == nil })
    if let problem, !warnings.contains(problem) { warnings.append(problem) }
    let others = files.compactMap { file in
      leftOut(file, PluginSearch.id(ofFile: file)).map { reason in
        PluginExamination.Finding(file: file, identity: nil, verdict: .refused(Self.leftOut(reason)))
      }
    }
    // A file may have another name than its plugin.
    let renamed = findings.map { finding in
      finding.manifest.flatMap { leftOut(finding.file, $0.id.rawValue) }.map { reason in
        PluginExamination.Finding(file: finding.file, identity: nil, verdict: .refused(Self.leftOut(reason)))
      } ?? finding
    }
    return renamed + others
  }

  private static func leftOut(_ reason: String) -> Refusal { .leftOut(reason) }

  private func leftOut(_ file: String, _ id: String) -> String? { options.launch.reasonToLeaveOut(file, id: id) }

  // MARK: Announcing

  /// Plans which plugins work together, and announces them to the registry.
  ///
  /// - Throws: the refusal of a built-in plugin.
  private func announce(_ findings: [PluginExamination.Finding]) throws {
    // Built-in plugins come first, and take part in dependencies and conflicts like any other.
    let builtIn = try options.builtIn.filter { options.launch.without[$0.id] == nil }.map { plugin in
      PluginPlan.Member(file: ProcessIO.executable, identity: nil, manifest: try Registry().manifest(of: plugin))
    }
    let own = Set(builtIn.map(\.id))
    var members = builtIn
    var missing: [PluginID: String] = [:]
    for finding in findings {
      order.append(finding.file)
      if let manifest = finding.manifest, let reason = leftOut(finding.file, manifest.id.rawValue) {
        set(.disabled, finding.file, manifest, Self.leftOut(reason))
        missing[manifest.id] = "that plugin is not loaded: \(reason)"
      } else if let manifest = finding.manifest {
        members.append(
          .init(
            file: finding.file, identity: finding.identity, manifest: manifest,
            needsFoundation: finding.needsFoundation, helpers: finding.helpers))
      } else if let refusal = finding.refusal {
        refuse(finding.file, refusal)
        missing[PluginID(rawValue: PluginSearch.id(ofFile: finding.file))] =
          "'\(finding.file)' was refused: \(refusal.reason)"
      }
    }
    plan = PluginPlan(members, missing: missing, ignoresCase: registry.links.ignoresCase)
    if let refusal = plan.refused[ProcessIO.executable] { throw refusal }
    for member in members.dropFirst(builtIn.count) {
      if let refusal = plan.refused[member.file] { refuse(member.file, refusal, member.manifest) }
    }
    for member in plan.accepted where !own.contains(member.id) { announce(member) }
  }

  private func announce(_ member: PluginPlan.Member) {
    let held = absence(of: member)
    registry.announce(member.manifest, absentBecause: held?.reason)
    files[member.id] = member.file
    members[member.id] = member
    set(
      held?.state ?? .registered, member.file, member.manifest,
      held.map { Refusal(.plan, .leftOut, $0.reason, advice: "Choose Try again on its screen to load it.") })
  }

  /// Adds placeholders for the tabs of features that may arrive while the app runs and are not here yet.
  private func expect(_ tabs: [HostConfiguration.ExpectedTab]) {
    let files = states.values.map { $0.id?.rawValue ?? PluginSearch.id(ofFile: $0.file) }
    let present = Set((files + options.builtIn.map { $0.id }).map(PluginSearch.normal))
    for (plugin, tabs) in Dictionary(grouping: tabs, by: \.tab.plugin).sorted(by: { $0.key < $1.key })
    where !present.contains(PluginSearch.normal(plugin.rawValue))
      && leftOut(plugin.rawValue, plugin.rawValue) == nil
    {
      let records = tabs.map { tab in
        ContributionRecord(.tab, tab.tab.rawValue, [.title: tab.title, .symbol: tab.symbol])
      }
      let manifest = PluginManifest(id: plugin, version: "", records: records)
      registry.announce(manifest, absentBecause: tabs[0].text, isExpected: true)
      // The id stands for the file until there is one. A reload then adds the plugin.
      order.append(plugin.rawValue)
      states[plugin.rawValue] = .init(.disabled, id: plugin, file: plugin.rawValue, refusal: tabs[0].text)
    }
  }

  /// Returns why a known plugin must not load before the user asks for it; nil if it may.
  private func absence(of member: PluginPlan.Member) -> (state: HostMessage.PluginStatus.State, reason: String)? {
    if let reason = options.launch.quarantined.first(where: { $0.key == member.id.rawValue || $0.key == member.file })?
      .value
    {
      return (.quarantined, reason)
    }
    return options.launch.isSafe && !options.launch.allowed.contains(member.id)
      ? (.disabled, "the app was started in safe mode, which loads no plugins") : nil
  }

  private func refuse(_ file: String, _ refusal: Refusal, _ manifest: PluginManifest? = nil) {
    let isLeftOut = refusal.code == .leftOut
    set(isLeftOut ? .disabled : .refused, file, manifest, refusal)
    let text = isLeftOut ? refusal.reason : refusal.description
    registry.leaveOut(PluginID(rawValue: PluginSearch.id(ofFile: file)), because: text)
    if let manifest, files[manifest.id] == nil { registry.leaveOut(manifest.id, because: text) }
    guard refusal.code != .notAPlugin || options.launch.plugins.contains(file), !isLeftOut else { return }
    warnings.append("\(file) was refused: \(refusal)")
  }

  private func set(
    _ state: HostMessage.PluginStatus.State, _ file: String, _ manifest: PluginManifest?, _ refusal: Refusal? = nil
  ) {
    states[file] = .init(
      state, id: manifest?.id, version: manifest?.version, file: file,
      contributions: state == .active ? manifest?.lines ?? [] : [],
      refusal: refusal.map { $0.code == .leftOut ? $0.reason : $0.description }, cause: refusal?.code.rawValue,
      step: refusal?.step.rawValue)
  }

  // MARK: Loading

  /// The plugins in files, each after its dependencies. Built-in plugins are not included.
  var accepted: [PluginPlan.Member] { plan.accepted.filter { members[$0.id] != nil } }

  func member(_ plugin: PluginID) -> PluginPlan.Member? { members[plugin] }

  func status(of plugin: PluginID) -> HostMessage.PluginStatus? { files[plugin].flatMap { states[$0] } }

  /// Records the new state of a plugin.
  func note(_ state: HostMessage.PluginStatus.State, _ member: PluginPlan.Member, _ refusal: Refusal? = nil) {
    set(state, member.file, member.manifest, refusal)
    if let refusal, refusal.code == .changedContributions || refusal.code == .changed {
      Task { [examiner] in await examiner.forget(member.file) }
    }
    if let status = states[member.file] { didChange(status) }
    guard state == .active else { return }
    // Types can be compared only after both plugins are loaded.
    for problem in newProblems() {
      warnings.append(problem)
      Console.complain("gangway-host: \(problem)")
    }
  }

  /// Loads the plugins that the options request at the start.
  func loadEarly() async {
    for member in accepted
    where status(of: member.id)?.state == .registered && (options.isEager || options.launch.loaded.contains(member.id))
    {
      await registry.load(member.id)
    }
  }
}

extension HostLaunch {
  /// Returns the reason why a plugin is left out; nil if it is not.
  ///
  /// - Parameters:
  ///   - file: the path of its library.
  ///   - id: its id, or the id that its file name stands for.
  func reasonToLeaveOut(_ file: String, id: String) -> String? {
    without.first { PluginSearch.normal($0.key) == PluginSearch.normal(id) || $0.key == file }?.value
  }
}

extension Refusal {
  /// The refusal of a plugin that the start of the app leaves out.
  static func leftOut(_ reason: String) -> Refusal {
    Refusal(.find, .leftOut, reason, advice: "To load the plugin, start the app without the option --without.")
  }
}
