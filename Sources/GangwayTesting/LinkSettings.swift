@_spi(FrontEnd) import Gangway

/// The links of an app, as its configuration describes them.
struct LinkSettings {
  let schemes: [String]
  let origins: [String]
  let ignoresCase: Bool

  /// Sets up the links before plugins register, as a host does.
  ///
  /// - Throws: ``FlowFailure`` if there is no scheme, or an origin is not a web address.
  @MainActor func apply(to links: Links, _ place: SourcePlace) throws {
    guard !schemes.isEmpty else {
      throw FlowFailure("LinkSettings has no scheme. Give at least one, such as 'gangway'.", at: place)
    }
    links.schemes = schemes.map { $0.lowercased() }
    do {
      links.origins = try origins.map { try LinkOrigin($0).description }
    } catch {
      throw FlowFailure("\(error)", at: place)
    }
    links.ignoresCase = ignoresCase
  }
}
