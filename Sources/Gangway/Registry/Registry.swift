/// The central table of what plugins contribute. One per host.
@MainActor public final class Registry {
  /// A tab that a plugin registered.
  public struct Tab {
    /// `plugin.name`.
    public let id: String
    /// The plugin's id.
    public let plugin: String
    /// What the person reads.
    public let title: String
    /// A character or two to stand before the title.
    public let symbol: String?
    /// Tabs are sorted by it, then by id.
    public let order: Int
    /// The tab's flow, to be shown by a root of the application's own.
    public let destination: Destination
  }

  struct PlaceRegistration {
    let id: String
    let plugin: String
    let make: @MainActor (_ payload: String, PluginContext) throws -> any Coordinator
  }

  struct ServiceRegistration {
    let name: String
    let plugin: String
    let make: @MainActor (PluginContext) throws -> AnyObject
  }

  /// A plugin that registered without an objection.
  public struct RegisteredPlugin: Hashable, Sendable {
    /// The plugin's id.
    public let id: String
    /// The plugin's version.
    public let version: String
  }

  /// The registered tabs, in their order.
  public private(set) var tabs: [Tab] = []
  /// The registered plugins, in the order of their registration.
  public private(set) var plugins: [RegisteredPlugin] = []
  private(set) var places: [String: PlaceRegistration] = [:]
  private(set) var services: [ObjectIdentifier: ServiceRegistration] = [:]
  private var leftOut: [String: String] = [:]
  private var draft: Draft?

  /// Makes an empty registry.
  public init() {}

  /// What a plugin contributes while its `register(in:)` runs: taken over as a whole or not at all.
  private struct Draft {
    let plugin: String
    var tabs: [Tab] = []
    var places: [PlaceRegistration] = []
    var services: [(ObjectIdentifier, ServiceRegistration)] = []
    var problems: [String] = []
  }

  // MARK: What a plugin calls

  /// Contributes a tab.
  ///
  /// - Parameters:
  ///   - name: names the tab within the plugin, `[a-z][a-z0-9-]*`.
  ///   - title: what the person reads.
  ///   - symbol: a character or two to stand before the title.
  ///   - order: tabs are sorted by it, then by id.
  ///   - make: makes the tab's coordinator in a session, when the tab is first shown.
  public func tab<C: Coordinator>(
    _ name: String, title: String, symbol: String? = nil, order: Int = 100,
    make: @escaping @MainActor (PluginContext) throws -> C
  ) {
    contribute("tab", name) { draft, id in
      if let rival = draft.tabs.first(where: { $0.id == id }) {
        draft.problems.append("registers the tab \(id) twice, as '\(rival.title)' and '\(title)'")
      }
      let destination = Destination(.push, .registered(plugin: draft.plugin) { try make($0) })
      draft.tabs.append(
        Tab(id: id, plugin: draft.plugin, title: title, symbol: symbol, order: order, destination: destination))
    }
  }

  /// Contributes a coordinator that other features show as the place `plugin.name`, with a payload.
  ///
  /// - Parameters:
  ///   - name: names the place within the plugin, `[a-z][a-z0-9-]*`.
  ///   - make: makes the coordinator in a session from the payload.
  public func coordinator<Payload: Codable & Sendable, C: Coordinator>(
    _ name: String, make: @escaping @MainActor (Payload) throws -> C
  ) {
    coordinator(name) { (payload: Payload, _: PluginContext) in try make(payload) }
  }

  /// Contributes a coordinator whose maker also takes the plugin's context.
  public func coordinator<Payload: Codable & Sendable, C: Coordinator>(
    _ name: String, make: @escaping @MainActor (Payload, PluginContext) throws -> C
  ) {
    contribute("coordinator", name) { draft, id in
      if draft.places.contains(where: { $0.id == id }) {
        draft.problems.append("registers the coordinator \(id) twice")
      }
      draft.places.append(
        PlaceRegistration(id: id, plugin: draft.plugin) { text, context in
          let payload: Payload
          do {
            payload = try StoredValue.decode(Payload.self, from: text)
          } catch {
            throw NavigationError(.payload, "\(id) takes \(Payload.self), and was given \(text).")
          }
          return try make(payload, context)
        })
    }
  }

  /// Contributes a service, made once in each session, when it is first asked for.
  public func service<Service: AnyObject>(_ make: @escaping @MainActor (PluginContext) throws -> Service) {
    guard var draft else { return noteLateCall("service \(Service.self)") }
    let key = ObjectIdentifier(Service.self)
    draft.services.append(
      (key, ServiceRegistration(name: "\(Service.self)", plugin: draft.plugin) { try make($0) }))
    self.draft = draft
  }

  // MARK: What a host calls

  /// Registers a plugin: all it contributes, or nothing.
  ///
  /// - Throws: ``RegistrationError`` naming both rivals of every conflict, or what `register(in:)` throws.
  public func register(_ type: any Plugin.Type) throws {
    let id = type.id
    guard Self.isID(id) else {
      throw RegistrationError(plugin: id, problems: ["has the id '\(id)', which is not of the form [a-z][a-z0-9-]*"])
    }
    if let rival = plugins.first(where: { $0.id == id }) {
      throw RegistrationError(
        plugin: id, problems: ["has the id of a plugin that is registered already, in version \(rival.version)"])
    }
    guard draft == nil else {
      throw RegistrationError(plugin: id, problems: ["comes while another plugin is being registered"])
    }
    draft = Draft(plugin: id)
    defer { draft = nil }
    try type.init().register(in: self)
    guard let finished = draft else { return }
    var problems = finished.problems
    for (key, service) in finished.services {
      if let rival = services[key] {
        problems.append("registers the service \(service.name), which \(rival.plugin) registers too")
      }
    }
    guard problems.isEmpty else { throw RegistrationError(plugin: id, problems: problems) }
    plugins.append(RegisteredPlugin(id: id, version: type.version))
    tabs = (tabs + finished.tabs).sorted { ($0.order, $0.id) < ($1.order, $1.id) }
    for place in finished.places { places[place.id] = place }
    for (key, service) in finished.services { services[key] = service }
  }

  /// Notes why a plugin is not there, to be told where it would be.
  public func leaveOut(_ plugin: String, because reason: String) { leftOut[plugin] = reason }

  /// What a plugin contributes, as `tab todos.list` and `coordinator todos.detail`.
  public func contributions(of plugin: String) -> [String] {
    tabs.filter { $0.plugin == plugin }.map { "tab \($0.id)" }
      + places.values.filter { $0.plugin == plugin }.map { "coordinator \($0.id)" }.sorted()
  }

  // MARK: What navigation asks

  /// Why a place cannot be shown; nil when it can.
  public func unavailability(of place: String) -> String? {
    guard places[place] == nil else { return nil }
    let plugin = String(place.prefix { $0 != "." })
    if plugins.contains(where: { $0.id == plugin }) {
      return "the plugin \(plugin) offers no place \(place)"
    }
    return unavailability(ofPlugin: plugin)
  }

  /// Why a plugin is not there; nil when it is.
  public func unavailability(ofPlugin plugin: String) -> String? {
    guard !plugins.contains(where: { $0.id == plugin }) else { return nil }
    if let reason = leftOut[plugin] { return "the plugin \(plugin) was left out: \(reason)" }
    return "the plugin \(plugin) is not loaded"
  }

  static func isID(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || $0 == UInt8(ascii: "-")
    }
  }

  private func contribute(_ kind: String, _ name: String, _ change: (inout Draft, String) -> Void) {
    guard var draft else { return noteLateCall("\(kind) \(name)") }
    if !Self.isID(name) {
      draft.problems.append("registers the \(kind) '\(name)', whose name is not of the form [a-z][a-z0-9-]*")
    }
    change(&draft, "\(draft.plugin).\(name)")
    self.draft = draft
  }

  /// Calls outside `register(in:)` that changed nothing, for the host to report.
  public private(set) var lateCalls: [String] = []
  /// Called with each of ``lateCalls`` as it comes.
  public var onLateCall: (String) -> Void = { _ in }

  private func noteLateCall(_ what: String) {
    let call = "\(what) was registered outside register(in:), and is ignored"
    lateCalls.append(call)
    onLateCall(call)
  }
}

/// Why a plugin's contributions were refused.
public struct RegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  public let plugin: String
  /// Every problem found, each naming both rivals.
  public let problems: [String]

  /// The problems in a line.
  public var description: String { "the plugin \(plugin) " + problems.joined(separator: "; it ") }
}
