import GangwayProtocol

/// The messages between an attached front end and its app, one JSON object a line.
enum AttachMessage {
  /// A request of a front end; each has a number of its own.
  enum FromFrontEnd: Codable, Sendable {
    /// A user action; the event's id is the number of the request.
    case event(Event)
    case tree(number: Int)
    case history(number: Int)
    case restart(number: Int)
    case reload(number: Int, plugin: String?)
  }

  /// A message of an app.
  enum FromApp: Codable, Sendable {
    /// A change that the app reports unasked, or the answer to an event.
    ///
    /// The presentation is included only if it differs from the one the front end has.
    case update(number: Int?, Update)
    case tree(number: Int, TreeNode)
    case history(number: Int, [String])
    /// A request succeeded, with the text to show the user.
    case done(number: Int, String)
    /// A request failed, with the reason.
    case failure(number: Int, String)

    /// The number of the request that this message answers.
    var number: Int? {
      switch self {
      case .update(let number, _): number
      case .tree(let number, _), .history(let number, _), .done(let number, _), .failure(let number, _): number
      }
    }
  }
}
