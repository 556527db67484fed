@_spi(FrontEnd) import GangwayProtocol

/// A picture in terminal cells: the cells hold placeholders, and the terminal draws the picture over them.
///
/// Placeholders scroll, cover and clip like text. Source: kitty's graphics protocol, "Unicode placeholders"
/// (https://sw.kovidgoyal.net/kitty/graphics-protocol/), which Ghostty also implements.
struct Picture: Equatable {
  /// The most cells that a picture takes; each row and column needs a diacritic.
  static let maximumColumns = diacritics.count
  static let maximumRows = 20

  /// The PNG data, in Base64.
  let base64: String
  let columns: Int
  let rows: Int

  /// Creates a picture no wider than `room` columns; nil for data that terminals do not accept.
  init?(_ data: Element.ImageData, room: Int) {
    guard data.type == "image/png", data.width > 0, data.height > 0, room > 0 else { return nil }
    // A cell is about twice as high as wide, and its exact size is seldom known. It counts as 10 × 20 pixels, so the
    // picture has about its usual size.
    let (width, height) = (Double(data.width) / 10, Double(data.height) / 20)
    let scale = min(1, Double(min(room, Self.maximumColumns)) / width, Double(Self.maximumRows) / height)
    base64 = data.base64
    columns = max(1, Int((width * scale).rounded()))
    rows = max(1, Int((height * scale).rounded()))
  }

  /// Returns the placeholders of a row of cells.
  func placeholders(_ row: Int) -> String {
    (0..<columns).map { "\u{10EEEE}" + Self.diacritics[row] + Self.diacritics[$0] }.joined()
  }

  /// Returns the bytes that send the picture to the terminal under a number from 16 to 255.
  ///
  /// The result is nil if the data is not Base64, because it could then contain any control sequence.
  func transmission(as id: Int) -> [UInt8]? {
    let bytes = Array(base64.utf8)
    let isBase64 = bytes.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: "=")
    }
    guard isBase64, !bytes.isEmpty else { return nil }
    var sent: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: Self.chunk) {
      let end = min(start + Self.chunk, bytes.count)
      let keys = start == 0 ? "a=T,U=1,f=100,q=2,i=\(id),c=\(columns),r=\(rows)," : "q=2,"
      sent += Array("\u{1b}_G\(keys)m=\(end < bytes.count ? 1 : 0);".utf8) + bytes[start..<end] + Array("\u{1b}\\".utf8)
    }
    return sent
  }

  /// Returns the bytes that remove a picture from the terminal.
  static func removal(of id: Int) -> [UInt8] { Array("\u{1b}_Ga=d,d=I,q=2,i=\(id)\u{1b}\\".utf8) }

  /// The most bytes of a picture in one escape sequence.
  private static let chunk = 4096

  /// The first combining characters that stand for numbers from 0: `rowcolumn-diacritics.txt` of the protocol.
  private static let diacritics: [String] = [
    0x305, 0x30D, 0x30E, 0x310, 0x312, 0x33D, 0x33E, 0x33F, 0x346, 0x34A, 0x34B, 0x34C, 0x350, 0x351, 0x352, 0x357,
    0x35B, 0x363, 0x364, 0x365, 0x366, 0x367, 0x368, 0x369, 0x36A, 0x36B, 0x36C, 0x36D, 0x36E, 0x36F, 0x483, 0x484,
    0x485, 0x486, 0x487, 0x592, 0x593, 0x594, 0x595, 0x597, 0x598, 0x599, 0x59C, 0x59D, 0x59E, 0x59F, 0x5A0, 0x5A1,
  ].compactMap { Unicode.Scalar($0).map { String(Character($0)) } }
}

/// Detection of picture support from the environment; a query is no use, because some terminals never answer.
enum PictureSupport {
  /// Returns whether the terminal draws pictures at placeholders. `GANGWAY_IMAGES` overrides it: `kitty` or `none`.
  static func isThere(_ environment: (String) -> String?) -> Bool {
    switch environment("GANGWAY_IMAGES") {
    case "kitty": return true
    case "none": return false
    default: break
    }
    // A multiplexer does not pass pictures on.
    guard environment("TMUX") == nil, environment("STY") == nil else { return false }
    let name = environment("TERM") ?? ""
    return name == "xterm-kitty" || name == "xterm-ghostty" || environment("KITTY_WINDOW_ID") != nil
      || environment("TERM_PROGRAM") == "ghostty"
  }
}
