import CZlib

/// The server's own files, which are compiled into the command, so that it needs no folder for them.
struct WebAssets {
  /// A file in the form that browsers get.
  struct File: Sendable {
    /// The media type of the file.
    let type: String
    /// The content.
    let bytes: [UInt8]
    /// The content in gzip format (RFC 1952); nil if compression failed.
    ///
    /// Pages are never compressed, because they contain secrets beside text of others. The length of a compressed page
    /// would reveal the secrets (BREACH, 2013).
    let compressed: [UInt8]?

    /// Creates a file.
    ///
    /// - Parameter isOwn: whether the file is one of the server's own, without its comments and indentation.
    init(type: String, _ source: [UInt8], isOwn: Bool = true) {
      self.type = type
      bytes = isOwn ? Self.stripped(source) : source
      compressed = Self.gzip(bytes)
    }

    /// Removes indentation, empty lines and comment lines.
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

    /// Returns the answer to a request for the file.
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
  static let module = module(.english)

  /// Returns the script of pages with the words of a language.
  static func module(_ words: PageWords) -> File {
    File(type: "text/javascript; charset=utf-8", Array(words.script.utf8) + PackageResources.gangway_js)
  }

  /// The hash of both files, in English, for the address of the style sheet. ``Site/version`` is for pages.
  static let version = hash(style.bytes + module.bytes)

  /// Returns the hash of a file's content, for its address.
  ///
  /// Source: FNV-1a, by Fowler, Noll and Vo.
  static func hash(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 36)
  }
}
