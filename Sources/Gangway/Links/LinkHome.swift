/// The tab of a link, found when its plugin has registered all it has.
@MainActor final class LinkHome {
  var tab: ContributionID?
  init(_ tab: ContributionID?) { self.tab = tab }
}
