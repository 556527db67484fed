/// A node of the navigation tree, as shown to a developer.
public struct TreeNode: Codable, Hashable, Sendable {
  /// The node's number.
  public var id: NodeID
  /// `root`, `tab`, `push`, `modal` or `fullScreen`.
  public var style: String
  /// What it is called.
  public var title: String
  /// The route or place, as text.
  public var route: String?
  /// The type of the coordinator the node holds, if it holds one.
  public var coordinator: String?
  /// The plugin whose code shows it.
  public var plugin: String?
  /// The nodes in it.
  public var children: [TreeNode]

  /// Makes a node.
  public init(
    id: NodeID, style: String, title: String, route: String?, coordinator: String?, plugin: String?,
    children: [TreeNode]
  ) {
    self.id = id
    self.style = style
    self.title = title
    self.route = route
    self.coordinator = coordinator
    self.plugin = plugin
    self.children = children
  }

  /// A node a line, children indented by two: style, title, route, coordinator, plugin; `-` where there is none.
  public var lines: [String] {
    let line = [style, "\"\(title)\"", route ?? "-", coordinator ?? "-", plugin ?? "-"].joined(separator: "  ")
    return [line] + children.flatMap(\.lines).map { "  " + $0 }
  }
}
