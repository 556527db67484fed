/// The link to the place where the user is.
extension Navigation {
  /// The place where the user is, as a plan that opens it from anywhere.
  var currentPlan: LinkPlan {
    var plan = LinkPlan.root
    describe(table.root, &plan)
    return plan
  }

  private func describe(_ node: Node, _ plan: inout LinkPlan) {
    guard case .flow(let kind) = node.phase else { return }
    switch kind {
    case .tabs:
      guard let tab = node.selection else { return }
      if let id = tab.registeredTab {
        plan = LinkPlan(tab: id)
      } else if case .route(let route)? = tab.routeValue {
        plan = plan.adding(.route(route))
      }
      describe(tab, &plan)
    case .stack:
      for (index, child) in node.children.enumerated() {
        if index > 0 {
          switch child.routeValue {
          case .route(let route): plan = plan.adding(.route(route))
          case .place(let place): plan = plan.adding(.place(place))
          case .encoded, nil: break
          }
        }
        describe(child, &plan)
      }
    case .wrapper: node.children.first.map { describe($0, &plan) }
    }
  }
}
