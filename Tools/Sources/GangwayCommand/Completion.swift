import ArgumentParser
import FoundationEssentials
import Gangway
import GangwayHost

/// What a shell offers when Tab is pressed: what is installed, found out as `gangway list` does.
enum Completion {
  /// Ids of plugins, and files.
  static let plugins = CompletionKind.custom { _, _, prefix in await installedIDs() + files(prefix, "so") }
  /// Ids of plugins.
  static let ids = CompletionKind.custom { _, _, _ in await installedIDs() }
  /// Links of all plugins; one with a parameter up to that.
  static let links = CompletionKind.custom { _, _, _ in await installedLinks() }

  @MainActor private static func installedIDs() -> [String] {
    Set(survey().plugins.compactMap(\.id)).sorted()
  }

  @MainActor private static func installedLinks() -> [String] {
    RouteListing(survey()).routes.filter { $0.kind == "link" }.map { link in
      "gangway://" + link.name.prefix { $0 != ":" && $0 != "?" }
    }
  }

  /// A shell waits: a library that nothing is known of, and that hangs, is not waited for long.
  @MainActor private static func survey() -> PluginSurvey {
    PluginSurvey(folders: [], host: Locations.host, deadline: .seconds(1))
  }

  /// Files of a kind, and folders, that begin as what was typed does.
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

/// Lines that a person can type, at the end of a command's help.
///
/// - Parameters:
///   - text: what stands before them.
///   - examples: a command each, and what it does.
func help(_ text: String = "", examples: KeyValuePairs<String, String>) -> String {
  let lines = examples.map { "  \($0.key)\n      \($0.value)" }
  return (text.isEmpty ? "" : text + "\n\n") + "EXAMPLES:\n" + lines.joined(separator: "\n")
}
