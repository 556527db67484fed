import ArgumentParser
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Subprocess

/// `gangway validate`: runs all checks on a plugin, for the plugin's own CI.
struct Validate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks a plugin as a host does, then walks through its screens like a user, in a separate process.",
    discussion: help(
      """
      Registers the plugin twice, shows its tabs, opens its links, and takes a random walk through its screens. After \
      each step, compares the screen with the screen that a restart would restore. The same seed gives the same walk. \
      Exits with 1 if there is a finding.
      """,
      examples: [
        "gangway validate .build/debug/libTodos.so": "a build",
        "gangway validate todos --seed 7 --steps 2000": "the installed plugin 'todos', another seed, a longer walk",
        "gangway validate todos --script sign-in.txt": "signed in, for screens that a guard protects",
        "gangway validate todos --data sample --destructive": "with data, and with buttons that delete some",
      ]))

  @Argument(
    help: ArgumentHelp("The plugin's library, or its id.", valueName: "id|file"), completion: Completion.plugins)
  var file: String

  @Option(help: "The seed of the random walk.")
  var seed: UInt64 = 1

  @Option(help: "The number of steps in the random walk.")
  var steps = 200

  @Option(
    help: ArgumentHelp("Run this script of commands before the checks, such as one that signs in.", valueName: "file"),
    completion: .file())
  var script: String?

  @Option(
    help: ArgumentHelp(
      "The app's initial data folder, such as a copy of ~/.local/share/gangway. The checks work on a copy.",
      valueName: "folder"), completion: .directory)
  var data: String?

  @Flag(help: "Also press destructive buttons in the random walk, such as Delete.")
  var destructive = false

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var search: PluginOptions

  private struct Report: Codable {
    var format = 1
    var file: String
    var seed: UInt64
    var checks: [ValidationCheck]
  }

  func validate() throws {
    if let data { try Mistake.check(folder: data, of: "--data") }
  }

  @MainActor func run() async throws {
    let path = try library()
    guard let status = try search.survey(files: [path]).status(of: path) else { throw ExitCode(1) }
    let name = Words.Validation.accepted
    var checks: [ValidationCheck]
    if let refusal = status.refusal {
      let reason = Words.Validation.refused(step: status.step ?? "", cause: status.cause ?? "", reason: refusal)
      checks = [.init(name, isFine: false, reason)]
    } else {
      let id = "\(status.id?.rawValue ?? "") \(status.version ?? "")"
      checks = [.init(name, isFine: true, Words.Validation.passed(id))]
      checks += try await use(path, steps: steps, data.map { ["--data", $0] } ?? [])
      if let data {
        // A crash of the first run is not a crash of damaged data.
        let hasCrashed = checks.contains { $0.name == Words.Validation.continues }
        checks += try await useWithout(data, path).filter { !hasCrashed || $0.name != Words.Validation.continues }
      }
    }
    if json {
      let report = Report(file: path, seed: seed, checks: checks)
      try Locations.result(String(decoding: try Line.encode(report), as: UTF8.self))
    } else {
      for check in checks {
        let mark = check.isFine ? StyledText("✓", .green) : StyledText("✗", .red)
        let line: StyledText = "\(mark) \(check.name): \(check.detail)\n"
        try Locations.result(line)
      }
    }
    if checks.contains(where: { !$0.isFine }) {
      // The command to repeat the run must have all options.
      let others = search.arguments.map { $0.hasPrefix("--") ? $0 : "'\($0)'" }
      var words = ["gangway validate '\(file)' --seed \(seed) --steps \(steps)"]
      words += script.map { ["--script '\($0)'"] } ?? []
      words += (data.map { ["--data '\($0)'"] } ?? []) + (destructive ? ["--destructive"] : []) + others
      Locations.complain(Words.Validation.howToRepeat(words.joined(separator: " ")))
      throw ExitCode(1)
    }
  }

  /// Returns the path of the named file, or of the named plugin's file.
  @MainActor private func library() throws -> String {
    if file.contains("/") { return file }
    if file.hasSuffix(".so") || access(file, F_OK) == 0 { return "./" + file }
    let survey = try search.survey()
    guard let status = survey.status(of: file) else { try UnknownName.refuse(file, survey) }
    return status.file
  }

  /// Uses the plugin with damaged data, and without data, which are different cases than the author's fixture.
  private func useWithout(_ data: String, _ path: String) async throws -> [ValidationCheck] {
    let damaged = try await use(path, steps: min(steps, 60), ["--damaged-data", data]).map { check in
      guard check.name == Words.Validation.continues else { return check }
      return ValidationCheck(check.name, isFine: check.isFine, Words.Validation.withDamagedData(check.detail))
    }
    guard script == nil else { return damaged }
    let empty = try await use(path, steps: 0, [])
    return damaged
      + empty.filter { !$0.isFine }.map { .init($0.name, isFine: false, Words.Validation.withoutData($0.detail)) }
  }

  /// Uses the plugin in a separate host; if the host ends or hangs, its last activity is to blame.
  private func use(_ path: String, steps: Int, _ options: [String]) async throws -> [ValidationCheck] {
    let answer = try await search.inquire(
      ["--validate", path, "--seed", "\(seed)", "--steps", "\(steps)"]
        + (script.map { ["--script", $0] } ?? []) + (destructive ? ["--destructive"] : []) + options,
      silence: .seconds(60 + Double(steps) / 2))
    var checks: [ValidationCheck] = []
    var doing = Words.Validation.starting
    for line in answer.lines {
      switch try? Line.decode(ValidationMessage.self, from: line) {
      case .doing(let what): doing = what
      case .check(let check): checks.append(check)
      case nil: break
      }
    }
    guard case .exited(0) = answer.ending else {
      let ending =
        switch answer.ending {
        case .exited(let code): Words.Validation.exited(code: code, during: doing)
        case .signaled(let signal):
          answer.fatalError.map { Words.Validation.crashed($0, during: doing) }
            ?? Words.Validation.ended(signal: signal, during: doing)
        }
      return checks + [.init(Words.Validation.continues, isFine: false, ending)]
    }
    return checks
  }
}
