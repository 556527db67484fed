/// The language of the features' texts, which sets the screen reader's voice and the writing direction.
@_spi(FrontEnd) public struct PageLanguage: Hashable, Sendable {
  /// The tag of BCP 47 (RFC 5646), such as `en`, `ar`, `pt-BR` or `az-Arab`.
  public let tag: String

  public static let english = PageLanguage(name: "en")

  private init(name: String) { tag = name }

  /// Creates a language from a tag.
  ///
  /// - Parameter tag: a tag of BCP 47; the result is nil if its form is not valid.
  public init?(_ tag: String) {
    guard tag.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*/) != nil, tag.utf8.count <= 35 else { return nil }
    self.init(name: tag)
  }

  /// Whether the language is written from right to left.
  ///
  /// The scripts are those with the Unicode direction R or AL that living languages use. The languages are those with
  /// one of these scripts by default (CLDR, likely subtags).
  public var isRightToLeft: Bool {
    let parts = tag.lowercased().split(separator: "-").map(String.init)
    if let script = parts.dropFirst().first(where: { $0.count == 4 && $0.allSatisfy(\.isLetter) }) {
      return Self.scripts.contains(script)
    }
    return Self.languages.contains(parts.first ?? "")
  }

  private static let scripts: Set<String> = [
    "arab", "hebr", "thaa", "syrc", "nkoo", "adlm", "rohg", "mand", "samr", "aran",
  ]
  private static let languages: Set<String> = [
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "mzn", "nqo", "pnb", "prs", "ps", "sd", "syr", "ug", "ur",
    "yi",
  ]
}
