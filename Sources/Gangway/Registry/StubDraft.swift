@_spi(FrontEnd) import GangwayProtocol

/// A test's stubs for another plugin, only for the test kit.
@MainActor package final class StubDraft {
  private let registry: Registry
  private let plugin: PluginID

  package init(_ registry: Registry, plugin: PluginID) {
    self.registry = registry
    self.plugin = plugin
  }

  package func place<Payload: Codable & Sendable, C: Coordinator>(
    _ id: ContributionID, make: @escaping @MainActor (Payload, PluginContext) throws -> C
  ) {
    registry.stub(plugin) { $0.places.append(PlaceRegistration(id, plugin, make: make)) }
  }

  package func operation<Input: Codable & Sendable, Output: Codable & Sendable>(
    _ id: ContributionID, _ name: String, run: @escaping @MainActor (Input) async throws -> Output
  ) {
    service(id) { $0.operation(name) { (_: StubService, input: Input) in try await run(input) } }
  }

  package func changes<Value: Codable & Sendable, Changes: AsyncSequence & Sendable>(
    _ id: ContributionID, _ name: String, _ values: @escaping @MainActor () -> Changes
  ) where Changes.Element == Value {
    service(id) { $0.changes(name) { _ in values() } }
  }

  /// Adds operations and changes to a stubbed service.
  private func service(_ id: ContributionID, _ add: (ServiceContract<StubService>) -> Void) {
    let contract = ServiceContract<StubService>()
    add(contract)
    let before = registry.services.named[id]
    let service = ServiceTable.Named(
      id: id, type: ObjectIdentifier(StubService.self), plugin: plugin, scope: .session, make: { _ in StubService() },
      operations: (before?.operations ?? [:]).merging(contract.operations) { $1 },
      changes: (before?.changes ?? [:]).merging(contract.changes) { $1 })
    registry.stub(plugin) { $0.services.named[id] = service }
  }

  package func section(_ value: some Encodable) {
    guard let text = try? StoredValue.encode(value) else { return }
    registry.configure([plugin: text])
  }

  package func contribution<Value: Codable & Sendable>(_ id: ContributionID, _ slot: ContributionID, _ value: Value) {
    guard let encoded = try? StoredValue.encode(value) else { return }
    registry.stub(plugin) {
      $0.contributions.append(
        SlotContribution(
          slot: slot, place: id, plugin: plugin, order: 100, value: value, type: TypeName.of(Value.self),
          encoded: encoded))
    }
  }
}

private final class StubService {}
