import ArgumentParser
@_spi(FrontEnd) import GangwayHost
import Glibc

/// `gangway sign`: signs libraries, or creates the key for it.
struct Sign: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Signs libraries with Ed25519; an app with --trusted-keys loads no others.",
    discussion: help(
      "A signature is in a file beside the library, in the format of minisign.",
      examples: [
        "gangway sign --new-key release.key": "a secret key, and release.key.pub for users",
        "gangway sign --key release.key libClock.so": "writes libClock.so.minisig",
        "gangway run --trusted-keys release.key.pub": "then run with signed plugins only",
      ]))

  @Option(
    name: .customLong("new-key"),
    help: ArgumentHelp("Create a secret key in this new file, and the public key beside it.", valueName: "file"),
    completion: .file())
  var newKey: String?

  @Option(help: ArgumentHelp("The secret key, which has no password.", valueName: "file"), completion: .file())
  var key: String?

  @Argument(help: ArgumentHelp("The libraries to sign.", valueName: "library"), completion: .file(extensions: ["so"]))
  var libraries: [String] = []

  func validate() throws {
    if newKey != nil {
      guard key == nil, libraries.isEmpty else { throw ValidationError(Words.Usage.newKeyAlone) }
    } else {
      guard key != nil, !libraries.isEmpty else { throw ValidationError(Words.Usage.signNeedsKey) }
    }
  }

  func run() throws {
    do throws(Refusal) {
      if let newKey {
        let name = try PluginSigning.createKey(at: newKey)
        Locations.note(Words.Plugins.newKey(name, file: newKey))
      }
      for library in libraries {
        let signature = try PluginSigning.sign(library, key: key ?? "", time: time(nil))
        Locations.note(Words.Plugins.signed(library, signature: signature))
      }
    } catch {
      Locations.fail(error)
      throw ExitCode(1)
    }
  }
}
