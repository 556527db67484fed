import Gangway
import GangwayProtocol

/// The plugins of a host: found, verified, loaded and registered, or refused with the reason.
@MainActor public final class PluginCatalog {
  /// What the plugins contribute.
  public let registry = Registry()
  /// What became of each file, in the order of loading.
  public private(set) var statuses: [HostMessage.PluginStatus] = []
  /// The refusals worth a warning: not those of libraries that merely lie beside plugins.
  public private(set) var warnings: [String] = []

  private let options: HostOptions
  private var files: [String: String] = [:]

  init(_ options: HostOptions) { self.options = options }

  /// Loads and registers what the options select. What is refused does not keep the others from running.
  ///
  /// - Parameter willLoad: called with a file before any of its code runs.
  /// - Throws: a refusal if a plugin that was asked for by id is not to be found; a mistake in the configuration.
  func load(willLoad: (String) -> Void) throws {
    registry.onLateCall = { Console.complain("gangway-host: \($0). Move the call into register(in:).") }
    for (id, reason) in options.without { registry.leaveOut(id, because: reason) }
    let search = PluginSearch(
      folders: options.folders, environment: options.searchPath, hostFolder: ProcessIO.executableFolder)
    for folder in options.folders where !search.files().contains(where: { $0.hasPrefix(folder) }) {
      warnings.append("No plugin is in '\(folder)', given with --plugins-dir. Check the folder's name.")
    }
    let configuration = try options.configuration.map { file throws(HostConfiguration.Mistake) in
      try HostConfiguration(file: file)
    }
    let candidates = try search.candidates(selection: options.plugins)
    let contract = try PluginContract(frameworkPath: PluginLibrary.frameworkPath)
    for candidate in candidates { take(candidate, contract, willLoad) }
    if let configuration { warnings += configuration.apply(to: registry) }
    warnings += registry.problems
    if registry.plugins.isEmpty, warnings.isEmpty {
      warnings.append(
        "No plugin was found in \(search.folders.map { "'\($0)'" }.joined(separator: ", ")). Build one, or name its "
          + "folder with --plugins-dir.")
    }
  }

  private func take(_ candidate: PluginSearch.Candidate, _ contract: PluginContract, _ willLoad: (String) -> Void) {
    let path = candidate.path
    let fileID = candidate.wantedID ?? PluginSearch.id(ofFile: path)
    if let reason = leftOut(path, fileID) {
      statuses.append(.init(file: path, refusal: reason, cause: Refusal.Code.leftOut.rawValue))
      registry.leaveOut(fileID, because: reason)
      return
    }
    do {
      let plugin = try verifyAndLoad(path, contract, willLoad)
      try register(plugin, candidate)
    } catch {
      statuses.append(.init(file: path, refusal: error.description, cause: error.code.rawValue))
      registry.leaveOut(fileID, because: error.description)
      guard error.code != .notAPlugin || candidate.isNamed, error.code != .leftOut else { return }
      warnings.append("\(path) was refused: \(error)")
    }
  }

  private func leftOut(_ path: String, _ id: String) -> String? {
    options.without.first { PluginSearch.normal($0.key) == PluginSearch.normal(id) || $0.key == path }?.value
  }

  private func verifyAndLoad(
    _ path: String, _ contract: PluginContract, _ willLoad: (String) -> Void
  ) throws(Refusal) -> any Plugin.Type {
    let file = try TrustedFile(path)
    try contract.check(ELFFile(file))
    willLoad(path)
    return try PluginLibrary.load(file)
  }

  private func register(_ plugin: any Plugin.Type, _ candidate: PluginSearch.Candidate) throws(Refusal) {
    let id = plugin.id
    if let wanted = candidate.wantedID, wanted != id {
      throw Refusal(
        .register, .otherID, "it was looked for as '\(wanted)', and calls itself '\(id)'",
        advice: "Name it by its path, or rename the library to match its id.")
    }
    if let reason = leftOut(candidate.path, id) {
      throw Refusal(.register, .leftOut, reason, advice: "Start without --without \(id) to have it.")
    }
    if let other = files[id] {
      throw Refusal(
        .register, .duplicateID, "its id '\(id)' is that of '\(other)' too, which was loaded first",
        advice: "Remove one of them, or leave one out by its path with --without.")
    }
    do {
      try registry.register(plugin)
    } catch {
      throw Refusal(
        .register, .registration, "it did not register: \(error)",
        advice: "Correct its register(in:) and build it again.")
    }
    files[id] = candidate.path
    statuses.append(
      .init(id: id, version: plugin.version, file: candidate.path, contributions: registry.contributions(of: id)))
  }
}
