import GangwayProtocol

extension Update.Notice {
  /// The text without the report, and the file of the report that it names at its end; nil if it names none.
  var report: (text: String, file: String)? {
    guard let mark = text.firstRange(of: "Report: /") else { return nil }
    var words = text[..<mark.lowerBound]
    while words.last?.isWhitespace == true { words.removeLast() }
    return (String(words), String(text[mark.lowerBound...].dropFirst(8)))
  }
}
