@_spi(FrontEnd) import GangwayProtocol

extension Words {
  /// Messages about packing and installing plugins.
  enum Packing {
    static func packed(_ file: String, size: Int) -> String {
      "\(file) (\(FileSize.text(size))). Install it with: gangway install \(file)"
    }

    static let notStripped =
      "the library keeps its symbols for debugging, because there is no `strip`. Install binutils for smaller files."

    static func badVersion(_ text: String) -> String {
      "the plugin's version '\(text)' is not a version like 1.2.3. Change it in the plugin's code."
    }

    static func installed(_ id: PluginID, _ version: String, file: String, previous: String?) -> String {
      "\(id) \(version) was installed: \(file)" + (previous.map { ". It replaces \($0)." } ?? ".")
    }

    static func uninstalled(_ id: PluginID, file: String) -> String { "\(id) was removed: \(file). Its data stays." }

    static func notInstalled(_ id: PluginID, folder: String, elsewhere: String?) -> String {
      elsewhere.map {
        "'\(id)' is in '\($0)', and `gangway uninstall` removes only plugins in '\(folder)'. Delete the file, or name "
          + "its folder with --to."
      } ?? "there is no plugin '\(id)' in '\(folder)'. `gangway list` prints the installed plugins."
    }

    static func older(_ id: PluginID, installed: String, archive: String) -> String {
      "the installed '\(id)' has the version \(installed), and the archive has \(archive). Use --downgrade to replace "
        + "it."
    }

    static func refused(_ path: String, reason: String) -> String { "'\(path)' is not installed: \(reason)" }

    static func otherPlugin(_ path: String, facts: String, found: String) -> String {
      "'\(path)' says that it contains \(facts), but its library is \(found). Pack it again."
    }

    static func notAnArchive(_ path: String, reason: String = "") -> String {
      "'\(path)' is not an archive of `gangway pack`, or is damaged\(reason.isEmpty ? "" : ": \(reason)"). Get it "
        + "again."
    }

    static func unreadable(_ path: String, reason: String) -> String {
      "the archive '\(path)' could not be read: \(reason). Name the file that `gangway pack` wrote."
    }

    static func notAFile(_ path: String, kind: String) -> String {
      "'\(path)' is \(kind), not an archive. Name the file that `gangway pack` wrote."
    }

    static func noTar(_ path: String, reason: String) -> String {
      "`tar` could not process '\(path)': \(reason). Check that tar and gzip are installed."
    }

    static func notRemoved(_ file: String, reason: String) -> String {
      "'\(file)' could not be removed: \(reason). Make its folder writable, or use sudo."
    }

    static func laterIn(_ process: Int32) -> String {
      "the app of process \(process) shows the plugin after its next start."
    }

    static func notPacked(_ library: String, reason: String) -> String {
      "'\(library)' was not packed: \(reason)"
    }

    static func twice(_ name: String, _ path: String) -> String { "'\(path)' contains '\(name)' twice. Pack it again." }

    static func tooLarge(_ path: String, count: Int, size: Int) -> String {
      "'\(path)' has \(count) files with \(size) bytes; the limit is 64 files with 1073741824 bytes in all. "
        + "Pack the plugin again with fewer or smaller files."
    }

    static func noFacts(_ path: String) -> String {
      "'\(path)' has no plugin.json, so `gangway pack` did not write it. Pack the plugin again."
    }

    static func unreadableFacts(_ path: String, reason: String) -> String {
      "the plugin.json in '\(path)' could not be read: \(reason). Pack the plugin again."
    }

    static func otherFormat(_ path: String, _ format: Int) -> String {
      "'\(path)' has the format \(format), and this version reads the format 1. Install the version of gangway that "
        + "packed it."
    }

    static func otherMachine(_ path: String, _ architecture: String, own: String) -> String {
      "'\(path)' is for \(architecture), and this machine is \(own). Get the archive for \(own)."
    }

    static func otherMembers(_ path: String, facts: [String], found: [String]) -> String {
      "'\(path)' says that it contains \(facts.joined(separator: ", ")), but contains "
        + "\(found.joined(separator: ", ")). Pack it again."
    }

    static func badLibrary(_ name: String, _ path: String) -> String {
      "'\(path)' names its library '\(name)', but the name must look like libClock.so. Pack the plugin again."
    }

    static func stranger(_ name: String, _ path: String) -> String {
      "'\(path)' contains '\(name)', which is neither the library, its signature nor a license. Do not install it."
    }

    static func takenName(_ file: String, of other: String, by id: PluginID) -> String {
      "'\(file)' is the plugin '\(other)', and the archive contains '\(id)' under the same file name. "
        + "Remove '\(other)' first, or rename the library."
    }

    static func badMember(_ name: String, _ path: String) -> String {
      "'\(path)' contains '\(name)', which is not a regular file, or is in a folder. Do not install the archive."
    }

    static func otherDigest(_ name: String, stated: String, found: String) -> String {
      "'\(name)' has the SHA-256 \(found), and the archive states \(stated). Get the archive again."
    }
  }
}
