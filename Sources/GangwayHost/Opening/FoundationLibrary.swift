import GangwayClient
import Glibc

/// Foundation on Linux takes the thread that opens it for the process's main thread: opened on any other than the one that
/// serves the main actor, that one never runs anything again (seen with Swift 6.3.1; nothing is said, everything waits).
/// Plugins are opened on threads of their own, so what they need of it is opened first, where it belongs.
enum FoundationLibrary {
  private static let name = "libFoundation.so"

  /// Opens Foundation, 3 to 5 ms the first time.
  @MainActor static func openOnMainActor() { _ = dlopen(name, RTLD_NOW | RTLD_LOCAL) }

  /// Whether it is part of this process.
  static var isOpen: Bool {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD) else { return false }
    dlclose(handle)
    return true
  }

  /// What libraries need, by path, and where those are, by the names they are needed by: a probe opens hundreds of plugins
  /// that need the same ones.
  @MainActor private static var needs: [String: [String]] = [:]
  @MainActor private static var paths: [String: [String]] = [:]

  /// Whether a library that this process has opened needs Foundation, itself or through others.
  @MainActor static func isNeeded(by file: String) -> Bool {
    var queue = [file]
    var seen: Set<String> = []
    while let path = queue.popLast() {
      guard seen.insert(path).inserted else { continue }
      let names = needs[path] ?? (try? ELFFile(TrustedFile(path)).needed) ?? []
      needs[path] = names
      if names.contains(name) { return true }
      if names.contains(where: { paths[$0] == nil }) {
        let loaded = loadedLibraries
        // A library is needed by a name that may be a link to the file that was opened.
        for name in names { paths[name] = loaded.filter { $0.key.hasPrefix(name) }.map(\.value) }
      }
      queue += names.flatMap { paths[$0] ?? [] }
    }
    return false
  }

  /// The paths of the libraries that this process has opened, by the last component of their names.
  private static var loadedLibraries: [String: String] {
    var paths: [String: String] = [:]
    for path in MappedFiles.paths { paths[String(path.split(separator: "/").last ?? "")] = path }
    return paths
  }
}
