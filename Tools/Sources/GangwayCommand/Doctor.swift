import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc
import Subprocess
import SystemPackage

/// `gangway doctor`: checks the setup and suggests fixes.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks the installation, the folders and every plugin, and prints the fixes.",
    discussion: help(
      "✓ good, ! note, ✗ broken. Exit 1 if anything is broken.",
      examples: [
        "gangway doctor": "check everything",
        "gangway doctor --plugins-dir .build/debug": "also check a build",
      ]))

  enum Mark: String, Codable {
    case fine, note, broken

    var sign: String {
      switch self {
      case .fine: "✓"
      case .note: "!"
      case .broken: "✗"
      }
    }

    var style: StyledText.Style {
      switch self {
      case .fine: .green
      case .note: .yellow
      case .broken: .red
      }
    }
  }

  struct Check: Codable {
    let mark: Mark
    let what: String
    /// The command that fixes the problem.
    var command: String?

    private enum CodingKeys: String, CodingKey { case mark = "state", what, command = "fix" }
  }

  private struct Answer: Codable {
    var format = 1
    var checks: [Check]
  }

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var search: PluginOptions

  @MainActor func run() async throws {
    let survey = try search.survey()
    let checks =
      installation() + (await host()) + (await toolchain()) + folders() + plugins(survey) + (await fit(survey))
    if json {
      try Locations.result(String(decoding: try Line.encode(Answer(checks: checks)), as: UTF8.self))
    } else {
      for check in checks {
        let line: StyledText = "\(check.mark.sign, check.mark.style) \(check.what)\n"
        try Locations.result(line)
        if let command = check.command { try Locations.result("    \(command)\n") }
      }
      try Locations.result("\n\(Self.summary(checks))\n")
    }
    if checks.contains(where: { $0.mark == .broken }) { throw ExitCode(1) }
  }

  /// Returns a summary of the checks in one line.
  static func summary(_ checks: [Check]) -> String {
    func count(_ mark: Mark) -> Int { checks.count { $0.mark == mark } }
    return Words.Doctor.summary(fine: count(.fine), notes: count(.note), broken: count(.broken))
  }

  /// Checks that the host's executable is one, because any program can be named.
  private func host() async -> [Check] {
    guard access(search.executable, X_OK) == 0 else { return [] }
    let version = await Toolchain.firstLine(of: .path(FilePath(search.executable)))
    if version?.hasPrefix("gangway-host ") == true { return [] }
    return [
      .init(
        mark: .broken, what: Words.Doctor.notAHost(search.executable, answer: version), command: "script/build")
    ]
  }

  /// Checks that a Swift toolchain is installed and has the version that built this command.
  private func toolchain() async -> [Check] {
    guard let number = await Toolchain.version() else {
      return [
        .init(
          mark: .note, what: Words.Doctor.noToolchain, command: "https://www.swift.org/install")
      ]
    }
    let marker = "gangway_compiler_swift_" + number.split(separator: ".").prefix(2).joined(separator: "_")
    let own = (try? LibraryFacts(file: HostPaths.framework))?.ownMarkers ?? []
    guard own.isEmpty || own.contains(marker) else {
      return [
        .init(
          mark: .broken,
          what: Words.Doctor.otherToolchain(number, own: own.joined(separator: ", ")),
          command: SDK.own == nil ? "script/build" : Words.Doctor.sdk(of: number))
      ]
    }
    return [.init(mark: .fine, what: Words.Doctor.toolchain(number))]
  }

  private func installation() -> [Check] {
    var checks: [Check] = []
    let host = search.executable
    if access(host, X_OK) == 0 {
      checks.append(.init(mark: .fine, what: Words.Doctor.host(host)))
    } else {
      let reason = String(cString: strerror(errno))
      checks.append(
        .init(mark: .broken, what: Words.Doctor.hostDidNotStart(host, reason: reason), command: "script/build"))
    }
    let beside = (host.lastIndex(of: "/").map { String(host[..<$0]) } ?? ".") + "/libGangway.so"
    do throws(Refusal) {
      let facts = try LibraryFacts(file: beside)
      let isSame = facts.markers == facts.ownMarkers
      let own = facts.ownMarkers.joined(separator: ", ")
      checks.append(
        isSame
          ? .init(mark: .fine, what: Words.Doctor.framework(beside, markers: own))
          : .init(
            mark: .broken,
            what: Words.Doctor.otherFramework(markers: facts.markers.joined(separator: ", "), own: own),
            command: "script/build"))
    } catch {
      let text = Words.Doctor.frameworkRefused(beside, reason: "\(error)")
      checks.append(.init(mark: .broken, what: text, command: "script/build"))
    }
    let path = getenv("GANGWAY_PLUGIN_PATH").map { String(cString: $0) } ?? ""
    for folder in path.split(separator: ":").map(String.init) where !folder.hasPrefix("/") {
      checks.append(
        .init(
          mark: .broken, what: Words.Doctor.relativePluginPath(folder),
          command: "export GANGWAY_PLUGIN_PATH=\"$PWD/\(folder)\""))
    }
    checks += SettingsFile.read().mistakes.map { mistake in
      .init(mark: .note, what: mistake, command: "$EDITOR \(ShellText.quoted(Locations.settings))")
    }
    if (getenv("TERM").map { String(cString: $0) } ?? "dumb") == "dumb" {
      checks.append(
        .init(
          mark: .note, what: Words.Doctor.noTerminalType, command: "export TERM=xterm-256color"))
    }
    return checks
  }

  private func folders() -> [Check] {
    var checks = [
      (Words.Doctor.stateFolder, Locations.state), (Words.Doctor.cacheFolder, HostPaths.cache),
      (Words.Doctor.dataFolder, HostPaths.data),
    ].map { name, folder in
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        return Check(
          mark: .broken, what: Words.Doctor.folderNotCreated(name, folder, reason: error.reason),
          command: "mkdir -p \(ShellText.quoted(folder))")
      }
      guard access(folder, W_OK | X_OK) == 0 else {
        let reason = String(cString: strerror(errno))
        return Check(
          mark: .broken, what: Words.Doctor.folderUnwritable(name, folder, reason: reason),
          command: "chmod u+rwx \(ShellText.quoted(folder))"
        )
      }
      return Check(mark: .fine, what: Words.Doctor.folder(name, folder))
    }
    let crashes = (try? FileManager.default.contentsOfDirectory(atPath: Locations.state + "/crashes")) ?? []
    if let newest = crashes.max() {
      checks.append(
        .init(
          mark: .note,
          what: Words.Doctor.crashReports(crashes.count, newest: newest),
          command: "less \(ShellText.quoted("\(Locations.state)/crashes/\(newest)"))"))
    }
    return checks
  }

  @MainActor private func plugins(_ survey: PluginSurvey) -> [Check] {
    var checks = survey.plugins.map { status in
      guard let refusal = status.refusal else {
        let text = Words.Doctor.plugin(status.id?.rawValue ?? "", version: status.version ?? "", file: status.file)
        return Check(mark: .fine, what: text)
      }
      return Check(
        mark: .broken, what: Words.Doctor.pluginRefused(status.id?.rawValue ?? status.file, reason: refusal),
        command: Why.command(status))
    }
    checks += survey.statuses.filter(\.isMissingEntry).map { library in
      Check(
        mark: .note, what: Words.Doctor.missingEntry(library.file),
        command: "gangway why \(ShellText.quoted(library.file))")
    }
    if survey.plugins.isEmpty {
      checks.append(.init(mark: .note, what: Words.Doctor.noPlugin, command: "gangway new Hello"))
    }
    return checks
  }

  /// Checks that the plugins' uses of each other fit, in a separate host.
  ///
  /// The host loads all plugins to compare them, and may crash.
  @MainActor private func fit(_ survey: PluginSurvey) async -> [Check] {
    guard access(search.executable, X_OK) == 0 else { return [] }
    guard let answer = try? await search.inquire(["--fit"], silence: .seconds(60)), case .exited(0) = answer.ending
    else {
      return survey.problems.map { Check(mark: .broken, what: $0) } + [
        Check(
          mark: .broken, what: Words.Doctor.hostStopped, command: "gangway validate FILE")
      ]
    }
    return answer.lines.compactMap { line in
      (try? Line.decode(String.self, from: line)).map { Check(mark: .broken, what: $0) }
    }
  }
}
