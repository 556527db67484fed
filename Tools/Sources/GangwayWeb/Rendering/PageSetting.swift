/// The facts of a server that every page depends on.
struct PageSetting: Hashable, Sendable {
  /// The scheme of the application's URLs.
  var scheme = "gangway"
  /// The framework's own words.
  var words = PageWords.english
}
