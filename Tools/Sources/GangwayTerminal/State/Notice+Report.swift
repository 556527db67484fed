@_spi(FrontEnd) import GangwayProtocol

extension Update.Notice {
  /// The file of the report that the detail names at its end; nil if it names none.
  var report: String? {
    let mark = Words.Report.mark
    return developerText.firstRange(of: mark + "/").map {
      String(developerText[$0.lowerBound...].dropFirst(mark.count))
    }
  }
}
