/// A node of the navigation tree, as shown to a developer.
@_spi(FrontEnd) public struct TreeNode: Codable, Hashable, Sendable {
  /// The node's number.
  public var id: NodeID
  /// `root`, `tab`, `push`, `modal` or `fullScreen`.
  public var style: String
  /// The title.
  public var title: String
  /// The route or place, as text.
  public var route: String?
  /// The type of the coordinator the node holds, if it holds one.
  public var coordinator: String?
  /// The plugin whose code shows it.
  public var plugin: PluginID?
  /// The child nodes.
  public var children: [TreeNode]

  /// Makes a node.
  package init(
    id: NodeID, style: String, title: String, route: String?, coordinator: String?, plugin: PluginID?,
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

  /// The tree as lines, one for each node, with children indented by two.
  ///
  /// A line has the style, title, route, coordinator and plugin, with `-` for a missing one.
  public var lines: [String] {
    let line = [style, "\"\(title)\"", route ?? "-", coordinator ?? "-", plugin?.rawValue ?? "-"].joined(
      separator: "  ")
    return [line] + children.flatMap(\.lines).map { "  " + $0 }
  }
}
