import FoundationEssentials
import Glibc

/// The look that the owner of an app gives to its pages.
@_spi(FrontEnd) public struct Brand: Sendable {
  /// The reason why a look cannot be used.
  public struct Mistake: Error, CustomStringConvertible {
    /// The file or value, the mistake, and the fix.
    public let description: String
    /// Whether a file is missing or unusable, and not the value of an option.
    public let isOfFile: Bool
  }

  /// A picture in the form that browsers get.
  struct Picture: Sendable {
    let type: String
    let bytes: [UInt8]
    /// The path on the server, which names the content.
    let path: String

    /// The answer to a request for the picture.
    ///
    /// An SVG picture has inline styles; its scripts never run.
    var response: WebResponse {
      WebResponse(
        headers: [
          ("Content-Type", type), ("Cache-Control", "public, max-age=31536000, immutable"),
          ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        ], body: bytes)
    }
  }

  /// The largest file, in bytes.
  static let maximumFile = 262_144

  /// The picture beside the app's name.
  private(set) var logo: Picture?
  /// The picture in the browser's tab.
  private(set) var icon: Picture?
  /// The style sheet after the framework's own.
  private(set) var style: WebAssets.File?
  /// The path of the style sheet.
  private(set) var stylePath: String?
  /// The owner's file of words, which was checked.
  private var words: [UInt8]?
  /// The sites that may show pages in a frame, in the form of the directive `frame-ancestors`.
  private(set) var frameAncestors: [String] = []

  /// The framework's own look.
  public init() {}

  /// Reads a look.
  ///
  /// - Parameters:
  ///   - logo: the file of the picture beside the app's name: PNG, JPEG, GIF, WebP or SVG.
  ///   - icon: the file of the picture in the browser's tab; by default, the logo.
  ///   - accent: a color such as `#2f55d4`, or one for light and one for dark pages, separated by a comma. The colors
  ///     are made darker or lighter until text in them is legible.
  ///   - style: the file of a style sheet, which browsers read after the framework's own.
  ///   - words: a JSON file with words of the framework, in another language or of the owner's choice.
  ///   - frameAncestors: `'self'`, or origins such as `https://intranet.example.org`.
  /// - Throws: ``Mistake``.
  public init(
    logo: String?, icon: String?, accent: String?, style: String?, words: String? = nil, frameAncestors: [String]
  ) throws(Mistake) {
    if let logo { self.logo = try Self.picture(logo, "logo") }
    self.icon = if let icon { try Self.picture(icon, "icon") } else { self.logo }
    var sheet = if let accent { try AccentColors(accent).style } else { "" }
    if let style {
      guard let text = String(validating: try Self.read(style), as: UTF8.self) else {
        throw Mistake(description: Words.Operator.notText(style), isOfFile: true)
      }
      sheet += text
    }
    if !sheet.isEmpty {
      let file = WebAssets.File(type: "text/css; charset=utf-8", Array(sheet.utf8), isOwn: false)
      self.style = file
      stylePath = "/_gangway/\(WebAssets.hash(file.bytes)).brand.css"
    }
    if let words {
      let file = try Self.read(words)
      var checked = PageWords.english
      do throws(PageWords.Mistake) {
        try checked.apply(file)
      } catch {
        throw Mistake(description: Words.Operator.fileUnusable(words, reason: error.description), isOfFile: true)
      }
      self.words = file
    }
    for ancestor in frameAncestors {
      guard ancestor == "self" || ancestor.wholeMatch(of: /https?:\/\/(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?/) != nil else {
        throw Mistake(description: Words.Operator.notAnOrigin(ancestor), isOfFile: false)
      }
      self.frameAncestors.append(ancestor == "self" ? "'self'" : ancestor)
    }
  }

  /// The paths of the files, for pages.
  var look: PageLook { PageLook(logo: logo?.path, icon: icon?.path, style: stylePath) }

  /// Returns the framework's words in a language, with those of the owner's file.
  func words(for language: PageLanguage) -> PageWords {
    var own = PageWords.of(language)
    if let words { try? own.apply(words) }
    return own
  }

  /// Returns the answer to a request for one of the look's files; nil for other paths.
  func response(to request: WebRequest) -> WebResponse? {
    switch request.path {
    case stylePath: style?.response(to: request)
    case logo?.path: logo?.response
    case icon?.path: icon?.response
    default: nil
    }
  }

  // MARK: Files

  private static func picture(_ file: String, _ name: String) throws(Mistake) -> Picture {
    let bytes = try read(file)
    guard let type = type(of: bytes) else {
      throw Mistake(description: Words.Operator.notAPicture(file), isOfFile: true)
    }
    return Picture(type: type, bytes: bytes, path: "/_gangway/\(WebAssets.hash(bytes)).\(name)")
  }

  /// Reads a regular file that is not too large.
  private static func read(_ file: String) throws(Mistake) -> [UInt8] {
    func mistake(_ reason: String) -> Mistake {
      Mistake(description: Words.Operator.fileUnusable(file, reason: reason), isOfFile: true)
    }
    // A pipe would block.
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw mistake(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw mistake(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw mistake(Words.Operator.notRegular) }
    guard status.st_size <= maximumFile else {
      throw mistake(Words.Operator.tooLarge(Int(status.st_size), limit: maximumFile))
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var count = 0
    while count < bytes.count {
      let part = bytes.withUnsafeMutableBytes { room in
        Glibc.read(descriptor, room.baseAddress?.advanced(by: count), room.count - count)
      }
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { throw mistake(String(cString: strerror(errno))) }
      if part == 0 { break }
      count += part
    }
    guard count > 0, count < bytes.count else { throw mistake(Words.Operator.emptyOrGrowing) }
    return Array(bytes[..<count])
  }

  /// Returns the media type of a picture, from its first bytes.
  ///
  /// Source: WHATWG, MIME Sniffing Standard, "Matching an image type pattern".
  private static func type(of bytes: [UInt8]) -> String? {
    func begins(_ text: String, at index: Int = 0) -> Bool { bytes.dropFirst(index).starts(with: text.utf8) }
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return "image/png" }
    if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "image/jpeg" }
    if begins("GIF87a") || begins("GIF89a") { return "image/gif" }
    if begins("RIFF"), begins("WEBP", at: 8) { return "image/webp" }
    let start = String(decoding: bytes.prefix(1_024), as: UTF8.self)
    return start.contains("<svg") ? "image/svg+xml" : nil
  }
}

/// The accent colors of light and dark pages.
struct AccentColors {
  /// A color, with its parts from 0 to 1 (sRGB).
  struct Color: Equatable {
    var red: Double, green: Double, blue: Double

    init(_ red: Double, _ green: Double, _ blue: Double) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Reads `#rgb` or `#rrggbb`.
    init?(_ text: Substring) {
      guard text.first == "#", let number = Int(text.dropFirst(), radix: 16), text.dropFirst().allSatisfy(\.isHexDigit)
      else { return nil }
      switch text.count {
      case 4: self.init(Double(number >> 8) / 15, Double(number >> 4 & 15) / 15, Double(number & 15) / 15)
      case 7: self.init(Double(number >> 16) / 255, Double(number >> 8 & 255) / 255, Double(number & 255) / 255)
      default: return nil
      }
    }

    /// The color as `#rrggbb`.
    var text: String {
      "#"
        + [red, green, blue].map { part in
          let digits = String(Int((part * 255).rounded()), radix: 16)
          return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// The relative luminance.
    ///
    /// Source: WCAG 2.2, "relative luminance".
    var luminance: Double {
      func linear(_ part: Double) -> Double { part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4) }
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the contrast ratio of two colors, from 1 to 21.
    func contrast(to other: Color) -> Double {
      let (one, two) = (luminance, other.luminance)
      return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    func mixed(with other: Color, _ share: Double) -> Color {
      func mix(_ one: Double, _ two: Double) -> Double { one + (two - one) * share }
      return Color(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }

    static let white = Color(1, 1, 1)
    static let black = Color(0, 0, 0)

    /// Returns the color, moved towards another one until text in it has a contrast of 4.5 on a ground.
    func legible(on ground: Color, towards end: Color) -> Color {
      for step in 0...20 {
        let color = mixed(with: end, Double(step) / 20)
        if color.contrast(to: ground) >= 4.5 { return color }
      }
      return end
    }

    /// The text color on a surface of this color: white or black.
    var ink: Color { contrast(to: .white) >= contrast(to: .black) ? .white : .black }
  }

  let light: Color
  let dark: Color

  /// Reads one color, or two that are separated by a comma.
  ///
  /// The grounds are the darkest and lightest surfaces with text in gangway.css.
  init(_ text: String) throws(Brand.Mistake) {
    let colors = text.split(separator: ",", omittingEmptySubsequences: false).map { Color($0) }
    guard (1...2).contains(colors.count), let light = colors[0], let dark = colors[colors.count - 1] else {
      throw Brand.Mistake(description: Words.Operator.notAColor(text), isOfFile: false)
    }
    self.light = light.legible(on: Color("#e4e4ea") ?? .white, towards: .black)
    self.dark = dark.legible(on: Color("#2e3136") ?? .black, towards: .white)
  }

  /// The style sheet with the colors.
  var style: String {
    """
    :root {
    --accent: light-dark(\(light.text), \(dark.text));
    --on-accent: light-dark(\(light.ink.text), \(dark.ink.text));
    --tint: light-dark(\(light.mixed(with: .white, 0.9).text), \(dark.mixed(with: .black, 0.8).text));
    }

    """
  }
}
