/// One thing that a plugin contributes, as data: enough to show, match, list and compare it with none of the plugin's code
/// loaded.
///
/// Every kind has this one form, in manifests, caches, listings and graphs; what a kind has besides is in ``detail``.
public struct ContributionRecord: Codable, Hashable, Sendable, CustomStringConvertible {
  /// What kind of thing it is.
  public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
    /// The word for it, as in listings.
    public let rawValue: String
    /// Makes a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A tab on the bar.
    public static let tab = Kind(rawValue: "tab")
    /// A flow that other features show.
    public static let place = Kind(rawValue: "place")
    /// A pattern of URLs.
    public static let link = Kind(rawValue: "link")
    /// A guard that is asked before every navigation of the application.
    public static let `guard` = Kind(rawValue: "guard")
    /// Code that is told of every commit.
    public static let observer = Kind(rawValue: "observer")
    /// A service, by its id or by its type.
    public static let service = Kind(rawValue: "service")
    /// A slot that others contribute to.
    public static let slot = Kind(rawValue: "slot")
    /// What it contributes to another plugin's slot.
    public static let contribution = Kind(rawValue: "contribution")
    /// What it says it uses of another plugin: no contribution of its own.
    public static let use = Kind(rawValue: "use")
  }

  /// What else is known of it, by name; the values are texts.
  public struct Detail: RawRepresentable, Codable, Hashable, Sendable, CodingKeyRepresentable, Comparable {
    /// The name.
    public let rawValue: String
    /// Makes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// By their names.
    public static func < (first: Detail, second: Detail) -> Bool { first.rawValue < second.rawValue }

    /// Of a tab: what the person reads.
    public static let title = Detail(rawValue: "title")
    /// Of a tab: a character or two to stand before the title.
    public static let symbol = Detail(rawValue: "symbol")
    /// Of a tab, a guard or a contribution to a slot: they are sorted by it.
    public static let order = Detail(rawValue: "order")
    /// Of a tab: the title of the group it stands in.
    public static let group = Detail(rawValue: "group")
    /// Of a tab: whether it is off the bar until its plugin says so.
    public static let isHidden = Detail(rawValue: "hidden")
    /// Of a tab: whether it holds a stack, so that links can lead to its routes.
    public static let hasStack = Detail(rawValue: "stack")
    /// Of a tab or place: the names of its guards.
    public static let guards = Detail(rawValue: "guards")
    /// Of a place: the version of its payload's encoding.
    public static let schema = Detail(rawValue: "schema")
    /// Of a service: what others may call, and what it tells changes of.
    public static let operations = Detail(rawValue: "operations")
    /// Of a contribution: the slot.
    public static let slot = Detail(rawValue: "slot")
    /// Of a contribution, its description; of a use, an example of what is given: as JSON.
    public static let json = Detail(rawValue: "json")
    /// Of a use: the operation that is called.
    public static let operation = Detail(rawValue: "operation")
    /// Of a use: whether the plugin does without it.
    public static let isOptional = Detail(rawValue: "optional")
  }

  /// What kind of thing it is.
  public var kind: Kind
  /// `plugin.name`; of a link its pattern, of a service that is asked for by type the type's full name, of a use the id of
  /// what is used.
  public var id: String
  /// The type of what it takes or is described by, for people; empty where there is none.
  public var type: String
  /// What else is known of it.
  public var detail: [Detail: String]

  /// Makes a record.
  public init(_ kind: Kind, _ id: String, type: String = "", _ detail: [Detail: String?] = [:]) {
    self.kind = kind
    self.id = id
    self.type = type
    self.detail = detail.compactMapValues(\.self)
  }

  /// What is known of it by a name.
  public subscript(name: Detail) -> String? { detail[name] }

  /// The number by which such things are sorted.
  public var order: Int { detail[.order].flatMap { Int($0) } ?? 0 }

  /// The names in a list.
  public func names(_ name: Detail) -> [String] {
    (detail[name] ?? "").split(separator: " ").map(String.init)
  }

  /// It in a line: `tab todos.list`, `contribution settings.look to main.pages`.
  public var line: String { "\(kind.rawValue) \(id)" + (detail[.slot].map { " to \($0)" } ?? "") }

  /// It with all that is known of it.
  public var description: String {
    let type = type.isEmpty ? [] : ["type: \(type)"]
    let details = detail.sorted { $0.key < $1.key }.map { "\($0.key.rawValue): \"\($0.value)\"" }
    let all = type + details
    return line + (all.isEmpty ? "" : " (\(all.joined(separator: ", ")))")
  }
}
