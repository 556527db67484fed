/// When a plugin is loaded before its tab is shown.
///
/// A plugin is usually loaded when the user first needs it. Until then, its tab shows the last badge that is stored. In
/// a new session, nothing is stored yet. So a tab whose badge must be right from the start asks for this.
public struct TabPreload: Sendable {
  let load: @MainActor (PluginContext) async -> Void

  /// Loads the plugin soon after the session has begun, so that the tab gets its label.
  public static let badge = TabPreload { _ in }

  /// Loads the plugin soon after the session has begun, and then the values that the label shows.
  ///
  /// ```swift
  /// preload: .badge { await (try? $0.service(GuestBook.self))?.guests.load() }
  /// ```
  ///
  /// - Parameter load: loads the values, on the main actor. It is cancelled with the session.
  public static func badge(_ load: @escaping @MainActor (PluginContext) async -> Void) -> TabPreload {
    TabPreload(load: load)
  }
}
