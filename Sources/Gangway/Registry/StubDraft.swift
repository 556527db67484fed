/// What a test puts in the place of another plugin. For the test kit alone.
@MainActor package final class StubDraft {
  private let registry: Registry
  private let plugin: String

  package init(_ registry: Registry, plugin: String) {
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
    let contract = ServiceContract<StubService>()
    contract.operation(name) { (_: StubService, input: Input) in try await run(input) }
    let operations = (registry.services.named[id]?.operations ?? [:]).merging(contract.operations) { $1 }
    let service = ServiceTable.Named(
      id: id, plugin: plugin, scope: .session, make: { _ in StubService() }, operations: operations, changes: [:])
    registry.stub(plugin) { $0.services.named[id] = service }
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
