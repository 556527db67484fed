@_spi(FrontEnd) import GangwayProtocol

/// A plugin's use of another plugin by id, declared so that it can be checked once all have registered.
struct Use {
  enum Kind {
    case place
    case service(operation: String)
  }
  let plugin: PluginID
  let kind: Kind
  let id: ContributionID
  let type: String
  let example: String
  /// The result that the plugin takes; nil if it was not declared.
  let result: Result?
  /// Whether the plugin also works without it.
  let isOptional: Bool

  /// A result that a plugin takes from another one.
  struct Result {
    let type: String
    /// An example of the type, as JSON text.
    let example: String
    /// Checks whether the type can be decoded from JSON text.
    let check: (String) throws -> Void

    init<Value: Codable>(_ example: Value) throws {
      type = TypeName.of(Value.self)
      self.example = try StoredValue.encode(example)
      check = { _ = try StoredValue.decode(Value.self, from: $0) }
    }
  }
}

/// The uses that plugins declared, and those that happened.
struct UseTable {
  var declared: [Use] = []
  /// The requests of plugins to each other; nil unless a tool compares them with the declarations.
  var requests: Set<UseRequest>?
}

/// A plugin's request for a place or an operation of another plugin.
package struct UseRequest: Hashable, Sendable {
  /// The plugin that asked.
  package let asker: PluginID
  /// The place or the service.
  package let id: ContributionID
  /// The operation; nil for a place.
  package let operation: String?
}

extension Registrar {
  /// Declares that this plugin shows a place of another plugin, with examples of its payload and result.
  ///
  /// If the place does not exist, takes another payload, or ends with another value, the problem is reported with both
  /// plugins. The host reports it when both plugins are loaded; `gangway doctor` and `gangway validate` report it, too.
  ///
  /// - Parameters:
  ///   - id: the place.
  ///   - example: a payload that this plugin gives.
  ///   - result: a value of the type that `onFinish:` takes; nil if this plugin takes no result. This type must accept
  ///     what the place returns. An array needs an element, so that its type is compared, too.
  ///   - isOptional: whether this plugin also works without the other plugin. If so, its absence is no problem, but a
  ///     mismatch is.
  public func uses<Payload: Encodable & Sendable>(
    place id: ContributionID, with example: Payload = NoPayload(), endingWith result: (any Codable & Sendable)? = nil,
    isOptional: Bool = false
  ) {
    declare(.place, id, example, result, isOptional)
  }

  /// Declares that this plugin calls an operation of another plugin's service, with examples of its input and output.
  ///
  /// - Parameters:
  ///   - id: the service.
  ///   - operation: the name of the operation.
  ///   - example: an input that this plugin gives.
  ///   - result: a value of the type that this plugin takes as output; nil if it takes none. This type must accept what
  ///     the operation returns. An array needs an element, so that its type is compared, too.
  ///   - isOptional: whether this plugin also works without the other plugin.
  public func uses<Input: Encodable & Sendable>(
    service id: ContributionID, operation: String, with example: Input = NoPayload(),
    returning result: (any Codable & Sendable)? = nil, isOptional: Bool = false
  ) {
    declare(.service(operation: operation), id, example, result, isOptional)
  }

  private func declare<Value: Encodable>(
    _ kind: Use.Kind, _ id: ContributionID, _ example: Value, _ result: (any Codable & Sendable)?, _ isOptional: Bool
  ) {
    guard let contributions = open("the use of \(id)") else { return }
    do {
      let encoded = try StoredValue.encode(example)
      let result = try result.map { try Use.Result($0) }
      var operation: String?
      if case .service(let name) = kind { operation = name }
      contributions.note(
        ContributionRecord(
          .use, id.rawValue, type: TypeName.of(Value.self),
          [.operation: operation, .isOptional: isOptional ? "true" : nil, .json: encoded]))
      contributions.uses.append(
        Use(
          plugin: plugin, kind: kind, id: id, type: TypeName.of(Value.self), example: encoded, result: result,
          isOptional: isOptional))
    } catch {
      contributions.problems.append("declares the use of \(id) with an example that cannot be encoded: \(error)")
    }
  }
}

extension Registry {
  /// The declared uses of all plugins.
  var uses: [Use] { useTable.declared }

  /// Starts to note the requests of plugins to each other.
  package func noteRequests() { useTable.requests = useTable.requests ?? [] }

  /// Notes that a plugin asks for a place, or calls an operation.
  func noteUse(of id: ContributionID, _ operation: String? = nil, by asker: PluginID?) {
    guard useTable.requests != nil, let asker, asker != id.plugin else { return }
    useTable.requests?.insert(UseRequest(asker: asker, id: id, operation: operation))
  }

  /// Returns the requests of a plugin to others.
  ///
  /// The places that others contribute to its slots are left out, because they need no declaration.
  package func requests(of plugin: PluginID) -> Set<UseRequest> {
    let given = Set(slotTable.contributions.filter { $0.slot.plugin == plugin }.map(\.place))
    return (useTable.requests ?? []).filter { $0.asker == plugin && !given.contains($0.id) }
  }

  /// Returns the requests of a plugin to others that it did not declare.
  package func undeclaredRequests(of plugin: PluginID) -> Set<UseRequest> {
    let declared = Set(
      uses.map { use in
        var operation: String?
        if case .service(let name) = use.kind { operation = name }
        return UseRequest(asker: use.plugin, id: use.id, operation: operation)
      })
    return requests(of: plugin).subtracting(declared)
  }

  /// The mismatches among plugins, each with both plugins: places, services and slots that are missing or have another
  /// type.
  ///
  /// No plugin is refused because of a mismatch, and everything else works. Types are compared only among plugins whose
  /// code is loaded. A declared result is compared only if its example is also one for the plugin that returns it.
  public var problems: [String] {
    Self.unique(uses.compactMap { problem($0, invents: false) })
      + known.values.filter { $0.hasUses && !isLoaded($0.manifest.id) }.map(\.manifest).sorted { $0.id < $1.id }
      .flatMap(missing)
      + slotTable.contributions.compactMap(problem).sorted() + links.conflicts
  }

  /// Returns the mismatches between a loaded plugin and the contributions of others.
  ///
  /// A contribution to the slot of a plugin that is not there is no mismatch: it waits for its feature.
  package func misfits(of plugin: PluginID) -> [String] {
    Self.unique(uses.filter { $0.plugin == plugin }.compactMap { problem($0, invents: true) })
      + slotTable.contributions.filter { $0.plugin == plugin && !waits($0) }.compactMap(problem).sorted()
  }

  /// All mismatches, for a tool: results are also compared with invented examples.
  package var misfits: [String] {
    Self.unique(uses.compactMap { problem($0, invents: true) })
      + known.values.filter { $0.hasUses && !isLoaded($0.manifest.id) }.map(\.manifest).sorted { $0.id < $1.id }
      .flatMap(missing)
      + slotTable.contributions.filter { !waits($0) }.compactMap(problem).sorted() + links.conflicts
  }

  /// Whether a contribution waits for the plugin of its slot, which is not there.
  private func waits(_ contribution: SlotContribution) -> Bool {
    slotTable.slots[contribution.slot] == nil && !isThere(contribution.slot.plugin)
  }

  /// Returns texts without those that repeat an earlier one, as two operations of a missing service do.
  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  /// Returns the places and operations with a result that nothing compared.
  ///
  /// The plugin did not declare its type, or no example of the result could be made.
  package func uncheckedResults(of plugin: PluginID) -> [String] {
    func isUnchecked(_ use: Use, _ returned: (String, Bool) throws -> ResultExample?) -> Bool {
      guard let result = use.result else { return true }
      do {
        guard let value = try returned(result.example, true) else { return true }
        do { try result.check(value.json) } catch { return value.excuses(error) }
      } catch {}
      return false
    }
    return uses.filter { $0.plugin == plugin }.compactMap { use in
      switch use.kind {
      case .place:
        guard let place = places[use.id], place.output != nil, isUnchecked(use, place.exampleResult) else { return nil }
        return "\(use.id)"
      case .service(let name):
        guard let operation = services.named[use.id]?.operations[name], operation.hasOutput,
          isUnchecked(use, operation.exampleOutput)
        else { return nil }
        return "\(use.id).\(name)"
      }
    }
  }

  /// Returns the plugins whose places, services and slots a loaded plugin uses or contributes to.
  package func used(by plugin: PluginID) -> Set<PluginID> {
    Set(uses.filter { $0.plugin == plugin }.map(\.id.plugin))
      .union(slotTable.contributions.filter { $0.plugin == plugin }.map(\.slot.plugin))
      .subtracting([plugin])
  }

  /// Returns whether a plugin that is not loaded announces a place, service or slot.
  private func isAnnounced(_ id: ContributionID) -> Bool {
    guard let known = known[id.plugin] else { return false }
    return known.has(.place, id) || known.has(.service, id) || known.has(.slot, id)
  }

  /// Returns the uses of a plugin that is not loaded which no plugin offers.
  private func missing(_ manifest: PluginManifest) -> [String] {
    manifest.records(of: .use).compactMap { use in
      let id = ContributionID(use.id)
      if use[.isOptional] != nil && !isThere(id.plugin) || isAnnounced(id) || places[id] != nil
        || services.named[id] != nil
      {
        return nil
      }
      let isPlace = use[.operation] == nil
      let reason = isPlace ? unavailability(of: id) : unavailability(ofService: id)
      return "The plugin \(manifest.id) uses the \(isPlace ? "place" : "service") \(id), but "
        + "\(reason ?? "it is not available")."
    }
  }

  private func problem(_ use: Use, invents: Bool) -> String? {
    switch use.kind {
    case .place:
      guard let place = places[use.id] else {
        if isMissed(use) { return nil }
        let reason = unavailability(of: use.id) ?? "it is not available"
        return "The plugin \(use.plugin) uses the place \(use.id), but \(reason).\(nearest(use.id, .place))"
      }
      return mismatch { try place.check(Place(id: use.id, payload: use.example)) }.map {
        "The plugin \(use.plugin) shows \(use.id) with the \(use.type) \(use.example), but the plugin "
          + "\(place.plugin) takes \(place.payload): \($0)."
      }
        ?? use.result.flatMap { result in
          misfit(result, invents, of: place.exampleResult).map {
            "The plugin \(use.plugin) expects \(result.type) from \(use.id), but in the plugin \(place.plugin), "
              + "\(use.id) ends with \(place.output ?? "no value")\($0)."
          }
        }
    case .service(let name):
      guard let service = services.named[use.id] else {
        if isMissed(use) { return nil }
        let reason = unavailability(ofService: use.id) ?? "it is not available"
        return "The plugin \(use.plugin) uses the service \(use.id), but \(reason).\(nearest(use.id, .service))"
      }
      guard let operation = service.operations[name] else {
        let names = service.operations.keys.sorted().joined(separator: ", ")
        return
          "The plugin \(use.plugin) calls \(use.id).\(name), but the plugin \(service.plugin) offers only: \(names)."
      }
      return mismatch { try operation.check(use.example) }.map {
        "The plugin \(use.plugin) calls \(use.id).\(name) with the \(use.type) \(use.example), but the plugin "
          + "\(service.plugin) takes \(operation.input): \($0)."
      }
        ?? use.result.flatMap { result in
          misfit(result, invents, of: operation.exampleOutput).map {
            "The plugin \(use.plugin) expects \(result.type) from \(use.id).\(name), but the plugin "
              + "\(service.plugin) returns \(operation.output)\($0)."
          }
        }
    }
  }

  /// Whether a plugin is installed and not refused, or is part of this process.
  private func isThere(_ plugin: PluginID) -> Bool { known[plugin] != nil || isLoaded(plugin) }

  /// Whether the absence of a contribution is no problem: it is announced, or its plugin is not there and optional.
  private func isMissed(_ use: Use) -> Bool {
    isAnnounced(use.id) || use.isOptional && !isThere(use.id.plugin)
  }

  /// Returns a question about the contribution with the nearest id, or nothing.
  private func nearest(_ id: ContributionID, _ kind: ContributionRecord.Kind) -> String {
    let announced = known[id.plugin]?.manifest.records(of: kind).map(\.id) ?? []
    let loaded = kind == .place ? Array(places.keys) : Array(services.named.keys)
    let ids = announced + loaded.filter { $0.plugin == id.plugin }.map(\.rawValue).sorted()
    return NearestMatch.of(id.rawValue, among: ids).map { " Did you mean '\($0)'?" } ?? ""
  }

  private func problem(_ contribution: SlotContribution) -> String? {
    guard let slot = slotTable.slots[contribution.slot] else {
      if isAnnounced(contribution.slot) { return nil }
      let owner = contribution.slot.plugin
      let reason = unavailability(ofPlugin: owner) ?? "the plugin \(owner) has no slot \(contribution.slot)"
      return
        "The plugin \(contribution.plugin) contributes \(contribution.place) to \(contribution.slot), but \(reason)."
    }
    return mismatch { try slot.check(contribution.encoded) }.map {
      "The plugin \(contribution.plugin) contributes \(contribution.place) to \(contribution.slot) with a value of "
        + "type \(contribution.type), but the plugin \(slot.plugin) expects \(slot.value): \($0). Value: "
        + "\(contribution.encoded)"
    }
  }

  /// Returns why a plugin cannot take what another one returns, with an example of the returned value.
  private func misfit(
    _ result: Use.Result, _ invents: Bool, of returned: (String, Bool) throws -> ResultExample?
  ) -> String? {
    do {
      guard let value = try returned(result.example, invents) else { return nil }
      do { try result.check(value.json) } catch {
        return value.excuses(error) ? nil : ", such as \(value.json): \(StoredRoute.brief(error))"
      }
      return nil
    } catch {
      return ": \(StoredRoute.brief(error))"
    }
  }

  private func mismatch(_ check: () throws -> Void) -> String? {
    do {
      try check()
      return nil
    } catch {
      return StoredRoute.brief(error)
    }
  }
}
