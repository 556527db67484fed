import CZlib

/// The files of the server's own, which are part of the command: there is no folder to look for them in.
struct WebAssets {
  /// A file as it is sent.
  struct File: Sendable {
    /// Its media type.
    let type: String
    /// Without what is there for those who read its source.
    let bytes: [UInt8]
    /// The same in the format gzip (RFC 1952); nil where that could not be made. Pages, which hold secrets beside what others wrote,
    /// are never compressed: their length would tell of the secrets (BREACH, 2013).
    let compressed: [UInt8]?

    init(type: String, _ source: [UInt8]) {
      self.type = type
      bytes = Self.stripped(source)
      compressed = Self.gzip(bytes)
    }

    /// Lines without their indentation, and no line that is a comment.
    private static func stripped(_ source: [UInt8]) -> [UInt8] {
      let lines = String(decoding: source, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
      let kept = lines.filter { line in
        !line.isEmpty && !line.hasPrefix("//") && !(line.hasPrefix("/*") && line.hasSuffix("*/"))
      }
      return Array(kept.joined(separator: "\n").utf8)
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
      var room = [UInt8](repeating: 0, count: bytes.count + 1_024)
      let count = Int(gangway_gzip(bytes, UInt(bytes.count), &room, UInt(room.count)))
      return count > 0 ? Array(room[..<count]) : nil
    }

    /// The answer to a request for it.
    func response(to request: WebRequest) -> WebResponse {
      let isCompressed = request.headers["accept-encoding"]?.contains("gzip") == true && compressed != nil
      var response = WebResponse(
        headers: [
          ("Content-Type", type), ("Cache-Control", "public, max-age=31536000, immutable"),
          ("Vary", "Accept-Encoding"),
        ], body: (isCompressed ? compressed : nil) ?? bytes)
      if isCompressed { response.headers.append(("Content-Encoding", "gzip")) }
      return response
    }
  }

  static let style = File(type: "text/css; charset=utf-8", PackageResources.gangway_css)
  static let module = File(type: "text/javascript; charset=utf-8", PackageResources.gangway_js)

  /// Names them by what is in them (FNV-1a, Fowler, Noll and Vo), so that a browser that has one never shows an older one.
  static let version: String = {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in style.bytes + module.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 36)
  }()
}
