/// What the runtime's crash report says of whose code a host died in.
///
/// Format: the text of the Swift runtime's backtracer, swiftlang/swift, docs/Backtracing.rst.
struct CrashReport {
  /// The libraries of the crashed thread's frames, the innermost first, by the last component of their paths.
  let libraries: [String]

  /// Reads a report; frames stand between the line that ends with `crashed:` and the next thread.
  init(_ text: String) {
    var libraries: [String] = []
    var isInside = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("Thread ") {
        if isInside { break }
        isInside = line.hasSuffix(" crashed:")
        continue
      }
      guard isInside, let first = line.first(where: { $0 != " " }), first.isNumber else { continue }
      // `3 [ra] 0x… closure #1 in Screen.body in libTodos.so at /path/File.swift:4`
      let words = line.split(separator: " ")
      let place = words.lastIndex { $0 == "in" }
      if let place, place + 1 < words.count, words[place + 1].hasSuffix(".so") {
        libraries.append(String(words[place + 1]))
      }
    }
    self.libraries = libraries
  }

  /// The plugin whose code was running: that of the innermost frame that belongs to one.
  ///
  /// - Parameter plugins: their ids, by the names of their files.
  func plugin(among plugins: [String: String]) -> String? {
    libraries.lazy.compactMap { plugins[$0] }.first
  }
}
