import ArgumentParser
import FoundationEssentials
import GangwayClient
import GangwayHost
import GangwayProtocol
import GangwaySupervisor
import Glibc

/// `gangway doctor`: whether all is in order, and what to do where it is not.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks the installation, the folders and every plugin; says the command that mends what is wrong.",
    discussion: "✓ in order, ! worth knowing, ✗ broken. Exit 1 if anything is broken.")

  enum Mark: String { case fine = "✓", note = "!", broken = "✗" }

  struct Check {
    let mark: Mark
    let what: String
    /// The command that mends it.
    var command: String?
  }

  @OptionGroup var search: PluginOptions

  @MainActor func run() async throws {
    let survey = search.survey()
    let checks = installation() + folders() + plugins(survey) + (await fit(survey))
    let isColored = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
    for check in checks {
      let color = check.mark == .fine ? "32" : check.mark == .note ? "33" : "31"
      let mark = isColored ? "\u{1b}[\(color)m\(check.mark.rawValue)\u{1b}[0m" : check.mark.rawValue
      try Locations.result("\(mark) \(check.what)\n")
      if let command = check.command { try Locations.result("    \(command)\n") }
    }
    if checks.contains(where: { $0.mark == .broken }) { throw ExitCode(1) }
  }

  private func installation() -> [Check] {
    var checks: [Check] = []
    let host = search.executable
    if access(host, X_OK) == 0 {
      checks.append(.init(mark: .fine, what: "the host is '\(host)'"))
    } else {
      let reason = String(cString: strerror(errno))
      checks.append(.init(mark: .broken, what: "the host '\(host)' cannot be run: \(reason)", command: "script/build"))
    }
    let beside = (host.lastIndex(of: "/").map { String(host[..<$0]) } ?? ".") + "/libGangway.so"
    do throws(Refusal) {
      let facts = try LibraryFacts(file: beside)
      let isSame = facts.markers == facts.ownMarkers
      let own = facts.ownMarkers.joined(separator: ", ")
      checks.append(
        isSame
          ? .init(mark: .fine, what: "the framework is '\(beside)' (\(own))")
          : .init(
            mark: .broken,
            what: "the framework beside the host has \(facts.markers.joined(separator: ", ")), this command \(own)",
            command: "script/build"))
    } catch {
      checks.append(.init(mark: .broken, what: "the framework '\(beside)': \(error)", command: "script/build"))
    }
    let path = getenv("GANGWAY_PLUGIN_PATH").map { String(cString: $0) } ?? ""
    for folder in path.split(separator: ":").map(String.init) where !folder.hasPrefix("/") {
      checks.append(
        .init(
          mark: .broken, what: "GANGWAY_PLUGIN_PATH has '\(folder)', which is not absolute and is passed over",
          command: "export GANGWAY_PLUGIN_PATH=\"$PWD/\(folder)\""))
    }
    if (getenv("TERM").map { String(cString: $0) } ?? "dumb") == "dumb" {
      checks.append(
        .init(
          mark: .note, what: "TERM names no terminal, so the plain front end is used",
          command: "export TERM=xterm-256color"))
    }
    return checks
  }

  private func folders() -> [Check] {
    var checks = [("state and logs", Locations.state), ("cache", HostPaths.cache), ("data of plugins", HostPaths.data)]
      .map {
        name, folder in
        do {
          try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
          return Check(
            mark: .broken, what: "\(name): '\(folder)' cannot be made: \(error)",
            command: "mkdir -p \(ShellText.quoted(folder))")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
          let reason = String(cString: strerror(errno))
          return Check(
            mark: .broken, what: "\(name): '\(folder)' cannot be written: \(reason)",
            command: "chmod u+rwx \(ShellText.quoted(folder))"
          )
        }
        return Check(mark: .fine, what: "\(name): '\(folder)'")
      }
    let crashes = (try? FileManager.default.contentsOfDirectory(atPath: Locations.state + "/crashes")) ?? []
    if !crashes.isEmpty {
      checks.append(
        .init(
          mark: .note,
          what:
            "\(crashes.count) crash \(crashes.count == 1 ? "report" : "reports"), the newest is \(crashes.sorted().last ?? "")",
          command: "less \(ShellText.quoted("\(Locations.state)/crashes/\(crashes.sorted().last ?? "")"))"))
    }
    return checks
  }

  @MainActor private func plugins(_ survey: PluginSurvey) -> [Check] {
    var checks = survey.plugins.map { status in
      guard let refusal = status.refusal else {
        return Check(mark: .fine, what: "\(status.id ?? "") \(status.version ?? "") '\(status.file)'")
      }
      return Check(mark: .broken, what: "\(status.id ?? status.file): \(refusal)", command: Why.command(status))
    }
    if survey.plugins.isEmpty {
      checks.append(.init(mark: .note, what: "no plugin is installed", command: "gangway new Hello"))
    }
    return checks
  }

  /// What the plugins use of each other and does not fit: a host of its own loads them all to compare, and may die of it.
  @MainActor private func fit(_ survey: PluginSurvey) async -> [Check] {
    guard access(search.executable, X_OK) == 0 else { return [] }
    guard let answer = try? await search.inquire(["--fit"], limit: .seconds(60)), case .exited(0) = answer.ending else {
      return survey.problems.map { Check(mark: .note, what: $0) } + [
        Check(
          mark: .broken,
          what: "the host ended or did not return while it loaded all plugins, so what they use is not compared",
          command: "gangway validate FILE")
      ]
    }
    return answer.lines.compactMap { line in
      (try? Line.decode(String.self, from: line)).map { Check(mark: .note, what: $0) }
    }
  }
}
