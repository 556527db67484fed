@_spi(FrontEnd) import GangwayProtocol

/// The lifetime of a service's instance.
public enum ServiceScope: Hashable, Sendable {
  /// One instance for each session.
  case session
  /// One instance for the whole host, or for each user of a host that serves several.
  ///
  /// The user's first session creates the instance, and the end of the user's last session releases it. Such a service
  /// must hold no state of a session, and no data that exists nowhere else.
  case host
}

/// The registered services: by type, for features built together, and by id, for features built apart.
@MainActor struct ServiceTable {
  struct Typed {
    let name: String
    let plugin: PluginID
    let scope: ServiceScope
    let make: @MainActor (PluginContext) throws -> AnyObject
  }

  struct Named {
    let id: ContributionID
    let type: ObjectIdentifier
    let plugin: PluginID
    let scope: ServiceScope
    let make: @MainActor (PluginContext) throws -> AnyObject
    let operations: [String: ServiceOperation]
    let changes: [String: ServiceChangeSource]
  }

  var typed: [ObjectIdentifier: Typed] = [:]
  var named: [ContributionID: Named] = [:]

  /// Returns the service of a plugin that has a name and this type; nil if there are several.
  func named(_ type: ObjectIdentifier, of plugin: PluginID) -> Named? {
    let found = named.values.filter { $0.plugin == plugin && $0.type == type }
    return found.count == 1 ? found[0] : nil
  }

  /// Returns the conflicts with another table: services that both have, each with both plugins.
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

/// One operation that a service offers to other features.
struct ServiceOperation {
  let input: String
  let output: String
  /// Checks whether JSON text is a valid input.
  let check: @MainActor (String) throws -> Void
  /// Whether the operation returns a value.
  let hasOutput: Bool
  /// Returns an output that resembles what a caller expects, both as JSON text: ``ResultExample``.
  let exampleOutput: @MainActor (_ example: String, _ invents: Bool) throws -> ResultExample?
  /// Runs the operation for a service and an input, which is given as a value and as JSON.
  ///
  /// It returns the output and a closure that encodes it.
  let run: @MainActor (AnyObject, any Sendable, () throws -> String) async throws -> (any Sendable, () throws -> String)
}

/// One kind of change that a service reports to other features.
struct ServiceChangeSource {
  let value: String
  /// Passes on each value, as it is and as JSON, until the task is cancelled or there are no more values.
  let follow: @MainActor (AnyObject, @MainActor (any Sendable, () throws -> String) -> Void) async throws -> Void
}

/// The operations and changes that a service offers to other features.
@MainActor public final class ServiceContract<Service: AnyObject> {
  var operations: [String: ServiceOperation] = [:]
  var changes: [String: ServiceChangeSource] = [:]
  var repeated: [String] = []

  /// Offers an operation.
  ///
  /// - Parameters:
  ///   - name: the name of the operation in calls.
  ///   - run: runs the operation, on the main actor. If a caller uses other types for input and output, coding converts
  ///     the values.
  public func operation<Input: Codable & Sendable, Output: Codable & Sendable>(
    _ name: String, _ run: @escaping @MainActor (Service, Input) async throws -> Output
  ) {
    if operations[name] != nil { repeated.append(name) }
    operations[name] = ServiceOperation(
      input: TypeName.of(Input.self), output: TypeName.of(Output.self),
      check: { _ = try StoredValue.decode(Input.self, from: $0) }, hasOutput: Output.self != NoPayload.self,
      exampleOutput: { try ResultExample.make(Output.self, like: $0, invents: $1) },
      run: { service, value, encoded in
        let service = try Self.own(service)
        let input = try value as? Input ?? StoredValue.decode(Input.self, from: encoded())
        let output = try await run(service, input)
        return (output, { try StoredValue.encode(output) })
      })
  }

  /// Reports changes to clients of the service.
  ///
  /// - Parameters:
  ///   - name: the name of the changes.
  ///   - sequence: returns the values for one client of the service, on the main actor. If a client uses another type,
  ///     coding converts the values.
  public func changes<Value: Codable & Sendable, Changes: AsyncSequence & Sendable>(
    _ name: String, _ sequence: @escaping @MainActor (Service) -> Changes
  ) where Changes.Element == Value {
    if changes[name] != nil { repeated.append(name) }
    changes[name] = ServiceChangeSource(value: TypeName.of(Value.self)) { service, take in
      for try await value in sequence(try Self.own(service)) { take(value) { try StoredValue.encode(value) } }
    }
  }

  private static func own(_ service: AnyObject) throws -> Service {
    guard let service = service as? Service else {
      throw NavigationError(.serviceOfOtherType(service: TypeName.of(Service.self), found: "\(type(of: service))"))
    }
    return service
  }
}

extension Registrar {
  /// Contributes a service that features request by its type. Such features are built with the module that declares the
  /// type.
  ///
  /// - Parameters:
  ///   - scope: the lifetime of an instance.
  ///   - make: creates an instance at the first request.
  public func service<Service: AnyObject>(
    scope: ServiceScope = .session, _ make: @escaping @MainActor (PluginContext) throws -> Service
  ) {
    guard let contributions = open("the service \(TypeName.of(Service.self))") else { return }
    let name = TypeName.full(Service.self)
    if contributions.note(ContributionRecord(.service, name)) != nil {
      contributions.problems.append("registers the service \(TypeName.of(Service.self)) twice")
    }
    contributions.services.typed[ObjectIdentifier(Service.self)] = ServiceTable.Typed(
      name: name, plugin: plugin, scope: scope, make: { try make($0) })
  }

  /// Contributes a service that features request by its id, `plugin.name`; neither feature needs the other to build.
  ///
  /// The plugin itself also gets the object by its type, unless it names several services of the type.
  ///
  /// - Parameters:
  ///   - name: the name of the service within the plugin.
  ///   - scope: the lifetime of an instance.
  ///   - make: creates an instance at the first call.
  ///   - operations: declares the operations that others may call, and the changes that they may follow.
  public func service<Service: AnyObject>(
    _ name: String, scope: ServiceScope = .session, make: @escaping @MainActor (PluginContext) throws -> Service,
    operations: (ServiceContract<Service>) -> Void
  ) {
    let contract = ServiceContract<Service>()
    operations(contract)
    let offered = contract.operations.keys.sorted() + contract.changes.keys.sorted()
    contribute(.service, name) { id in
      ContributionRecord(
        .service, id.rawValue, type: TypeName.of(Service.self), [.operations: offered.joined(separator: " ")])
    } _: { contributions, id, rival in
      if rival != nil { contributions.problems.append("registers the service \(id) twice") }
      for name in contract.repeated { contributions.problems.append("offers the operation \(name) of \(id) twice") }
      contributions.services.named[id] = ServiceTable.Named(
        id: id, type: ObjectIdentifier(Service.self), plugin: plugin, scope: scope, make: { try make($0) },
        operations: contract.operations, changes: contract.changes)
    }
  }
}

extension Registry {
  /// Returns the reason why a service cannot be called; nil if it can.
  public func unavailability(ofService id: ContributionID) -> String? {
    guard services.named[id] == nil else { return nil }
    let plugin = id.plugin
    if let reason = unavailability(ofPlugin: plugin) { return reason }
    if known[plugin]?.has(.service, id) == true { return nil }
    return "the plugin \(plugin) does not offer the service \(id)"
  }
}
