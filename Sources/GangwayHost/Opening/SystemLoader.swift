import GangwayClient
import Glibc

/// What the system's loader has let into the process.
enum SystemLoader {
  /// What it keeps for debuggers; found at once, for later it may let nobody look for anything.
  ///
  /// Source: `link.h`, `struct r_debug`.
  nonisolated(unsafe) private static let state = dlsym(nil, "_r_debug")?.assumingMemoryBound(to: r_debug.self)

  /// Makes ready to ask.
  static func prepare() { _ = state }

  /// Whether a library that is being opened is one of the process's: the code of one that is not cannot be running. It may be
  /// mapped already, and wait for somebody who looks at all libraries.
  ///
  /// Nothing leaves the list while a library is being opened, so it is read without the loader's lock, which may be held for ever.
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
