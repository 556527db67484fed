@_spi(FrontEnd) import GangwayProtocol

extension Update.Notice {
  /// Adds a sentence to the message and, before the path of the report, to its detail.
  mutating func insert(_ sentence: String) {
    text += " \(sentence)"
    detail = detail.map { detail in
      let end = detail.firstRange(of: Words.CrashFacts.report("/"))?.lowerBound ?? detail.endIndex
      return "\(detail[..<end])\(sentence) \(detail[end...])"
    }
  }
}
