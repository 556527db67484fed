import ArgumentParser
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

/// `gangway why`: prints the state of a plugin, its cause and the fix.
struct Why: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explains why a plugin is or is not available: its state, the cause and the fix.",
    discussion: help(
      "The command also asks all running apps. Exit 1 if the plugin is not available.",
      examples: [
        "gangway why todos": "the installed plugin 'todos'",
        "gangway why ./libTodos.so": "a file, installed or not",
      ]))

  @Argument(help: ArgumentHelp("The plugin's id, or its file.", valueName: "id|file"), completion: Completion.plugins)
  var name: String

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var search: PluginOptions

  private struct Answer: Codable {
    /// The state of a plugin in one place: installed, or in a running app.
    struct State: Codable {
      var place: String
      var status: HostMessage.PluginStatus
      var fix: String?
    }

    var format = 1
    var states: [State]
  }

  @MainActor func run() async throws {
    var shown = try installed().map { ($0.place, $0.status) }
    let own = shown[0].1
    for app in RunningApps(folder: Locations.sockets).apps {
      guard let plugins = await app.plugins() else {
        Locations.fail(app.silence)
        continue
      }
      if let status = plugins.first(where: { $0.id == own.id && $0.id != nil || $0.file == own.file }) {
        shown.append((Words.State.inApp(of: app.process), status))
      }
    }
    if json {
      let answer = Answer(
        states: shown.map { .init(place: $0.0, status: $0.1, fix: Self.command($0.1)) })
      try Locations.result(String(decoding: try Line.encode(answer), as: UTF8.self))
    } else {
      for (place, status) in shown { try Locations.result(Self.lines(status, place).joined(separator: "\n") + "\n") }
    }
    if shown.contains(where: { $0.1.refusal != nil }) { throw ExitCode(1) }
  }

  /// Returns the installed plugin of this name, followed by other files with the same id.
  ///
  /// - Throws: the exit code 1 if there is none.
  @MainActor private func installed() throws -> [(place: String, status: HostMessage.PluginStatus)] {
    let survey = try search.survey()
    let path = UnknownName.isFile(name) ? FilePaths.whole(name) : nil
    // A file in a plugin folder keeps its state from the survey. Any other file is examined as if it were named.
    if let path, !survey.statuses.contains(where: { FilePaths.whole($0.file) == path }) {
      guard let status = try search.survey(files: [name]).status(of: name) else {
        Locations.fail(Words.Plugins.unknownFile(name))
        throw ExitCode(1)
      }
      return [(Words.State.notSearched, status)]
    }
    let named = survey.statuses.first { status in path.map { FilePaths.whole(status.file) == $0 } ?? false }
    guard let status = named ?? survey.status(of: name) else {
      let ids = survey.plugins.compactMap(\.id)
      Locations.complain(UnknownName.plugin(name, among: ids) + "\n" + Words.Plugins.howToListOthers)
      throw ExitCode(1)
    }
    let others = survey.plugins.filter { $0.id != nil && $0.id == status.id && $0.file != status.file }
    return ([status] + others).map { (Words.State.installed, $0) }
  }

  static func lines(_ status: HostMessage.PluginStatus, _ place: String) -> [String] {
    var lines = [
      "\(status.id?.rawValue ?? status.file) \(status.version ?? "")".trimmed + ": \(status.state.rawValue), \(place)"
    ]
    if let refusal = status.refusal {
      lines.append(Words.State.step(status.step, cause: status.cause))
      lines.append(Words.State.reason(refusal))
    }
    lines.append(Words.State.file(status.file))
    if let command = command(status) { lines.append(Words.State.fix(command)) }
    return lines + Self.missingEntry(status)
  }

  /// Returns advice for a library that uses the framework and exports no plugin.
  private static func missingEntry(_ status: HostMessage.PluginStatus) -> [String] {
    guard status.isMissingEntry else { return [] }
    var name = status.file.split(separator: "/").last.map(String.init) ?? status.file
    if name.hasSuffix(".so") { name.removeLast(3) }
    if name.hasPrefix("lib") { name.removeFirst(3) }
    return Words.State.missingEntry(name)
  }

  /// Returns the command that fixes the problem; nil if there is none.
  static func command(_ status: HostMessage.PluginStatus) -> String? {
    guard status.refusal != nil else { return nil }
    let name = status.id?.rawValue ?? ShellText.quoted(status.file)
    let file = ShellText.quoted(status.file)
    switch status.state {
    case .quarantined, .failed: return status.id.map { "gangway reload \(ShellText.quoted($0.rawValue))" }
    case .disabled: return "gangway run"
    default: break
    }
    switch status.cause {
    case "writable-by-others": return "chmod go-w \(file) \"$(dirname \(file))\""
    case "unreadable": return "chmod u+r \(file)"
    case "foreign-owner": return "sudo chown $(id -u) \(file)"
    case "other-abi", "other-compiler", "missing-marker", "contains-framework",
      "missing-library", "registration", "load-failed", "malformed", "truncated", "empty-entry", "other-architecture",
      "not-elf":
      return "swift build --package-path PATH-OF-ITS-PACKAGE"
    case "crashed", "exited", "timed-out": return "gdb --args gangway-host --probe \(file)"
    case "duplicate-id", "conflict": return "gangway run --without \(file)"
    case "missing-dependency", "unsatisfied-dependency", "failed-dependency":
      return "gangway list --broken --plugins-dir DIR-OF-DEPENDENCY"
    case "changed-contributions", "changed": return "gangway why \(name) --rescan"
    case "missing": return "ls -l \(file)"
    // The owner decides whether to trust the file. Locking or signing it as it is would defeat the purpose.
    case "not-a-plugin", "not-locked", "unsigned", "bad-signature", "not-checked": return nil
    default: return "gangway validate \(file)"
    }
  }
}

extension HostMessage.PluginStatus {
  /// Whether the library uses the framework and exports no plugin.
  var isMissingEntry: Bool {
    guard cause == Refusal.Code.notAPlugin.rawValue, let facts = try? LibraryFacts(file: file) else { return false }
    return facts.needed.contains("libGangway.so")
  }
}

extension String {
  /// The text without trailing spaces.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
