/// Text made fit for a terminal: the one place where that is done, for every command and front end.
public enum TerminalText {
  /// A text in which nothing steers a terminal: control characters are shown as their symbols (`␛` for Escape), those that
  /// turn the direction of writing as `�`. Line feeds and tabs stay.
  ///
  /// The symbols are those of Unicode's block Control Pictures.
  public static func fit(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var fit = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard isControl(scalar) else {
        fit.append(scalar)
        continue
      }
      let picture = scalar.value < 0x20 ? 0x2400 + scalar.value : scalar.value == 0x7f ? 0x2421 : 0xfffd
      fit.append(Unicode.Scalar(picture) ?? " ")
    }
    return String(fit)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0a: false
    // C0, DEL and C1; then the directional overrides and isolates, and the line and paragraph separators.
    case 0..<0x20, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069, 0x2028, 0x2029, 0x200e, 0x200f: true
    default: false
    }
  }
}
