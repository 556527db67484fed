import ArgumentParser
import Glibc

/// `gangway completion`: prints the completion script of a shell.
struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Prints a script with which a shell completes commands, options and ids.",
    discussion: help(
      examples: [
        "source <(gangway completion bash)": "in this bash shell",
        "gangway completion zsh >~/.zfunc/_gangway": "in all later zsh shells",
        "gangway completion fish | source": "in this fish shell",
      ]))

  @Argument(
    help: "bash, zsh or fish; by default, the shell that SHELL names.",
    completion: .list(["bash", "zsh", "fish"]))
  var shell: String?

  func run() throws {
    let own = getenv("SHELL").map { String(cString: $0) }?.split(separator: "/").last.map(String.init)
    let name = shell ?? own ?? ""
    guard let shell = CompletionShell(rawValue: name) else {
      Locations.fail(Words.Usage.unknownShell(name))
      throw ExitCode.validationFailure
    }
    try Locations.result(Gangway.completionScript(for: shell) + "\n")
  }
}
