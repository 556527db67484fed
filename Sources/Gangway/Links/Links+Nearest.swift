import GangwayProtocol

/// What an address that matches nothing may have meant.
extension Links {
  /// Why no pattern matches, with the nearest ones.
  func unmatched(_ url: String) -> NavigationError {
    settle()
    let known = nearest(to: (try? LinkURL(url, self))?.components ?? [])
    let patterns = known.prefix(8).joined(separator: ", ")
    return NavigationError(
      .unmatchedLink(
        url: "\(url.prefix(200))",
        known: patterns.isEmpty ? "None is registered." : "There are \(entries.count), among them \(patterns)."))
  }

  /// Patterns that begin as a URL does, as far as that goes: those whose next component is spelt almost as the URL's first.
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
      let near = NearestMatch.of(components[position], among: branch.literals.keys.sorted())
      if let near, let next = branch.literals[near] { collect(next, &found) }
    }
    collect(branch, &found)
    var seen: Set<Int> = []
    return found.filter { seen.insert($0).inserted }.map { entries[$0].pattern }
  }

  /// The patterns below a branch, the first few of them.
  private func collect(_ branch: LinkBranch, _ found: inout [Int]) {
    guard found.count < 16 else { return }
    found += [branch.end, branch.rest].compactMap(\.self)
    for text in branch.literals.keys.sorted().prefix(16) {
      if let next = branch.literals[text] { collect(next, &found) }
    }
    if let next = branch.parameter { collect(next, &found) }
  }
}
