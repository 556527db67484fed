@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import Gangway

/// A replacement for something outside the tested feature: a place, a service, or a section of the app's configuration.
///
/// The flow's use of places and services is recorded: ``FlowTester/navigations`` and ``FlowTester/calls``. To replace
/// contributions to a slot, load a plugin of the test that contributes.
@MainActor public struct Stub {
  let plugin: PluginID
  let install: @MainActor (StubDraft, StubLog) -> Void

  /// Returns a stub for a place, which shows its id and its payload.
  ///
  /// - Parameters:
  ///   - id: the place's id, `plugin.name`.
  ///   - payload: the type of the payload.
  ///   - output: the type of the flow's result in ``FlowTester/finishStub(_:with:file:line:)``.
  public static func place<Payload: Codable & Sendable, Output: Sendable>(
    _ id: ContributionID, taking payload: Payload.Type = NoPayload.self, endingWith output: Output.Type = Void.self
  ) -> Stub {
    Stub(plugin: id.plugin) { draft, log in
      draft.place(id) { (payload: Payload, _) in
        let text = payload is NoPayload ? "" : "\(payload)"
        log.note(RecordedNavigation(place: id, payload: text))
        return StubFlow<Output>(id, payload: text)
      }
    }
  }

  /// Returns a stub for an operation of a service.
  ///
  /// - Parameters:
  ///   - id: the service's id, `plugin.name`.
  ///   - operation: the operation's name.
  ///   - answer: returns the result of the operation.
  public static func service<Input: Codable & Sendable, Output: Codable & Sendable>(
    _ id: ContributionID, operation: String, answer: @escaping @MainActor (Input) async throws -> Output
  ) -> Stub {
    Stub(plugin: id.plugin) { draft, log in
      draft.operation(id, operation) { (input: Input) in
        log.calls.append(RecordedCall(service: id, operation: operation, input: "\(input)"))
        return try await answer(input)
      }
    }
  }

  /// Returns a stub for changes that a service reports.
  ///
  /// - Parameters:
  ///   - id: the service's id, `plugin.name`.
  ///   - name: the name of the changes.
  ///   - values: returns the values for one client of the service. `Observations { model.user }` follows a model that a
  ///     test changes.
  public static func service<Value: Codable & Sendable, Changes: AsyncSequence & Sendable>(
    _ id: ContributionID, changes name: String, values: @escaping @MainActor () -> Changes
  ) -> Stub where Changes.Element == Value {
    Stub(plugin: id.plugin) { draft, _ in draft.changes(id, name, values) }
  }

  /// Returns the section of a plugin in the app's configuration, as ``PluginContext/configuration(as:)`` reads it.
  ///
  /// - Parameters:
  ///   - plugin: the plugin's id.
  ///   - section: the section.
  public static func configuration(of plugin: PluginID, _ section: some Encodable & Sendable) -> Stub {
    Stub(plugin: plugin) { draft, _ in draft.section(section) }
  }

  /// Returns a stub for other features' contributions to a slot of the flow's own feature; their places are stubs, too.
  ///
  /// - Parameters:
  ///   - slot: the slot's id.
  ///   - values: the description of each contribution, by the id of its place, in order:
  ///     `["smith.steel": Door(title: "Steel")]`.
  package static func contributions<Value: Codable & Sendable>(
    to slot: ContributionID, _ values: KeyValuePairs<ContributionID, Value>
  )
    -> Stub
  {
    Stub(plugin: values.first?.key.plugin ?? "nobody") { draft, log in
      for (id, value) in values {
        draft.contribution(id, slot, value)
        draft.place(id) { (payload: AnyPayload, _) in
          log.note(RecordedNavigation(place: id, payload: payload.text))
          return StubFlow<Void>(id, payload: payload.text)
        }
      }
    }
  }
}

/// A place of another feature that a flow showed.
public struct RecordedNavigation: Hashable, Sendable, CustomStringConvertible {
  /// The place's id.
  public let place: ContributionID
  /// The payload, as text.
  public let payload: String
  /// The id and the payload.
  public var description: String { payload.isEmpty ? place.rawValue : "\(place)(\(payload))" }
}

/// An operation of another feature's service that a flow called.
public struct RecordedCall: Hashable, Sendable, CustomStringConvertible {
  /// The service's id.
  public let service: ContributionID
  /// The operation's name.
  public let operation: String
  /// The input, as text.
  public let input: String
  /// The service, operation and input.
  public var description: String { "\(service).\(operation)(\(input))" }
}

/// The log of the stubs' use.
@MainActor final class StubLog {
  private(set) var navigations: [RecordedNavigation] = []
  /// Whether a session is only created for a comparison.
  var isComparing = false
  func note(_ navigation: RecordedNavigation) {
    if !isComparing { navigations.append(navigation) }
  }
  var calls: [RecordedCall] = []
}

/// A payload of any type.
struct AnyPayload: Codable, Sendable {
  let text: String
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let number = try? value.decode(Double.self) {
      text = number == number.rounded() ? "\(Int(number))" : "\(number)"
    } else {
      text = (try? value.decode(String.self)) ?? ""
    }
  }
  func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

/// A replacement for a flow of another feature.
final class StubFlow<Output: Sendable>: StackCoordinator {
  struct Route: NavigationRoute {
    let id: ContributionID
    var title: String? { id.rawValue }
  }
  let start: Route
  private let payload: String

  init(_ id: ContributionID, payload: String) {
    start = Route(id: id)
    self.payload = payload
  }

  func destination(for route: Route) -> Destination { .screen { StubScreen(payload: self.payload) } }
}

struct StubScreen: Screen {
  let payload: String
  var body: some Content {
    Text("(stub)")
    if !payload.isEmpty { Text(payload) }
  }
}
