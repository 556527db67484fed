extension Words {
  /// The results of the checks of an installation.
  enum Doctor {
    static func summary(fine: Int, notes: Int, broken: Int) -> String {
      let parts = [
        "\(fine) good", notes > 0 ? "\(notes) \(notes == 1 ? "note" : "notes")" : nil,
        broken > 0 ? "\(broken) broken" : nil,
      ]
      return "\(fine + notes + broken) checks: " + parts.compactMap(\.self).joined(separator: ", ") + "."
    }

    // The host and the framework.

    static func host(_ path: String) -> String { "the host is '\(path)'" }

    static func hostDidNotStart(_ path: String, reason: String) -> String {
      "the host '\(path)' cannot be started: \(reason)"
    }

    static func notAHost(_ path: String, answer: String?) -> String {
      "'\(path)' is not a host. Its answer to --version: \(answer.map { "'\($0)'" } ?? "nothing")"
    }

    static func framework(_ path: String, markers: String) -> String { "the framework is '\(path)' (\(markers))" }

    static func otherFramework(markers: String, own: String) -> String {
      "the framework in the host's folder has the build markers \(markers), but this command has \(own)"
    }

    static func frameworkRefused(_ path: String, reason: String) -> String {
      "the framework '\(path)' cannot be used: \(reason)"
    }

    // The toolchain.

    static let noToolchain = "Swift is not installed; you need it to build plugins and for gangway dev"

    static func toolchain(_ version: String) -> String { "the toolchain is Swift \(version)" }

    static func otherToolchain(_ version: String, own: String) -> String {
      "the toolchain is Swift \(version), but gangway was built with another: \(own)"
    }

    static func sdk(of version: String) -> String { "install the SDK of Swift \(version)" }

    // The environment and the folders.

    static func relativePluginPath(_ folder: String) -> String {
      "GANGWAY_PLUGIN_PATH has '\(folder)', which is not an absolute path, so it is ignored"
    }

    static let noTerminalType = "TERM is not set, so the plain front end is used"
    static let stateFolder = "state and logs"
    static let cacheFolder = "cache"
    static let dataFolder = "data of plugins"

    static func folder(_ purpose: String, _ path: String) -> String { "\(purpose): '\(path)'" }

    static func folderNotCreated(_ purpose: String, _ path: String, reason: String) -> String {
      "\(purpose): '\(path)' could not be created: \(reason)"
    }

    static func folderUnwritable(_ purpose: String, _ path: String, reason: String) -> String {
      "\(purpose): '\(path)' could not be written: \(reason)"
    }

    static func crashReports(_ count: Int, newest: String) -> String {
      "\(count) crash \(count == 1 ? "report" : "reports"); the newest is \(newest)"
    }

    // The plugins.

    static let noPlugin = "no plugin is installed"
    static let hostStopped =
      "the host stopped while loading all plugins, so gangway could not check whether they fit together"

    static func plugin(_ id: String, version: String, file: String) -> String { "\(id) \(version) '\(file)'" }

    static func pluginRefused(_ name: String, reason: String) -> String { "\(name): \(reason)" }

    static func missingEntry(_ file: String) -> String {
      "'\(file)' uses the framework but exports no 'gangway_plugin'. If it is a plugin, add the function that "
        + "`gangway why` prints."
    }
  }
}
