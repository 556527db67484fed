@_spi(FrontEnd) import GangwayProtocol

/// A page for developers: the tree and history of each session, and the graph of the plugins.
struct InspectorPage {
  /// A session on the page.
  struct Session {
    var title: String
    /// The address of its pages.
    var address: String
    /// The number of pages that show the session.
    var pages: Int
    /// The reason why the session cannot be inspected; nil if it can.
    var problem: String?
    var tree: TreeNode?
    /// The session's commits, oldest first.
    var history: [String] = []
  }

  var sessions: [Session]
  /// Whether the graph of the plugins is available.
  var hasGraph: Bool
  /// Whether the page reloads itself.
  var isFollowing: Bool

  /// Returns the page.
  func page(version: String) -> HTML {
    .document(
      title: "Gangway", version: version, refresh: isFollowing ? "2" : nil, body: ["class": "inspector"]
    ) { html in
      html.element("main") { html in
        html.element("h1", text: Words.Inspector.title)
        html.element("p", ["class": "inspector-links"]) { html in
          if isFollowing {
            html.element("a", ["href": "/_gangway"], text: Words.Inspector.stopFollowing)
          } else {
            html.element("a", ["href": "/_gangway"], text: Words.Inspector.reload)
            html.element("a", ["href": "/_gangway?follow"], text: Words.Inspector.follow)
          }
          html.element("a", ["href": "/_gangway/metrics"], text: Words.Inspector.counters)
          html.element("a", ["href": "/_gangway/health"], text: Words.Inspector.health)
        }
        if sessions.isEmpty {
          html.element("p", text: Words.Inspector.noSession)
        }
        for (number, session) in sessions.enumerated() { add(session, "session-\(number + 1)", to: &html) }
        if hasGraph {
          html.element("section", ["aria-labelledby": "plugins"]) { html in
            html.element("h2", ["id": "plugins"], text: Words.Inspector.plugins)
            html.element("div", ["class": "wide"]) { html in
              html.open("img", ["src": "/_gangway/graph.svg", "alt": .text(Words.Inspector.graph)])
            }
          }
        }
      }
    }
  }

  private func add(_ session: Session, _ id: String, to html: inout HTML) {
    html.element("section", ["aria-labelledby": .text(id)]) { html in
      html.element("h2", ["id": .text(id)]) { html in
        html.element(
          "a", ["href": .text(session.address)],
          text: session.title.isEmpty ? Words.Inspector.untitled : session.title)
      }
      html.element("p", ["class": "quiet"]) { html in
        html.add(Words.Inspector.pages(session.pages))
      }
      if let problem = session.problem { html.element("p", ["class": "problem"], text: problem) }
      if let tree = session.tree {
        html.element("h3", text: Words.Inspector.tree)
        html.element("ul", ["class": "tree"]) { Self.add(tree, to: &$0) }
      }
      if !session.history.isEmpty {
        html.element("h3", text: Words.Inspector.history)
        html.element("ol", ["class": "history", "reversed": true]) { html in
          for line in session.history.reversed() { html.element("li", text: line) }
        }
      }
    }
  }

  private static func add(_ node: TreeNode, to html: inout HTML) {
    html.element("li") { html in
      html.element("span", ["class": "kind"], text: node.style)
      html.element("strong", text: node.title)
      if let route = node.route { html.element("code", text: route) }
      if let coordinator = node.coordinator { html.element("span", ["class": "quiet"], text: coordinator) }
      if let plugin = node.plugin { html.element("span", ["class": "badge"], text: plugin.rawValue) }
      guard !node.children.isEmpty else { return }
      html.element("ul") { html in
        for child in node.children { add(child, to: &html) }
      }
    }
  }
}
