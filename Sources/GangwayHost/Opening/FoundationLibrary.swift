@_spi(FrontEnd) import GangwayClient
import Glibc

/// The Foundation library, which a host opens on the main actor before any plugin needs it.
///
/// On Linux, Foundation takes the thread that opens it for the main thread. If another thread serves the main actor,
/// the main actor then never runs anything again. No error appears, and everything waits (seen with Swift 6.3.1).
/// Plugins open on threads of their own, so the host opens Foundation first, on the right thread.
enum FoundationLibrary {
  private static let name = "libFoundation.so"

  /// Opens Foundation, which takes 3 to 5 ms the first time.
  @MainActor static func openOnMainActor() { _ = dlopen(name, RTLD_NOW | RTLD_LOCAL) }

  /// Whether this process has opened Foundation.
  static var isOpen: Bool {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD) else { return false }
    dlclose(handle)
    return true
  }

  /// The needed names of each library, by path. `paths` has the paths of the libraries with each name.
  ///
  /// Both are caches, because a probe opens hundreds of plugins that need the same libraries.
  @MainActor private static var needs: [String: [String]] = [:]
  @MainActor private static var paths: [String: [String]] = [:]

  /// Returns whether an open library needs Foundation, itself or through other libraries.
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
        // The needed name may be a link to the opened file, whose name begins with it.
        for name in names { paths[name] = loaded.filter { $0.key.hasPrefix(name) }.map(\.value) }
      }
      queue += names.flatMap { paths[$0] ?? [] }
    }
    return false
  }

  /// The paths of the open libraries of this process, by file name.
  private static var loadedLibraries: [String: String] {
    var paths: [String: String] = [:]
    for path in MappedFiles.paths { paths[String(path.split(separator: "/").last ?? "")] = path }
    return paths
  }
}
