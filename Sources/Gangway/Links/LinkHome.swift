/// The tab of a link, found when its plugin has registered all it has.
@MainActor final class LinkHome {
  var tab: String?
  init(_ tab: String?) { self.tab = tab }
}
