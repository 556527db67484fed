/// Numbers as text for users.
enum Words {
  static func percent(_ value: Double) -> String { "\(rounded(value, 1)) %" }

  /// Returns a number with some digits after the point.
  static func rounded(_ value: Double, _ digits: Int) -> String {
    let factor = (0..<digits).reduce(1.0) { factor, _ in factor * 10 }
    let whole = Int((abs(value) * factor).rounded())
    let sign = value < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let (before, after) = whole.quotientAndRemainder(dividingBy: Int(factor))
    let fraction = String(after)
    return "\(sign)\(before).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
  }

  /// Returns bytes in units of 1,000, as disks are sold.
  static func bytes(_ count: UInt64) -> String {
    var value = Double(count)
    for unit in ["B", "kB", "MB", "GB", "TB"] {
      if value < 999.5 { return unit == "B" ? "\(count) B" : "\(rounded(value, value < 9.95 ? 1 : 0)) \(unit)" }
      value /= 1_000
    }
    return "\(rounded(value, 0)) PB"
  }

  static func used(_ size: UInt64, free: UInt64) -> String { "\(bytes(size - min(free, size))) of \(bytes(size))" }

  static func duration(_ seconds: Double) -> String {
    let minutes = Int(max(0, seconds)) / 60
    let (days, hours) = (minutes / 1_440, minutes / 60 % 24)
    if days > 0 { return "\(days) d \(hours) h" }
    return hours > 0 ? "\(hours) h \(minutes % 60) min" : "\(minutes) min"
  }
}
