import GangwayProtocol

/// What an attached front end and its app say to each other, a JSON object a line.
enum AttachMessage {
  /// What a front end asks, each with a number of its own.
  enum FromFrontEnd: Codable, Sendable {
    /// Something a person did; the event's number is that of the request.
    case event(Event)
    case tree(number: Int)
    case history(number: Int)
    case restart(number: Int)
    case reload(number: Int, plugin: String?)
  }

  /// What an app says.
  enum FromApp: Codable, Sendable {
    /// Something came by itself, or is the answer to an event; the presentation is in it where the front end has another one.
    case update(number: Int?, Update)
    case tree(number: Int, TreeNode)
    case history(number: Int, [String])
    /// Something was done, with what to tell the person.
    case done(number: Int, String)
    /// Something could not be done, for a reason.
    case failure(number: Int, String)

    /// The request that it answers.
    var number: Int? {
      switch self {
      case .update(let number, _): number
      case .tree(let number, _), .history(let number, _), .done(let number, _), .failure(let number, _): number
      }
    }
  }
}
