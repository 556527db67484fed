import ArgumentParser
import GangwaySupervisor
import Glibc

/// What a user gave a command and the command cannot use, with the exit code for it: those of sysexits.h.
///
/// An option's own check throws ``refused()``: what else such a check throws would end the command with 1, or, once the
/// command runs, with the usage of `gangway` instead of the command's own.
package struct Mistake {
  /// What is wrong, and what to do.
  let message: String
  /// 64 for wrong usage, 66 for a file or folder that is not there or cannot be read, 73 for one that cannot be used.
  let code: ExitCode

  /// An option has a value that it cannot have (EX_USAGE).
  package static func usage(_ message: String) -> Mistake { Mistake(message: message, code: .validationFailure) }

  /// A file or folder that is named is not there, or cannot be read (EX_NOINPUT).
  static func noInput(_ message: String) -> Mistake { Mistake(message: message, code: ExitCode(66)) }

  /// A file or folder cannot be created or used (EX_CANTCREAT).
  package static func cannotCreate(_ message: String) -> Mistake { Mistake(message: message, code: ExitCode(73)) }

  /// Says what is wrong on standard error.
  ///
  /// - Returns: the exit code, to be thrown.
  package func refused() -> ExitCode {
    Locations.complain("gangway: \(message)")
    return code
  }

  /// Checks a folder that an option names.
  ///
  /// - Throws: the exit code 66, once it is said why the folder cannot be read.
  static func check(folder: String, of option: String) throws {
    var status = stat()
    guard stat(folder, &status) == 0, access(folder, R_OK | X_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw noInput("\(option): the folder '\(folder)' cannot be read: \(reason). Name one that is there.").refused()
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw noInput("\(option): '\(folder)' is no folder. Name the folder that the file is in.").refused()
    }
  }

  /// Checks a file that an option names and that is written: nothing but a regular file is written over or moved.
  ///
  /// - Throws: the exit code 64, once it is said what is there.
  static func check(written file: String, of option: String) throws {
    guard let kind = RegularFile.other(file) else { return }
    throw usage("\(option): '\(file)' is \(kind), not a file. It is left as it is. Name a regular file or a new one.")
      .refused()
  }
}
