/// The link to the place where the user is.
extension Navigation {
  /// The place where the user is, as a plan that opens it from anywhere.
  var currentPlan: LinkPlan { table.visible.steps.plan() }
}
