/// One contribution of a plugin, as data: enough to show, match, list and compare it without the plugin's code.
///
/// Every kind has this one form, in manifests, caches, listings and graphs. ``detail`` has the facts that only some
/// kinds have.
public struct ContributionRecord: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a contribution.
  public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
    /// The name of the kind, as in listings.
    public let rawValue: String
    /// Creates a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A tab on the bar.
    public static let tab = Kind(rawValue: "tab")
    /// A flow that other features show.
    public static let place = Kind(rawValue: "place")
    /// A pattern of URLs.
    public static let link = Kind(rawValue: "link")
    /// A guard that runs before every navigation of the application.
    public static let `guard` = Kind(rawValue: "guard")
    /// Code that receives every commit.
    public static let observer = Kind(rawValue: "observer")
    /// A service, by its id or by its type.
    public static let service = Kind(rawValue: "service")
    /// A slot that other plugins contribute to.
    public static let slot = Kind(rawValue: "slot")
    /// A contribution to another plugin's slot.
    public static let contribution = Kind(rawValue: "contribution")
    /// A declared use of another plugin, which is not a contribution.
    public static let use = Kind(rawValue: "use")
  }

  /// The name of a fact in ``ContributionRecord/detail``; all values are text.
  public struct Detail: RawRepresentable, Codable, Hashable, Sendable, CodingKeyRepresentable, Comparable {
    /// The name.
    public let rawValue: String
    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Orders details by name.
    public static func < (first: Detail, second: Detail) -> Bool { first.rawValue < second.rawValue }

    /// For a tab: the title for the user.
    public static let title = Detail(rawValue: "title")
    /// For a tab: one or two characters before the title.
    public static let symbol = Detail(rawValue: "symbol")
    /// For a tab, a guard or a contribution to a slot: the number to sort by.
    public static let order = Detail(rawValue: "order")
    /// For a tab: the title of its group.
    public static let group = Detail(rawValue: "group")
    /// For a tab: whether it is off the bar until its plugin shows it.
    public static let isHidden = Detail(rawValue: "hidden")
    /// For a tab: whether it holds a stack, so that links can open its routes.
    public static let hasStack = Detail(rawValue: "stack")
    /// For a tab or place: the names of its guards.
    public static let guards = Detail(rawValue: "guards")
    /// For a place: the version of its payload's encoding.
    public static let schema = Detail(rawValue: "schema")
    /// For a service: the operations that others may call, and the changes that it reports.
    public static let operations = Detail(rawValue: "operations")
    /// For a contribution: the slot.
    public static let slot = Detail(rawValue: "slot")
    /// For a contribution, its description; for a use, an example of its argument: as JSON.
    public static let json = Detail(rawValue: "json")
    /// For a use: the operation that it calls.
    public static let operation = Detail(rawValue: "operation")
    /// For a use: whether the plugin works without it.
    public static let isOptional = Detail(rawValue: "optional")
  }

  /// The kind of the contribution.
  public var kind: Kind
  /// The id `plugin.name`; a link's pattern, the full type name of a service by type, or the id of what a use refers
  /// to.
  public var id: String
  /// The type of the argument or description, to show to a developer; empty if there is none.
  public var type: String
  /// The other facts about the contribution.
  public var detail: [Detail: String]

  /// Creates a record.
  public init(_ kind: Kind, _ id: String, type: String = "", _ detail: [Detail: String?] = [:]) {
    self.kind = kind
    self.id = id
    self.type = type
    self.detail = detail.compactMapValues(\.self)
  }

  /// Returns the fact with a name.
  public subscript(name: Detail) -> String? { detail[name] }

  /// The number to sort by.
  public var order: Int { detail[.order].flatMap { Int($0) } ?? 0 }

  /// Returns the names in a list.
  public func names(_ name: Detail) -> [String] {
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
