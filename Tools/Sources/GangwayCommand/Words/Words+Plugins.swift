@_spi(FrontEnd) import GangwayProtocol

extension Words {
  /// Messages about installed plugins and their files.
  enum Plugins {
    static let header = ["ID", "VERSION", "STATE", "CONTRIBUTIONS", "FILE"]
    static let noneFound = "No plugin was found. `gangway new Hello` creates one; --plugins-dir names another folder."
    static let noneBroken = "No plugin is broken."

    static func tooMuchOutput(_ limit: Int) -> String {
      "The host wrote more than \(limit >> 20) MB. A plugin may write too much to the standard output."
    }

    static func refused(_ count: Int) -> String { "\(count) refused: see gangway list --broken" }

    static let nothingToLock =
      "no plugin was found, so no lock file was written. Build a plugin, or name another folder with --plugins-dir."

    static func locked(_ count: Int, file: String) -> String {
      "\(file) lists \(count) plugin\(count == 1 ? "" : "s"). Run the app with --locked to load no others."
    }

    static func newKey(_ name: String, file: String) -> String {
      "the key \(name) was created. Keep \(file) secret, and give \(file).pub to the users of your plugins."
    }

    static func signed(_ library: String, signature: String) -> String {
      "\(library) was signed: \(signature). Install both files together."
    }

    static func unknown(_ name: String, nearest: String?, installed: [String]) -> String {
      "there is no plugin '\(name)'.\(Usage.didYouMean(nearest)) Installed: "
        + (installed.isEmpty ? "none. `gangway new Hello` creates one" : installed.joined(separator: ", ")) + "."
    }

    static func unknownFile(_ name: String) -> String { "there is no file '\(name)'." }

    static let howToListOthers = "hint: gangway list --plugins-dir DIR"
  }

  /// Messages about links.
  enum Links {
    static let noConflict = "No links conflict."

    static func conflict(_ first: RouteListing.Route, _ second: RouteListing.Route) -> String {
      "\(first.name) of \(first.plugin) (\(first.file)) and \(second.name) of \(second.plugin) (\(second.file)) match "
        + "the same URLs, so the plugin that loads second is refused. Change a link, or omit a plugin with --without."
    }
  }

  /// The lines about one plugin: its state, the cause and the fix.
  enum State {
    static let installed = "installed"
    static let notSearched = "not in a folder that is searched for plugins"

    static func inApp(of process: Int32) -> String { "in the app of process \(process)" }

    static func step(_ step: String?, cause: String?) -> String {
      "  at     \(step ?? "its start") (\(cause ?? "no cause"))"
    }

    static func reason(_ reason: String) -> String { "  why    \(reason)" }

    static func file(_ path: String) -> String { "  file   \(path)" }

    static func fix(_ command: String) -> String { "  fix    \(command)" }

    /// Advice for a library that uses the framework and exports no plugin.
    static func missingEntry(_ name: String) -> [String] {
      [
        "",
        "  It uses the framework, so it is probably a plugin. The function that returns",
        "  the plugin to the host is missing. If the plugin's type is",
        "  \(name)Plugin, add this to one of its files:",
        "",
        "      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer {",
        "        exportPlugin(\(name)Plugin.self)",
        "      }",
      ]
    }
  }

  /// The lines about the content of a plugin's file.
  enum Facts {
    static func size(bytes: Int, symbols: Int, entries: Int) -> String {
      "  size   \(bytes) bytes, \(symbols) dynamic symbols, exports of gangway_plugin: \(entries)"
    }

    static func needed(_ libraries: [String]) -> String { "  needs  \(libraries.joined(separator: ", "))" }

    static func built(_ markers: [String], host: [String]) -> String {
      "  built  \(markers.joined(separator: ", ")); this host has \(host.joined(separator: ", "))"
    }

    static func content(_ line: String) -> String { "  has    \(line)" }

    static func dependency(_ plugin: PluginID, minimum: String?, isOptional: Bool) -> String {
      let version = minimum.map { " \($0) or later" } ?? ""
      return "  wants  \(plugin)\(version)\(isOptional ? ", if installed" : "")"
    }

    static func use(_ use: String) -> String { "  uses   \(use)" }
  }

  /// The relations between plugins, as text and as labels of a drawing.
  enum Graph {
    static let title = "Dependencies between plugins"
    static let notInstalled = "not installed"
    static let refused = "refused"

    static func refused(version: String) -> String { "\(version), refused" }

    static func users(_ plugins: [PluginID]) -> String { "for \(plugins.map(\.rawValue).joined(separator: ", "))" }

    // The beginnings of lines that end with the other plugin.

    static func needs(minimum: String?) -> String { minimum.map { "needs at least version \($0) of" } ?? "needs" }

    static func uses(minimum: String?) -> String { minimum.map { "uses at least version \($0) of" } ?? "uses" }

    static func shows(_ place: String) -> String { "shows \(place) of" }

    static func calls(_ service: String) -> String { "calls \(service) of" }

    static func addsTo(_ slot: String) -> String { "adds to \(slot) of" }

    /// Returns such a beginning as the label of an arrow that points to the other plugin.
    static func label(_ beginning: String) -> String {
      beginning.hasSuffix(" of") ? String(beginning.dropLast(3)) : beginning
    }

    // The labels of arrows in a Mermaid diagram.

    static func version(minimum: String?) -> String { minimum.map { "\($0)+" } ?? "needs" }

    static func place(_ place: String) -> String { "shows \(place)" }

    static func service(_ service: String) -> String { "calls \(service)" }

    static func slot(_ slot: String) -> String { "into \(slot)" }
  }

  /// The results of the checks on a plugin.
  enum Validation {
    static let accepted = "is accepted"
    static let continues = "keeps running"
    static let starting = "starting"

    static func refused(step: String, cause: String, reason: String) -> String { "at \(step) (\(cause)): \(reason)" }

    static func passed(_ plugin: String) -> String { "\(plugin) passed these steps: file, contract, probe, plan" }

    static func withDamagedData(_ detail: String) -> String { "with damaged data: \(detail)" }

    static func withoutData(_ detail: String) -> String { "without data: \(detail)" }

    static func exited(code: Int32, during activity: String) -> String {
      "the process exited with code \(code) during: \(activity)"
    }

    static func ended(signal: Int32, during activity: String) -> String {
      "the process crashed or took too long (signal \(signal)) during: \(activity)"
    }

    static func crashed(_ message: String, during activity: String) -> String {
      "the process crashed during: \(activity). \(message)"
    }

    static func howToRepeat(_ command: String) -> String { "To repeat this run: \(command)" }
  }
}
