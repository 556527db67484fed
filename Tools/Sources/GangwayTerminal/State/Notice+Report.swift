@_spi(FrontEnd) import GangwayProtocol

extension Update.Notice {
  /// The file of the report that the detail names at its end; nil if it names none.
  var report: String? {
    developerText.firstRange(of: "Report: /").map { String(developerText[$0.lowerBound...].dropFirst(8)) }
  }
}
