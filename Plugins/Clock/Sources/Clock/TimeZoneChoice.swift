/// Places with a fixed offset from UTC.
enum TimeZoneChoice: String, Codable, CaseIterable, Identifiable, Sendable {
  case utc = "UTC"
  case kathmandu = "Kathmandu"
  case tokyo = "Tokyo"
  case phoenix = "Phoenix"

  var id: String { rawValue }

  /// Seconds east of UTC.
  var offset: Int {
    switch self {
    case .utc: 0
    case .kathmandu: 5 * 3600 + 45 * 60
    case .tokyo: 9 * 3600
    case .phoenix: -7 * 3600
    }
  }

  /// Returns the time of day, as `14:05:09` or `2:05:09 pm`.
  func text(at seconds: Int, is24Hours: Bool) -> String {
    let local = ((seconds + offset) % 86_400 + 86_400) % 86_400
    let (hour, minute, second) = (local / 3600, local / 60 % 60, local % 60)
    let rest = ":" + Self.two(minute) + ":" + Self.two(second)
    if is24Hours { return Self.two(hour) + rest }
    return "\((hour + 11) % 12 + 1)\(rest) \(hour < 12 ? "am" : "pm")"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
