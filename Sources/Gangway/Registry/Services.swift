/// How long the instance of a service lives.
public enum ServiceScope: String, Hashable, Sendable {
  /// One for each session.
  case session
  /// One for the whole host. It holds no user's state.
  case host
}

/// What plugins registered as services: by type, for features built together, and by id, for those built apart.
@MainActor struct ServiceTable {
  struct Typed {
    let name: String
    let plugin: String
    let scope: ServiceScope
    let make: @MainActor (PluginContext) throws -> AnyObject
  }

  struct Named {
    let id: String
    let plugin: String
    let scope: ServiceScope
    let make: @MainActor (PluginContext) throws -> AnyObject
    let operations: [String: ServiceOperation]
  }

  var typed: [ObjectIdentifier: Typed] = [:]
  var named: [String: Named] = [:]

  /// The services both tables have, named with both plugins.
  func conflicts(with other: ServiceTable) -> [String] {
    other.typed.compactMap { key, service in
      typed[key].map { "registers the service \(service.name), which \($0.plugin) registers too" }
    }
  }

  mutating func merge(_ other: ServiceTable) {
    typed.merge(other.typed) { first, _ in first }
    named.merge(other.named) { $1 }
  }
}

/// One thing that a service does for other features.
struct ServiceOperation {
  let input: String
  let output: String
  /// Whether JSON text is an input.
  let check: @MainActor (String) throws -> Void
  /// Takes the service, the input as the caller has it and as JSON; gives the output and a way to encode it.
  let run: @MainActor (AnyObject, any Sendable, () throws -> String) async throws -> (any Sendable, () throws -> String)
}

/// Collects what a service does for other features.
@MainActor public final class ServiceContract<Service: AnyObject> {
  var operations: [String: ServiceOperation] = [:]
  var repeated: [String] = []

  /// Offers an operation.
  ///
  /// - Parameters:
  ///   - name: names the operation in calls.
  ///   - run: does it, on the main actor. Callers whose own types differ from its input and output are bridged by
  ///     coding.
  public func operation<Input: Codable & Sendable, Output: Codable & Sendable>(
    _ name: String, _ run: @escaping @MainActor (Service, Input) async throws -> Output
  ) {
    if operations[name] != nil { repeated.append(name) }
    operations[name] = ServiceOperation(
      input: TypeName.of(Input.self), output: TypeName.of(Output.self),
      check: { _ = try StoredValue.decode(Input.self, from: $0) },
      run: { service, value, encoded in
        guard let service = service as? Service else {
          throw NavigationError(.noService, "The service was made as \(type(of: service)), not as \(Service.self).")
        }
        let input = try value as? Input ?? StoredValue.decode(Input.self, from: encoded())
        let output = try await run(service, input)
        return (output, { try StoredValue.encode(output) })
      })
  }
}

extension Registry {
  /// Contributes a service that features ask for by its type: they are built with the module that declares it.
  ///
  /// - Parameters:
  ///   - scope: how long an instance lives.
  ///   - make: makes it, when it is first asked for.
  public func service<Service: AnyObject>(
    scope: ServiceScope = .session, _ make: @escaping @MainActor (PluginContext) throws -> Service
  ) {
    guard let draft = openDraft("service \(Service.self)") else { return }
    let key = ObjectIdentifier(Service.self)
    if draft.services.typed[key] != nil { draft.problems.append("registers the service \(Service.self) twice") }
    draft.services.typed[key] = ServiceTable.Typed(
      name: TypeName.full(Service.self), plugin: draft.plugin, scope: scope, make: { try make($0) })
  }

  /// Contributes a service that features ask for by its id, `plugin.name`: neither side needs the other to build.
  ///
  /// - Parameters:
  ///   - name: names the service within the plugin.
  ///   - scope: how long an instance lives.
  ///   - make: makes it, when it is first called.
  ///   - operations: says what others may call.
  public func service<Service: AnyObject>(
    _ name: String, scope: ServiceScope = .session, make: @escaping @MainActor (PluginContext) throws -> Service,
    operations: (ServiceContract<Service>) -> Void
  ) {
    let contract = ServiceContract<Service>()
    operations(contract)
    contribute("service", name) { draft, id in
      if draft.services.named[id] != nil { draft.problems.append("registers the service \(id) twice") }
      for name in contract.repeated { draft.problems.append("offers the operation \(name) of \(id) twice") }
      draft.services.named[id] = ServiceTable.Named(
        id: id, plugin: draft.plugin, scope: scope, make: { try make($0) }, operations: contract.operations)
    }
  }

  /// Why a service cannot be called; nil when it can.
  public func unavailability(ofService id: String) -> String? {
    guard services.named[id] == nil else { return nil }
    let plugin = String(id.prefix { $0 != "." })
    if let reason = unavailability(ofPlugin: plugin) { return reason }
    if let manifest = known[plugin]?.manifest, manifest.services.contains(where: { $0.id == id }) { return nil }
    return "the plugin \(plugin) offers no service \(id)"
  }
}

/// A service of another feature, as a session sees it.
@MainActor public struct ServiceHandle {
  /// The service's id.
  public let id: String
  let caller: String
  let registration: ServiceTable.Named
  weak var services: SessionServices?

  /// Calls an operation.
  ///
  /// - Parameters:
  ///   - operation: its name.
  ///   - input: what it takes, or a value of another type that encodes alike.
  ///   - output: what it gives, or another type that decodes from it.
  /// - Throws: `noService` where there is no such operation, naming those there are; `payload` naming both ends where
  ///   input or output do not fit; what the operation throws.
  public func call<Input: Encodable & Sendable, Output: Decodable & Sendable>(
    _ operation: String, with input: Input = NoPayload(), returning output: Output.Type = Output.self
  ) async throws -> Output {
    guard let offered = registration.operations[operation] else {
      let names = registration.operations.keys.sorted().joined(separator: ", ")
      throw NavigationError(
        .noService,
        "\(id) has no operation '\(operation)', which \(caller) calls. It has \(names.isEmpty ? "none" : names).")
    }
    guard let services else {
      throw NavigationError(.noService, "The session of \(caller) has ended, and its services with it.")
    }
    let service = try services.instance(of: registration)
    do {
      let (value, encoded) = try await offered.run(service, input) { try StoredValue.encode(input) }
      return try value as? Output ?? StoredValue.decode(Output.self, from: encoded())
    } catch let error as DecodingError {
      throw NavigationError(
        .payload,
        "\(id).\(operation) of the plugin \(registration.plugin) takes \(offered.input) and gives "
          + "\(offered.output); \(caller) called it with \(Input.self) for \(Output.self): \(StoredRoute.brief(error))."
      )
    }
  }
}
