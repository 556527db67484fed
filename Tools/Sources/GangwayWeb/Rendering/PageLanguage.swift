/// The language of what features say: which voice a screen reader takes, and from which side is written.
public struct PageLanguage: Hashable, Sendable {
  /// Its name as BCP 47 has it (RFC 5646): `en`, `ar`, `pt-BR`, `az-Arab`.
  public let tag: String

  public static let english = PageLanguage(name: "en")

  private init(name: String) { tag = name }

  /// Takes a name.
  ///
  /// - Parameter tag: as BCP 47 has it; nil comes of what is none by its form.
  public init?(_ tag: String) {
    guard tag.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*/) != nil, tag.utf8.count <= 35 else { return nil }
    self.init(name: tag)
  }

  /// Whether it is written from the right.
  ///
  /// The scripts are those of Unicode with the direction R or AL that living languages are written in; the languages those that have
  /// one of them by default (CLDR, likely subtags).
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
