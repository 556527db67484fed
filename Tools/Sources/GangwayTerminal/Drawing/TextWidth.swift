import CNcurses

/// The width of text in terminal columns.
enum TextWidth {
  /// Returns the columns of a character's drawn form, as terminals and ncurses count them.
  static func of(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii >= 0x20 && ascii < 0x7f ? 1 : 0 }
    return drawnScalars(character).reduce(0) { $0 + max(0, Int(wcwidth(wchar_t(bitPattern: $1.value)))) }
  }

  /// Returns the drawn form of a character: the first of joined emoji, and without a skin tone.
  ///
  /// Some terminals draw joined emoji as one picture and others as several. The rest of the row would then stand in the
  /// wrong column.
  static func drawn(_ character: Character) -> String {
    // A joiner and a skin tone need more bytes.
    guard character.utf8.count > 3 else { return String(character) }
    return String(String.UnicodeScalarView(drawnScalars(character)))
  }

  private static func drawnScalars(_ character: Character) -> Character.UnicodeScalarView.SubSequence {
    let scalars = character.unicodeScalars
    guard scalars.first?.properties.isEmoji == true else { return scalars[...] }
    let end = scalars.dropFirst().firstIndex { $0 == joiner || $0.properties.isEmojiModifier }
    return scalars[..<(end ?? scalars.endIndex)]
  }

  private static let joiner: Unicode.Scalar = "\u{200d}"

  /// Returns the columns of a text.
  static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

  /// Returns the beginning of a text that fits, with `…` if it was cut off. It reads no more of the text than that.
  static func fit(_ text: String, _ columns: Int) -> String {
    // A character needs a byte at least.
    if columns == .max || text.utf8.count <= columns { return text }
    var used = 0
    // The end of what fits beside the `…`.
    var end = text.startIndex
    for index in text.indices {
      if used < columns { end = index }
      used += of(text[index])
      if used > columns { return columns > 0 ? text[..<end] + "…" : "" }
    }
    return text
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
