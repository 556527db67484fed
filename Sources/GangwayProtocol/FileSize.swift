/// Sizes of files in messages.
@_spi(FrontEnd) public enum FileSize {
  /// Returns a number of bytes as users read it: `812 bytes`, `1.5 MB`.
  public static func text(_ bytes: Int) -> String {
    if bytes == 1 { return "1 byte" }
    guard bytes >= 1_000 else { return "\(bytes) bytes" }
    var (value, unit) = (Double(bytes), 0)
    let units = ["bytes", "KB", "MB", "GB", "TB"]
    while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
    let tenths = (value * 10).rounded() / 10
    return (tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)") + " " + units[unit]
  }

  /// Returns the message about a file that is too large.
  package static func tooLarge(_ bytes: Int, limit: Int) -> String {
    "The file has \(text(bytes)). The limit is \(text(limit))."
  }
}
