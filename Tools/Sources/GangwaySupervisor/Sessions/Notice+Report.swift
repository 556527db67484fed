import GangwayProtocol

extension Update.Notice {
  /// Adds a sentence before the file of the report: front ends take what comes after "Report:" for its path, or leave it out.
  mutating func insert(_ sentence: String) {
    let end = text.firstRange(of: "Report: /")?.lowerBound ?? text.endIndex
    let words = String(text[..<end])
    text =
      words + (words.hasSuffix(" ") || words.isEmpty ? "" : " ") + sentence + (end < text.endIndex ? " " : "")
      + text[end...]
  }
}
