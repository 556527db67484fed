/// How long the instance of a service lives.
public struct ServiceScope: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case session, host }
  let kind: Kind

  /// One for each session.
  public static let session = ServiceScope(kind: .session)
  /// One for the whole host, or, where it has sessions of several people, one for each of them: it is made when their first session asks for
  /// it, and goes with their last one. It holds no state of a session, and nothing that is kept nowhere else.
  public static let host = ServiceScope(kind: .host)
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
    let id: ContributionID
    let plugin: String
    let scope: ServiceScope
    let make: @MainActor (PluginContext) throws -> AnyObject
    let operations: [String: ServiceOperation]
    let changes: [String: ServiceChangeSource]
  }

  var typed: [ObjectIdentifier: Typed] = [:]
  var named: [ContributionID: Named] = [:]

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

/// One thing that a service tells other features of when it changes.
struct ServiceChangeSource {
  let value: String
  /// Hands each value on, as it is and as JSON, until the task is cancelled or there are no more.
  let follow: @MainActor (AnyObject, @MainActor (any Sendable, () throws -> String) -> Void) async throws -> Void
}

/// Collects what a service does for other features.
@MainActor public final class ServiceContract<Service: AnyObject> {
  var operations: [String: ServiceOperation] = [:]
  var changes: [String: ServiceChangeSource] = [:]
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
        let service = try Self.own(service)
        let input = try value as? Input ?? StoredValue.decode(Input.self, from: encoded())
        let output = try await run(service, input)
        return (output, { try StoredValue.encode(output) })
      })
  }

  /// Tells its users of changes.
  ///
  /// - Parameters:
  ///   - name: names what changes.
  ///   - sequence: gives the values as they come, for one user of the service, on the main actor. Users whose own type
  ///     differs from the values' are bridged by coding.
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
  /// Contributes a service that features ask for by its type: they are built with the module that declares it.
  ///
  /// - Parameters:
  ///   - scope: how long an instance lives.
  ///   - make: makes it, when it is first asked for.
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

  /// Contributes a service that features ask for by its id, `plugin.name`: neither side needs the other to build.
  ///
  /// - Parameters:
  ///   - name: names the service within the plugin.
  ///   - scope: how long an instance lives.
  ///   - make: makes it, when it is first called.
  ///   - operations: says what others may call, and what they are told of.
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
        id: id, plugin: plugin, scope: scope, make: { try make($0) }, operations: contract.operations,
        changes: contract.changes)
    }
  }
}

extension Registry {
  /// Why a service cannot be called; nil when it can.
  public func unavailability(ofService id: ContributionID) -> String? {
    guard services.named[id] == nil else { return nil }
    let plugin = id.plugin
    if let reason = unavailability(ofPlugin: plugin) { return reason }
    if known[plugin]?.has(.service, id) == true { return nil }
    return "the plugin \(plugin) offers no service \(id)"
  }
}
