/// The messages of the commands, by topic.
///
/// The code that decides which message to print is elsewhere. The name of the command before a message is not part of
/// it. The descriptions of options are where the options are.
enum Words {
  /// Messages about the words of the command line.
  enum Usage {
    static func unknownCommand(_ name: String, nearest: String?, commands: [String]) -> String {
      "there is no command '\(name)'.\(didYouMean(nearest)) Commands: \(commands.joined(separator: ", ")).\n"
        + "  See 'gangway --help' for more information."
    }

    static func noHelp(for name: String, nearest: String?, commands: [String]) -> String {
      let others = commands.isEmpty ? "" : " Commands: \(commands.joined(separator: ", "))."
      return "there is no command '\(name)' and no help for it.\(didYouMean(nearest))\(others)"
    }

    static func unknownShell(_ name: String) -> String {
      "there is no completion for the shell '\(name)'. Name bash, zsh or fish."
    }

    static let detachHasNoFrontEnd =
      "--detach does not work with --frontend, --screen-reader and --script: the app runs without a front end."
    static let screenReaderInBrowser = "--screen-reader does not work with --frontend web."
    static let screenReaderInTerminal =
      "--screen-reader and --frontend terminal exclude each other. Choose one."
    static let scriptInBrowser = "--script does not work with --frontend web."
    static let optionsOfRun =
      "--frontend, --script, --state, --record and --screen-reader work only with 'gangway run'."

    static let newKeyAlone = "--new-key creates a key and signs nothing. Sign with --key FILE LIBRARY."
    static let signNeedsKey = "Name the key and the libraries: gangway sign --key FILE LIBRARY..."

    static func probeTimeoutOutOfRange(_ seconds: Double) -> String {
      "--probe-timeout takes a number of seconds from 0.01 to 3600, not '\(seconds)'."
    }

    static func portOutOfRange(_ port: Int) -> String { "--port takes 0 to 65535, not '\(port)'." }

    static func uploadOutOfRange(_ size: Int) -> String { "--max-upload takes 1 to 100000, not '\(size)'." }

    static func hostsOutOfRange(_ count: Int) -> String { "--hosts takes 1 to 64, not '\(count)'." }

    /// The question that follows a message about an unknown name; empty without a similar name.
    static func didYouMean(_ nearest: String?) -> String { nearest.map { " Did you mean '\($0)'?" } ?? "" }
  }

  /// Messages about files and folders that cannot be read or written.
  enum Files {
    static func folderUnreadable(_ folder: String, option: String, reason: String) -> String {
      "\(option): the folder '\(folder)' could not be read: \(reason). Name a readable folder."
    }

    static func fileUnreadable(_ file: String, option: String, reason: String) -> String {
      "\(option): the file '\(file)' could not be read: \(reason). Name a readable file."
    }

    static func unwritable(_ file: String, reason: String) -> String {
      "'\(file)' could not be written: \(reason)"
    }

    static func notAFolder(_ path: String, option: String) -> String {
      "\(option): '\(path)' is not a folder. Name a folder."
    }

    static func notARegularFile(_ path: String, kind: String, option: String) -> String {
      "\(option): '\(path)' is \(kind), not a file. Name a regular file or a new one."
    }

    static func recordingUnreadable(_ file: String, reason: String) -> String {
      "The recording '\(file)' could not be read: \(reason)."
    }

    static func outputUnwritable(reason: String) -> String { "the output could not be written: \(reason)." }

    static func settingsUnreadable(_ file: String, reason: String) -> String { "\(file) could not be read: \(reason)." }

    static func settingsTooLong(_ file: String, limit: Int) -> String {
      "\(file) has more than \(limit) bytes, the limit for a settings file. Shorten it."
    }

    static func noLog(_ path: String, reason: String) -> String {
      "there is no log '\(path)' (\(reason)). Start an app: gangway run"
    }
  }

  /// Messages about new packages.
  enum NewPackage {
    static func notAModuleName(_ name: String, better: String?) -> String {
      "'\(name)' cannot be the name of a plugin. Begin with a capital letter, and use only letters and digits."
        + Usage.didYouMean(better)
    }

    static func reservedName(_ name: String) -> String {
      "'\(name)' is a module or type that the plugin needs. Choose another name."
    }

    static func exists(_ folder: String) -> String {
      "'\(folder)' already exists. Choose another name, or another folder with --in DIR."
    }

    static func incompleteSDK(_ folder: String, missing: String) -> String {
      "the SDK in '\(folder)' is incomplete: '\(missing)' is missing. Unpack or install the SDK again."
    }

    static func otherCompiler(_ folder: String, wanted: String, found: String) -> String {
      "the SDK in '\(folder)' belongs to Swift \(wanted), and the compiler in PATH is Swift \(found). Install the SDK "
        + "of Swift \(found), or add Swift \(wanted) to PATH."
    }

    static func unreadableSDK(_ folder: String, reason: String) -> String {
      "'sdk.json' of the SDK in '\(folder)' cannot be read: \(reason). Unpack or install the SDK again."
    }

    static let noFramework =
      "cannot find the framework: no SDK is beside this command, and the command was not built in a checkout. Pass "
      + "the framework's package with --gangway PATH or --gangway URL."

    static func notAPackage(_ framework: String) -> String {
      "'\(framework)' has no Package.swift. Name the folder of the framework's checkout."
    }

    static func unwritable(_ folder: String, reason: String) -> String {
      "'\(folder)' could not be written: \(reason)"
    }

    static func created(_ folder: String) -> String {
      "Created '\(folder)'. Continue with its README.md:\n\n    cd \(folder)\n    swift test --disable-xctest\n"
        + "    gangway dev ."
    }
  }

  /// The values of `gangway env` that are missing.
  enum Environment {
    static let notSet = "(not set)"
    static let unknown = "(unknown)"
  }
}
