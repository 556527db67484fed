/// The owner's files on a page, by their paths on the server.
struct PageLook: Sendable {
  /// The picture beside the app's name.
  var logo: String?
  /// The picture in the browser's tab.
  var icon: String?
  /// The style sheet after the framework's own.
  var style: String?
}
