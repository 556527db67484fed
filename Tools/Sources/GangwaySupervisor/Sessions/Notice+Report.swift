import GangwayProtocol

extension Update.Notice {
  /// Inserts a sentence before the path of the report.
  ///
  /// Front ends read the text after "Report:" as the path, or leave it out.
  mutating func insert(_ sentence: String) {
    let end = text.firstRange(of: "Report: /")?.lowerBound ?? text.endIndex
    let words = String(text[..<end])
    text =
      words + (words.hasSuffix(" ") || words.isEmpty ? "" : " ") + sentence + (end < text.endIndex ? " " : "")
      + text[end...]
  }
}
