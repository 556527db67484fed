/// Sanitizing of text for a terminal; every command and front end uses only this.
@_spi(FrontEnd) public enum TerminalText {
  /// Returns a text that cannot control a terminal.
  ///
  /// Control characters become their symbols (`␛` for Escape), from Unicode's block Control Pictures. Characters that
  /// change the direction of writing become `�`. Line feeds and tabs stay.
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
