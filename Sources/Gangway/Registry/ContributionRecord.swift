/// One contribution of a plugin, as data: enough to show, match, list and compare it without the plugin's code.
///
/// Every kind has this one form, in manifests, caches, listings and graphs. ``detail`` has the facts that only some
/// kinds have.
@_spi(FrontEnd) public struct ContributionRecord: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a contribution.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// A tab on the bar.
    case tab
    /// A flow that other features show.
    case place
    /// A pattern of URLs.
    case link
    /// A guard that runs before every navigation of the application.
    case `guard`
    /// Code that receives every commit.
    case observer
    /// A service, by its id or by its type.
    case service
    /// A slot that other plugins contribute to.
    case slot
    /// A contribution to another plugin's slot.
    case contribution
    /// A declared use of another plugin, which is not a contribution.
    case use
  }

  /// The name of another fact about a contribution; all values are text.
  public enum Detail: String, Codable, Hashable, Sendable, CodingKeyRepresentable, Comparable {
    /// Orders details by name.
    public static func < (first: Detail, second: Detail) -> Bool { first.rawValue < second.rawValue }

    /// For a tab: the title for the user.
    case title
    /// For a tab: one or two characters before the title.
    case symbol
    /// For a tab, a guard or a contribution to a slot: the number to sort by.
    case order
    /// For a tab: the title of its group.
    case group
    /// For a tab: whether it is off the bar until its plugin shows it.
    case isHidden = "hidden"
    /// For a tab: whether it holds a stack, so that links can open its routes.
    case hasStack = "stack"
    /// For a link to a tab: the tab.
    case tab
    /// For a tab or place: the names of its guards.
    case guards
    /// For a tab: the reason to load the plugin before the tab is shown.
    case preload
    /// For a place: the version of its payload's encoding.
    case schema
    /// For a service: the operations that others may call, and the changes that it reports.
    case operations
    /// For a contribution: the slot.
    case slot
    /// For a contribution, its description; for a use, an example of its argument: as JSON.
    case json
    /// For a use: the operation that it calls.
    case operation
    /// For a use: whether the plugin works without it.
    case isOptional = "optional"
  }

  /// The kind of the contribution.
  package var kind: Kind
  /// The id `plugin.name`; a link's pattern, the full type name of a service by type, or the id of what a use refers
  /// to.
  public var id: String
  /// The type of the argument or description, to show to a developer; empty if there is none.
  public var type: String
  /// The other facts about the contribution.
  package var detail: [Detail: String]

  /// Creates a record.
  package init(_ kind: Kind, _ id: String, type: String = "", _ detail: [Detail: String?] = [:]) {
    self.kind = kind
    self.id = id
    self.type = type
    self.detail = detail.compactMapValues(\.self)
  }

  /// Returns the fact with a name.
  public subscript(name: Detail) -> String? { detail[name] }

  /// The number to sort by.
  package var order: Int { detail[.order].flatMap { Int($0) } ?? 0 }

  /// Returns the names in a list.
  package func names(_ name: Detail) -> [String] {
    (detail[name] ?? "").split(separator: " ").map(String.init)
  }

  /// The contribution as one line: `tab todos.list`, `contribution settings.look to main.pages`.
  public var line: String { "\(kind.rawValue) \(id)" + (detail[.slot].map { " to \($0)" } ?? "") }

  /// The contribution with all its facts.
  public var description: String {
    let type = type.isEmpty ? [] : ["type: \(type)"]
    let details = detail.sorted { $0.key < $1.key }.map { "\($0.key.rawValue): \"\($0.value)\"" }
    let all = type + details
    return line + (all.isEmpty ? "" : " (\(all.joined(separator: ", ")))")
  }
}
