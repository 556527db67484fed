import CNcurses

/// The width of text in terminal columns.
enum TextWidth {
  /// Returns the columns of a character's drawn form, as terminals and ncurses count them.
  static func of(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii >= 0x20 && ascii < 0x7f ? 1 : 0 }
    return drawn(character).unicodeScalars.reduce(0) { $0 + max(0, Int(wcwidth(wchar_t(bitPattern: $1.value)))) }
  }

  /// Returns the drawn form of a character: the first of joined emoji, and without a skin tone.
  ///
  /// Some terminals draw joined emoji as one picture and others as several. The rest of the row would then stand in the
  /// wrong column.
  static func drawn(_ character: Character) -> String {
    let scalars = character.unicodeScalars
    guard scalars.count > 1, scalars.contains(where: { $0 == joiner || $0.properties.isEmojiModifier }) else {
      return String(character)
    }
    guard scalars.first?.properties.isEmoji == true else { return String(character) }
    return String(String.UnicodeScalarView(scalars.prefix { $0 != joiner && !$0.properties.isEmojiModifier }))
  }

  private static let joiner: Unicode.Scalar = "\u{200d}"

  /// Returns the columns of a text.
  static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

  /// Returns the beginning of a text that fits, with `…` if it was cut off.
  static func fit(_ text: String, _ columns: Int) -> String {
    guard of(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var cut = ""
    var used = 0
    for character in text {
      let width = of(character)
      guard used + width <= columns - 1 else { break }
      cut.append(character)
      used += width
    }
    return cut + "…"
  }

  /// Returns a text as lines that fit, broken at spaces if possible.
  static func wrap(_ text: String, _ columns: Int) -> [String] {
    let columns = max(columns, 1)
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      // The width is carried along, so that a text of any length is measured once.
      var line = ""
      var used = 0
      for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
        let width = of(word)
        let next = line.isEmpty ? width : used + 1 + width
        if next <= columns {
          if !line.isEmpty { line += " " }
          line += word
          used = next
          continue
        }
        if !line.isEmpty { lines.append(line) }
        (line, used) = ("", 0)
        for character in word {
          let width = of(character)
          if used + width > columns {
            lines.append(line)
            (line, used) = ("", 0)
          }
          line.append(character)
          used += width
        }
      }
      lines.append(line)
    }
    return lines
  }
}
