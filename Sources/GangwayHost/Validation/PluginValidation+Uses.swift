@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The checks of what the plugin uses of others: whether it fits them, and whether it declares what it uses.
extension PluginValidation {
  /// Checks that the plugin fits the plugins that it uses, and loads them for the check.
  func fit() async {
    let used = catalog.registry.used(by: plugin).sorted()
    for other in used where catalog.member(other) != nil {
      send(.doing("loading the plugin \(other), which it uses"))
      _ = await catalog.registry.load(other)
    }
    let missing = used.filter { catalog.member($0) == nil }
    let unchecked = catalog.registry.uncheckedResults(of: plugin).sorted()
    report(
      "fits the installed plugins", catalog.registry.misfits(of: plugin),
      used.isEmpty
        ? "it does not use other plugins"
        : "it uses \(used.map(\.rawValue).joined(separator: ", "))"
          + (missing.isEmpty
            ? "" : "; not installed and not compared: \(missing.map(\.rawValue).joined(separator: ", "))")
          + Self.uncheckedText(unchecked))
  }

  /// Keeps the requests to other plugins so far, before another catalog replaces this one.
  func keepRequests() {
    requests.formUnion(catalog.registry.requests(of: plugin))
    undeclared.formUnion(catalog.registry.undeclaredRequests(of: plugin))
  }

  /// Reports the requests to other plugins without a declaration, so that nothing compared ids and types.
  ///
  /// Without a walk, too little was used for a result.
  func reportUses() {
    keepRequests()
    guard steps > 0 || !undeclared.isEmpty else { return }
    report(
      "declares what it uses", undeclared.map(Self.undeclaredText).sorted(),
      requests.isEmpty
        ? "it used nothing of other plugins during these checks"
        : "each of the \(requests.count) places and operations of other plugins that it used")
  }

  /// Returns the words on a use of another plugin's place or operation that the plugin does not declare.
  private static func undeclaredText(_ request: UseRequest) -> String {
    let (use, declaration) =
      request.operation.map {
        ("calls '\($0)' of the service '\(request.id)'", "service: \"\(request.id)\", operation: \"\($0)\"")
      } ?? ("shows the place '\(request.id)'", "place: \"\(request.id)\"")
    return "it \(use), and does not declare this, so nothing compared the id and the types. Add "
      + "registry.uses(\(declaration)) to register(in:)"
  }

  /// Returns the words on results of other plugins that nothing compared.
  private static func uncheckedText(_ results: [String]) -> String {
    if results.isEmpty { return "" }
    return "; results not compared, because uses(…) has no example of them, or none that tells: "
      + results.joined(separator: ", ")
  }
}
