@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// Screens and actions in the words of the findings.
extension PluginValidation {
  /// Returns the first line in which two screens differ, with characters escaped that look the same or are invisible.
  static func difference(_ before: String, _ after: String) -> String {
    let lines = (
      before.split(separator: "\n", omittingEmptySubsequences: false),
      after.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let index = zip(lines.0, lines.1).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.0.count, lines.1.count)
    // A character without a visible shape is written as its number.
    func visible(_ scalar: Unicode.Scalar) -> String {
      switch scalar.properties.generalCategory {
      case .control, .format, .nonspacingMark, .enclosingMark, .spacingMark, .lineSeparator, .paragraphSeparator,
        .privateUse, .unassigned:
        "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      case .spaceSeparator where scalar != " ": "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: String(scalar)
      }
    }
    func quoted(_ lines: [Substring]) -> String {
      lines.indices.contains(index)
        ? "'" + lines[index].unicodeScalars.map(visible).joined() + "'" : "nothing"
    }
    return "line \(index + 1) of the screen was \(quoted(lines.0)), and was restored as \(quoted(lines.1))"
  }

  /// Returns why a link could not be opened with a sample; nil if each sample has a URL.
  static func problem(with link: Links.Samples) -> String? {
    guard link.missing.isEmpty else {
      let names = link.missing.sorted().map { "'\($0)'" }.joined(separator: ", ")
      return "\(link.pattern) has a sample without a value for \(names), so the link was not opened with this sample"
    }
    return link.urls.isEmpty
      ? "\(link.pattern) was not opened: it needs parameters. Pass `samples:` in register(in:)" : nil
  }

  /// Returns how often a walk of this many steps was compared with a new host. A short walk is not compared.
  static func midwayText(_ count: Int, steps: Int) -> String {
    steps < 25 ? "" : "; during the walk, \(count) \(count == 1 ? "comparison" : "comparisons")"
  }

  /// Names the controls that a walk never used, so that the author can choose more steps or another seed.
  static func unused(_ labels: [String]) -> String {
    guard !labels.isEmpty else { return "" }
    let shown = labels.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
    return "; unused controls: \(shown)" + (labels.count > 5 ? " and \(labels.count - 5) more" : "")
  }

  static func describe(_ action: Event.Action, _ presentation: Presentation) -> String {
    func label(_ target: Event.ElementReference) -> String {
      presentation.reachable.first { $0.id == target.element }?.label ?? target.element.rawValue
    }
    return switch action {
    case .tap(let target): "tap on '\(label(target))'"
    case .edit(let target, let text): "'\(text.prefix(20))' typed into '\(label(target))'"
    case .toggle(let target, let isOn): "'\(label(target))' turned \(isOn ? "on" : "off")"
    case .choose(let target, let option): "'\(option)' chosen in '\(label(target))'"
    case .file(let target, let file): "'\(file.name)' chosen for '\(label(target))'"
    case .cell(_, let row, let column): "the cell in row \(row + 1), column \(column + 1)"
    case .tab: "another tab"
    default: "back"
    }
  }
}

extension PluginValidation {
  /// Checks that no flow of the walk is still in memory after its entry ended.
  func reportLeaks(_ watched: WatchedSession) async {
    var leaked = watched.session.leakedCoordinators
    // Cancelled work may need a few turns to end.
    for _ in 0..<100 where !leaked.isEmpty {
      try? await Task.sleep(for: .milliseconds(10))
      leaked = watched.session.leakedCoordinators
    }
    let types = Dictionary(grouping: leaked, by: \.self).mapValues(\.count).sorted { $0.key < $1.key }
    report(
      "frees its flows",
      types.map { $0.value == 1 ? $0.key : "\($0.key) (\($0.value) times)" }.map {
        "\($0) ended, but is still in memory: a closure, a model or a task holds it. Capture it weakly"
      },
      "no flow that the checks opened is still in memory")
  }

  /// Returns the result of a comparison in a new host, with the screens that could not be compared.
  static func restartText(_ count: Int, of all: Int, heldBack: [String]) -> String {
    let names = heldBack.prefix(3).joined(separator: ", ")
    let more = heldBack.count > 3 ? " and \(heldBack.count - 3) more" : ""
    return "\(count) of \(all) screens"
      + (heldBack.isEmpty ? "" : "; not compared, because a guard or a question came first: \(names)\(more)")
  }

  /// Reports which damaged files the plugin kept. A plugin that stores nothing has no file to damage.
  func report(_ damage: DamagedFiles, of plugin: PluginID) {
    var problems = damage.lost.map { "'\($0)' could not be read, and was overwritten or deleted" }
    if damage.count == 0 {
      guard damage.hasFile || !hasDataOfOthers else { return }
      problems.append("the folder of --data has no file in the plugin's subfolder '\(plugin)'")
    }
    if damage.count > 0, steps == 0, problems.isEmpty {
      problems.append(
        "with the damaged files, the random walk took 0 steps, so nothing was tested. Show something to press, such as "
          + "'Try again'")
    }
    let count = damage.count == 1 ? "1 damaged file" : "\(damage.count) damaged files"
    report("keeps files that it cannot read", problems, "\(count), \(steps) \(steps == 1 ? "step" : "steps")")
  }
}

extension Presentation {
  /// Returns the URL of the element that an action presses; nil if it has none.
  func url(of action: Event.Action) -> String? {
    guard case .tap(let target) = action else { return nil }
    return reachable.first { $0.id == target.element }?.url
  }
}
