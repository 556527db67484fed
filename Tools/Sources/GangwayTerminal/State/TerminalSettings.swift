@_spi(FrontEnd) import GangwayProtocol

/// A mistake in a setting, described in sentences.
struct SettingMistake: Error, Hashable, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The user's settings of the terminal front end: `terminal.conf`, with one setting a line.
///
/// ```
/// # What stands after # says nothing.
/// theme = contrast
/// accent = green
/// key j = down
/// key Ctrl-G = palette
/// key r = none
/// ```
package struct TerminalSettings: Sendable {
  /// The theme; nil to detect it from the terminal.
  var theme: Theme?
  var accent = Style.Color.cyan
  var keys = KeyBindings()
  /// Whether the app receives the mouse; selecting text in the terminal then needs Shift.
  var usesMouse = true
  /// Whether transitions between screens are animated, where a feature has one.
  var showsMotion = true
  /// The mistakes in the file, with line numbers; all correct lines apply.
  package private(set) var mistakes: [String] = []

  /// Creates the default settings.
  package init() {}

  /// Creates the default settings for a file that cannot be read, with the reason.
  package init(failure: String) { mistakes = [failure] }

  /// Reads settings from text.
  ///
  /// - Parameters:
  ///   - text: the content of the file.
  ///   - file: the file's name in ``mistakes``.
  package init(_ text: String, file: String) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = Self.trimmed(line)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      do throws(SettingMistake) {
        try read(line)
      } catch {
        mistakes.append(Words.Setting.mistake(in: file, line: number + 1, "\(error)"))
      }
    }
  }

  private mutating func read(_ line: String) throws(SettingMistake) {
    // The key itself may be an equals sign, so the last one separates the value.
    guard let mark = line.lastIndex(of: "=") else { throw SettingMistake(Words.Setting.noEqualsSign(line)) }
    let name = Self.trimmed(line[..<mark])
    let value = Self.trimmed(line[line.index(after: mark)...])
    let words = name.split(separator: " ", maxSplits: 1).map(String.init)
    switch words.first {
    case "theme" where words.count == 1:
      let theme = try Self.choice(value, of: Theme.allCases.map(\.rawValue) + ["auto"], Words.Setting.theme)
      self.theme = Theme(rawValue: theme)
    case "accent" where words.count == 1:
      let colors = Style.Color.named
      accent = colors[try Self.choice(value, of: colors.keys.sorted(), Words.Setting.colour)] ?? .cyan
    case "mouse" where words.count == 1:
      usesMouse = try Self.choice(value, of: ["on", "off"], Words.Setting.choice) == "on"
    case "motion" where words.count == 1:
      showsMotion = try Self.choice(value, of: ["full", "reduced"], Words.Setting.choice) == "full"
    case "key" where words.count == 2:
      let key = try KeyBindings.key(named: Self.trimmed(words[1][...]))
      let command = try Self.choice(value, of: Command.allCases.map(\.rawValue) + ["none"], Words.Setting.command)
      keys.bind(key, to: Command(rawValue: command))
    default:
      _ = try Self.choice(
        words.first ?? "", of: ["theme", "accent", "mouse", "motion", "key"], Words.Setting.setting)
      throw SettingMistake(Words.Setting.notASetting(name))
    }
  }

  private static func choice(_ value: String, of all: [String], _ what: String) throws(SettingMistake) -> String {
    let lowered = value.lowercased()
    if all.contains(lowered) { return lowered }
    if let nearest = NearestMatch.of(lowered, among: all) {
      throw SettingMistake(Words.Setting.unknown(what, value, nearest: nearest))
    }
    throw SettingMistake(Words.Setting.unknown(what, value, known: all))
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
