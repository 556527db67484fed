import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The app owner's arrangement of plugin contributions: the file after `--config`.
///
/// `Documentation/Configuration.md` describes the format.
@_spi(FrontEnd) public struct HostConfiguration: Hashable, Sendable {
  /// The order, groups, hidden tabs and start.
  package var placement = Placement()
  /// Tabs of features that may arrive while the app runs. Until then, each has a placeholder.
  package var expected: [ExpectedTab] = []
  /// The schemes of the app's URLs; nil for the default.
  package var schemes: [String]?
  /// The web addresses that belong to the app.
  package var origins: [String] = []
  /// Whether links are compared without case.
  package var linksIgnoreCase = false
  /// The section of each plugin, as JSON text, by the plugin's id.
  package var pluginSections: [PluginID: String] = [:]
  /// The ids of the plugins that a server shows to its owner alone.
  public var ownerOnly: [PluginID] = []

  /// The tab of a feature that may arrive while the app runs.
  package struct ExpectedTab: Hashable, Sendable {
    /// The tab's id, such as `clock.time`. The part before the dot is the plugin's id.
    package var tab: ContributionID
    /// The title on the tab bar.
    package var title: String
    /// One or two characters before the title.
    package var symbol: String?
    /// The text in the tab's place until the feature arrives.
    package var text: String
  }

  /// The reason why a file is not a configuration.
  public struct Mistake: Error, Hashable, CustomStringConvertible {
    /// The file, line and column, the mistake and the fix.
    public let description: String
  }

  /// Reads a file.
  ///
  /// - Throws: ``Mistake``.
  public init(file: String) throws(Mistake) {
    let text: String
    do {
      let data = try Data(contentsOf: URL(filePath: file))
      guard data.count <= 1_048_576 else {
        throw Mistake(description: "'\(file)' has \(data.count) bytes; a configuration has at most 1048576.")
      }
      guard let read = String(validating: data, as: UTF8.self) else {
        throw Mistake(description: "'\(file)' is not UTF-8.")
      }
      text = read
    } catch let mistake as Mistake {
      throw mistake
    } catch {
      throw Mistake(description: "The configuration '\(file)' could not be read: \(error.reason).")
    }
    do {
      try self.init(text)
    } catch {
      throw Mistake(description: "'\(file)', \(error)")
    }
  }

  init(_ text: String) throws(JSONDocument.Mistake) {
    let root = try JSONDocument.read(text)
    for (name, place, value) in try root.fields() {
      switch name {
      case "tabs": try readTabs(value)
      case "start":
        placement.start = try value.string()
      case "links": try readLinks(value)
      case "plugins":
        for (id, _, section) in try value.fields() {
          _ = try section.fields()
          pluginSections[PluginID(rawValue: id)] = section.json
        }
      case "ownerOnly": ownerOnly = try value.strings().map(PluginID.init(rawValue:))
      default: throw JSONDocument.unknownField(name, place, ["tabs", "start", "links", "plugins", "ownerOnly"])
      }
    }
  }

  private mutating func readTabs(_ value: JSONDocument.Value) throws(JSONDocument.Mistake) {
    for (name, place, value) in try value.fields() {
      switch name {
      case "order": placement.order = try value.strings().map { ContributionID($0) }
      case "hidden": placement.hidden = Set(try value.strings().map { ContributionID($0) })
      case "groups":
        for group in try value.values() { placement.groups.append(try Self.group(group)) }
      case "expected":
        for tab in try value.values() { expected.append(try Self.expectedTab(tab)) }
      default: throw JSONDocument.unknownField(name, place, ["order", "hidden", "groups", "expected"])
      }
    }
  }

  private static func group(_ value: JSONDocument.Value) throws(JSONDocument.Mistake) -> Placement.Group {
    var title: String?
    var tabs: [String]?
    for (name, place, value) in try value.fields() {
      switch name {
      case "title": title = try value.string()
      case "tabs": tabs = try value.strings()
      default: throw JSONDocument.unknownField(name, place, ["title", "tabs"])
      }
    }
    guard let title, let tabs else {
      throw JSONDocument.Mistake(
        place: value.place,
        reason: "a group needs a title and its tabs: {\"title\": \"Play\", \"tabs\": [\"blither.game\"]}")
    }
    return Placement.Group(title: title, tabs: tabs.map { ContributionID($0) })
  }

  private static func expectedTab(_ value: JSONDocument.Value) throws(JSONDocument.Mistake) -> ExpectedTab {
    var (tab, title, symbol, text): (String?, String?, String?, String?)
    for (name, place, value) in try value.fields() {
      switch name {
      case "tab": tab = try value.string()
      case "title": title = try value.string()
      case "symbol": symbol = try value.string()
      case "text": text = try value.string()
      default: throw JSONDocument.unknownField(name, place, ["tab", "title", "symbol", "text"])
      }
    }
    guard let tab, let title, tab.contains(".") else {
      throw JSONDocument.Mistake(
        place: value.place,
        reason: "an expected tab needs an id (plugin.name) and a title: "
          + "{\"tab\": \"clock.time\", \"title\": \"Clock\"}")
    }
    return ExpectedTab(
      tab: ContributionID(tab), title: title, symbol: symbol, text: text ?? "\(title) isn't available yet")
  }

  private mutating func readLinks(_ value: JSONDocument.Value) throws(JSONDocument.Mistake) {
    for (name, place, value) in try value.fields() {
      switch name {
      case "schemes":
        let schemes = try value.strings().map { $0.lowercased() }
        if schemes.isEmpty {
          throw JSONDocument.Mistake(place: value.place, reason: "there must be a scheme, such as \"gangway\"")
        }
        self.schemes = schemes
      case "origins":
        for origin in try value.values() {
          let text = try origin.string()
          do throws(LinkOrigin.Mistake) {
            origins.append(try LinkOrigin(text).description)
          } catch {
            throw JSONDocument.Mistake(place: origin.place, reason: error.description)
          }
        }
      case "ignoresCase": linksIgnoreCase = try value.bool()
      default: throw JSONDocument.unknownField(name, place, ["schemes", "origins", "ignoresCase"])
      }
    }
  }

  /// Applies the link settings. Links must not be compared with each other before.
  @MainActor func applyLinks(to links: Links) {
    if let schemes { links.schemes = schemes }
    links.origins = origins
    links.ignoresCase = linksIgnoreCase
  }

  /// Applies the configuration to a registry.
  ///
  /// - Returns: warnings about tabs and plugins that it names and that are not there.
  @MainActor package func apply(to registry: Registry) -> [String] {
    registry.arrange(placement)
    registry.configure(pluginSections)
    applyLinks(to: registry.links)
    let tabs = registry.tabs.map(\.id.rawValue)
    let plugins = registry.plugins.map(\.id)
    return placement.mentioned.map(\.rawValue).filter { !tabs.contains($0) }.map { id in
      "The configuration names the tab '\(id)', which no loaded plugin registers."
        + JSONDocument.suggestion(for: id, among: tabs)
    }
      + pluginSections.keys.sorted().filter { !plugins.contains($0) && !registry.isLeftOut($0) }.map { id in
        "The configuration has a section for the plugin '\(id)', which is not installed."
          + JSONDocument.suggestion(for: id.rawValue, among: plugins.map(\.rawValue))
      }
  }
}
