import ArgumentParser
@_spi(FrontEnd) import GangwaySupervisor
import Glibc

/// An invalid command-line value, with its exit code from sysexits.h.
///
/// An option's validation throws ``refused()``. Any other error of a validation would end the command with 1. Once the
/// command runs, such an error would print the usage of `gangway` instead of the command's own.
package struct Mistake {
  /// The problem and the fix.
  let message: String
  /// 64 for invalid usage; 66 for a file or folder that is missing or unreadable; 73 for one that cannot be used.
  let code: ExitCode

  /// Creates a mistake for an invalid option value (EX_USAGE).
  package static func usage(_ message: String) -> Mistake { Mistake(message: message, code: .validationFailure) }

  /// Creates a mistake for a file or folder that is missing or unreadable (EX_NOINPUT).
  package static func noInput(_ message: String) -> Mistake { Mistake(message: message, code: ExitCode(66)) }

  /// A file or folder that cannot be created or used (EX_CANTCREAT).
  package static func cannotCreate(_ message: String) -> Mistake { Mistake(message: message, code: ExitCode(73)) }

  /// Prints the problem to standard error.
  ///
  /// - Returns: the exit code to throw.
  package func refused() -> ExitCode {
    Locations.fail(message)
    return code
  }

  /// Checks a folder that an option names.
  ///
  /// - Throws: the exit code 66, after printing why the folder cannot be read.
  static func check(folder: String, of option: String) throws {
    var status = stat()
    guard stat(folder, &status) == 0, access(folder, R_OK | X_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw noInput(Words.Files.folderUnreadable(folder, option: option, reason: reason)).refused()
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw noInput(Words.Files.notAFolder(folder, option: option)).refused()
    }
  }

  /// Checks a file that an option names.
  ///
  /// - Throws: the exit code 66, after printing why the file cannot be read.
  static func check(file: String, of option: String) throws {
    guard access(file, R_OK) != 0 else { return }
    let reason = String(cString: strerror(errno))
    throw noInput(Words.Files.fileUnreadable(file, option: option, reason: reason)).refused()
  }

  /// Checks an output file that an option names: only a regular file may be overwritten or moved.
  ///
  /// - Throws: the exit code 64, after printing what is at the path.
  static func check(written file: String, of option: String) throws {
    guard let kind = RegularFile.other(file) else { return }
    throw usage(Words.Files.notARegularFile(file, kind: kind, option: option)).refused()
  }
}
