@_spi(FrontEnd) import GangwayProtocol

/// A place in a feature's screens that other features contribute to.
struct SlotRegistration {
  let id: ContributionID
  let plugin: PluginID
  let value: String
  /// Checks whether JSON text describes a contribution.
  let check: @MainActor (String) throws -> Void
}

/// A contribution to another feature's slot: a value that describes it, and the place it opens.
struct SlotContribution {
  let slot: ContributionID
  let place: ContributionID
  let plugin: PluginID
  let order: Int
  let value: any Sendable
  let type: String
  let encoded: String
}

/// The contributions to one slot, sorted on demand because hundreds of plugins may contribute to one slot.
struct SlotContents {
  private var byPlace: [ContributionID: SlotContribution] = [:]
  private var inOrder: [SlotContribution]?

  /// Adds a contribution, or replaces its placeholder.
  mutating func add(_ contribution: SlotContribution) {
    byPlace[contribution.place] = contribution
    inOrder = nil
  }

  /// All contributions, in no order.
  var all: some Collection<SlotContribution> { byPlace.values }

  /// Returns all contributions, in order.
  mutating func sorted() -> [SlotContribution] {
    if let inOrder { return inOrder }
    let sorted = byPlace.values.sorted { ($0.order, $0.place) < ($1.order, $1.place) }
    inOrder = sorted
    return sorted
  }
}

/// The slots that plugins declared, and the contributions to them.
@MainActor final class SlotTable {
  private(set) var slots: [ContributionID: SlotRegistration] = [:]
  /// The contributions to each slot; the slot's plugin may be missing.
  private var contents: [ContributionID: SlotContents] = [:]

  /// All contributions, in no order.
  var contributions: [SlotContribution] { contents.values.flatMap(\.all) }

  /// Returns the contributions to a slot, in order.
  func contents(of slot: ContributionID) -> [SlotContribution] { contents[slot]?.sorted() ?? [] }

  /// Adds the slots of a plugin, and its contributions to slots.
  func add(_ added: PluginContributions) {
    for slot in added.slots { slots[slot.id] = slot }
    for contribution in added.contributions { contents[contribution.slot, default: .init()].add(contribution) }
  }
}

/// A contribution to a slot, for the slot's owner.
///
/// Listing a contribution loads no code. The flow of the contribution is created when its place is shown.
public struct Contribution<Value: Sendable>: Identifiable, Sendable {
  /// The id of its place, `plugin.name`.
  public let id: ContributionID
  /// The plugin that contributes it.
  public let plugin: PluginID
  /// The description of the contribution, such as a title.
  public let value: Value

  /// The place that the contribution opens.
  public var place: Place { Place(id) }

  /// Returns the place of the contribution with a payload from the slot's owner.
  ///
  /// - Throws: `payload` if the payload does not encode.
  public func place(with payload: some Encodable & Sendable) throws -> Place { try Place(id, with: payload) }
}

extension Contribution: Equatable where Value: Equatable {}

extension Registrar {
  /// Declares a slot, `plugin.name`, to which other plugins contribute. They do not need this plugin to build.
  ///
  /// - Parameters:
  ///   - name: the name of the slot within the plugin.
  ///   - value: the type that describes a contribution. Contributors may declare a type of their own that encodes
  ///     alike.
  public func slot<Value: Codable & Sendable>(_ name: String, of value: Value.Type) {
    contribute(.slot, name) { id in
      ContributionRecord(.slot, id.rawValue, type: TypeName.of(Value.self))
    } _: { contributions, id, rival in
      if rival != nil { contributions.problems.append("registers the slot \(id) twice") }
      contributions.slots.append(
        SlotRegistration(id: id, plugin: plugin, value: TypeName.of(Value.self)) {
          _ = try StoredValue.decode(Value.self, from: $0)
        })
    }
  }

  /// Contributes to a slot of another feature.
  ///
  /// - Parameters:
  ///   - name: the name of the contribution within the plugin; its flow is also the place `plugin.name`.
  ///   - slot: the slot's id.
  ///   - value: the description of the contribution, which the slot's owner shows without creating anything.
  ///   - order: the number to sort contributions by, before their id.
  ///   - samples: payloads for checks: `gangway validate` shows the flow with each of them.
  ///   - make: creates the flow from the owner's payload, when the flow is first shown.
  public func contribute<Value: Codable & Sendable, Payload: Codable & Sendable, C: Coordinator>(
    _ name: String, to slot: ContributionID, _ value: Value, order: Int = 100, samples: [Payload] = [],
    make: @escaping @MainActor (Payload, PluginContext) throws -> C
  ) {
    place(name, samples: samples, make: make)
    // The place has been counted.
    guard let contributions = open("the contribution \(name)", counts: false) else { return }
    let id = ContributionID(plugin: plugin, name: name)
    do {
      let encoded = try StoredValue.encode(value)
      contributions.note(
        ContributionRecord(
          .contribution, id.rawValue, type: TypeName.of(Value.self),
          [.slot: slot.rawValue, .order: "\(order)", .json: encoded]))
      contributions.contributions.append(
        SlotContribution(
          slot: slot, place: id, plugin: plugin, order: order, value: value, type: TypeName.of(Value.self),
          encoded: encoded))
    } catch {
      contributions.problems.append("contributes \(name) to \(slot), but its value cannot be encoded: \(error)")
    }
  }

  /// Contributes a flow without a payload to a slot of another feature.
  public func contribute<Value: Codable & Sendable, C: Coordinator>(
    _ name: String, to slot: ContributionID, _ value: Value, order: Int = 100,
    make: @escaping @MainActor (PluginContext) throws -> C
  ) {
    contribute(name, to: slot, value, order: order) { (_: NoPayload, context: PluginContext) in try make(context) }
  }
}

extension Registry {
  /// Returns the contributions of features to a slot, in order.
  ///
  /// Contributions that do not decode as `Value` are left out; ``problems`` names them.
  public func contributions<Value: Codable & Sendable>(
    to slot: ContributionID, as value: Value.Type
  ) -> [Contribution<Value>] {
    slotTable.contents(of: slot).compactMap { contribution in
      let value = contribution.value as? Value ?? (try? StoredValue.decode(Value.self, from: contribution.encoded))
      return value.map { Contribution(id: contribution.place, plugin: contribution.plugin, value: $0) }
    }
  }
}
