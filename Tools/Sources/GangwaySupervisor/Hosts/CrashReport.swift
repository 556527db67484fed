@_spi(FrontEnd) import GangwayProtocol

/// The part of a runtime crash report that describes the crashed thread.
///
/// Format: the text of the Swift runtime's backtracer, swiftlang/swift, docs/Backtracing.rst.
struct CrashReport {
  /// A call of the crashed thread.
  struct Frame: Hashable {
    /// The name of the function.
    let function: String
    /// The library's file name.
    let library: String
    /// File, line and column, if the library has debug information.
    let place: String?

    /// The call in words.
    var text: String {
      place.map { Words.CrashFacts.call(of: function, at: $0) } ?? Words.CrashFacts.call(of: function, in: library)
    }
  }

  /// The crashed thread's frames, innermost first.
  let frames: [Frame]

  /// Parses a report.
  ///
  /// The frames are between the line that ends with `crashed:` and the next thread.
  init(_ text: String) {
    var frames: [Frame] = []
    var isInside = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("Thread ") {
        if isInside { break }
        isInside = line.hasSuffix(" crashed:")
        continue
      }
      guard isInside, let first = line.first(where: { $0 != " " }), first.isNumber else { continue }
      // `3 [ra] 0x… closure #1 in Screen.body.getter + 154 in libTodos.so at /path/File.swift:4:18`
      let words = line.split(separator: " ")
      guard let place = words.lastIndex(of: "in"), place + 1 < words.count, words[place + 1].hasSuffix(".so"),
        let address = words.firstIndex(where: { $0.hasPrefix("0x") }), address < place
      else { continue }
      var name = words[(address + 1)..<place]
      if name.count > 2, name.dropLast().last == "+" { name = name.dropLast(2) }
      let rest = words[(place + 2)...]
      let file = rest.first == "at" ? rest.dropFirst().joined(separator: " ") : ""
      frames.append(
        Frame(
          function: name.joined(separator: " "), library: String(words[place + 1]),
          place: file.isEmpty || file.contains("<compiler-generated>") ? nil : file))
    }
    self.frames = frames
  }

  /// Returns the plugin whose code was running, and where.
  ///
  /// The plugin is the one of the innermost frame that belongs to a plugin. Its frame is the innermost one with a
  /// source location, or else the innermost one.
  ///
  /// - Parameter plugins: the plugins' ids, by file name.
  func culprit(among plugins: [String: PluginID]) -> (plugin: PluginID, frame: Frame)? {
    guard let inner = frames.first(where: { plugins[$0.library] != nil }), let plugin = plugins[inner.library] else {
      return nil
    }
    return (plugin, frames.first { $0.library == inner.library && $0.place != nil } ?? inner)
  }
}
