@_spi(FrontEnd) import GangwayProtocol
import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayHost

/// Shell completion from the installed plugins, which it finds as `gangway list` does.
enum Completion {
  /// Plugin ids and library files.
  static let plugins = CompletionKind.custom { _, _, prefix in await installedIDs() + files(prefix, "so") }
  /// Plugin ids.
  static let ids = CompletionKind.custom { _, _, _ in await installedIDs() }
  /// The links of all plugins; a link with a parameter ends before it.
  static let links = CompletionKind.custom { _, _, _ in await installedLinks() }

  @MainActor private static func installedIDs() -> [String] {
    Set(survey().plugins.compactMap(\.id?.rawValue)).sorted()
  }

  @MainActor private static func installedLinks() -> [String] {
    RouteListing(survey()).routes.filter { $0.kind == "link" }.map { link in
      "gangway://" + link.name.prefix { $0 != ":" && $0 != "?" }
    }
  }

  /// The shell waits for the result, so an unknown library that hangs gets a short time limit.
  @MainActor private static func survey() -> PluginSurvey {
    var launch = HostLaunch()
    launch.probeDeadline = .seconds(1)
    return PluginSurvey(launch, host: Locations.host)
  }

  /// Returns the folders, and the files with an extension, that start with the typed text.
  private static func files(_ prefix: String, _ ending: String) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.sorted().compactMap { name in
      let path = folder + name
      guard path.hasPrefix(prefix), !name.hasPrefix(".") || prefix.hasSuffix(".") else { return nil }
      var isFolder = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
      return isFolder ? path + "/" : name.hasSuffix("." + ending) ? path : nil
    }
  }
}

/// Returns a command's help text, followed by examples to type.
///
/// - Parameters:
///   - text: the text before the examples.
///   - examples: commands, each with a description.
func help(_ text: String = "", examples: KeyValuePairs<String, String>) -> String {
  let lines = examples.map { "  \($0.key)\n      \($0.value)" }
  return (text.isEmpty ? "" : text + "\n\n") + "EXAMPLES:\n" + lines.joined(separator: "\n")
}
