/// The entry whose content is being made, so that a router read meanwhile knows it.
@MainActor enum BuildScope {
  private static var current: Node?

  static func run<Result>(_ node: Node, _ build: () throws -> Result) rethrows -> Result {
    let outer = current
    current = node
    defer { current = outer }
    return try build()
  }

  /// The entry being built, if it is one of this coordinator's.
  static func entry(of coordinator: AnyObject) -> Node? {
    guard let current, let owner = current.parent?.coordinator, owner === coordinator else { return nil }
    return current
  }
}
