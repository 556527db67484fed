@_spi(FrontEnd) import GangwayClient
import Glibc

/// The libraries that the system's loader has added to the process.
enum SystemLoader {
  /// The loader's data for debuggers. It is looked up early, because the loader may block every lookup later.
  ///
  /// Source: `link.h`, `struct r_debug`.
  nonisolated(unsafe) private static let state = dlsym(nil, "_r_debug")?.assumingMemoryBound(to: r_debug.self)

  /// Looks up the loader's data for later calls.
  static func prepare() { _ = state }

  /// Returns whether a library that is opening is in the process's list. Code of a library outside the list cannot be
  /// running.
  ///
  /// Such a library may be mapped already, and wait for a thread that iterates over all libraries. The loader removes
  /// nothing from the list while it opens a library. So this function reads the list without the loader's lock, which
  /// may be held forever.
  static func has(_ file: String) -> Bool {
    guard let state else { return MappedFiles.contains(file, process: getpid()) }
    var next = state.pointee.r_map
    while let library = next {
      if let name = library.pointee.l_name, strcmp(name, file) == 0 || strcmp(name, "./" + file) == 0 { return true }
      next = library.pointee.l_next
    }
    return false
  }
}
