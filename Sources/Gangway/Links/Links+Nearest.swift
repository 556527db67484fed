@_spi(FrontEnd) import GangwayProtocol

/// Suggests patterns for a URL that matches none.
extension Links {
  /// Returns the error for a URL that matches no pattern, with the nearest patterns.
  func unmatched(_ url: String) -> NavigationError {
    settle()
    let known = nearest(to: (try? LinkURL(url, self))?.components ?? [])
    let patterns = known.prefix(8).joined(separator: ", ")
    return NavigationError(
      .unmatchedLink(
        url: "\(url.prefix(200))",
        known: patterns.isEmpty
          ? "No link is registered." : "Registered links: \(entries.count), among them \(patterns)."))
  }

  /// Returns the patterns that begin like a URL, as far as the URL matches.
  ///
  /// The first patterns are those whose next component is spelled almost like the URL's.
  private func nearest(to components: [String]) -> [String] {
    var branch = trunk
    var position = 0
    while position < components.count {
      let text = position == 0 || ignoresCase ? components[position].lowercased() : components[position]
      guard let next = branch.literals[text] ?? branch.parameter else { break }
      branch = next
      position += 1
    }
    var found: [Int] = []
    if position < components.count {
      if let near = branch.words.nearest(to: components[position]), let next = branch.literals[near] {
        collect(next, &found)
      }
    }
    collect(branch, &found)
    var seen: Set<Int> = []
    return found.filter { seen.insert($0).inserted }.map { entries[$0].pattern }
  }

  /// Collects the first few patterns below a branch.
  private func collect(_ branch: LinkBranch, _ found: inout [Int]) {
    guard found.count < LinkBranch.suggestions else { return }
    found += [branch.end, branch.rest].compactMap(\.self)
    for text in branch.firstLiterals {
      if let next = branch.literals[text] { collect(next, &found) }
    }
    if let next = branch.parameter { collect(next, &found) }
  }
}
