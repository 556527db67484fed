/// Where a route leads: a screen, a child flow, or a place in another feature.
///
/// The builder runs once for each entry, when it is first shown.
@MainActor public struct Destination {
  enum Target {
    case screen(@MainActor () throws -> any Screen)
    case flow(@MainActor () throws -> any Coordinator)
    /// The flow of a tab that a plugin registered, found in the registry by the tab's id.
    case registered(plugin: String, tab: String)
    case place(id: String, payload: @MainActor () throws -> Place)
    case unavailable(String)
    /// Showing it is an error.
    case nowhere(String)
  }

  let style: PresentationStyle
  let target: Target
  var onFinish: (@MainActor (any Sendable) async throws -> Void)?
  var onCancel: (@MainActor (CancellationReason) async throws -> Void)?

  init(_ style: PresentationStyle, _ target: Target) {
    self.style = style
    self.target = target
  }

  /// A screen of this flow.
  public static func screen<S: Screen>(
    _ style: PresentationStyle = .push, _ make: @escaping @MainActor () throws -> S
  ) -> Destination {
    Destination(style, .screen { try make() as any Screen })
  }

  /// A child flow.
  ///
  /// - Parameters:
  ///   - style: how it is presented.
  ///   - make: makes its coordinator.
  ///   - onFinish: runs when the flow ends with a value, also when the host was restarted in between.
  ///   - onCancel: runs when it ends without one, for the reason given.
  public static func flow<Child: Coordinator>(
    _ style: PresentationStyle = .push, _ make: @escaping @MainActor () throws -> Child,
    onFinish: (@MainActor (Child.Output) async throws -> Void)? = nil,
    onCancel: (@MainActor (CancellationReason) async throws -> Void)? = nil
  ) -> Destination {
    var destination = Destination(style, .flow { try make() as any Coordinator })
    if let onFinish {
      destination.onFinish = { value in
        guard let output = value as? Child.Output else {
          throw NavigationError(
            .unexpectedDestination, "The flow ended with \(type(of: value)), its handler takes \(Child.Output.self).")
        }
        try await onFinish(output)
      }
    }
    destination.onCancel = onCancel
    return destination
  }

  /// A place in another feature, by the id under which that feature registered it.
  ///
  /// Where no plugin offers the place the entry says so, and the feature's content appears when it is there.
  public static func place(
    _ id: String, with payload: some Encodable & Sendable = NoPayload(), style: PresentationStyle = .push
  ) -> Destination {
    Destination(style, .place(id: id) { try Place(id, with: payload) })
  }

  /// A place in another feature whose flow ends with a value.
  ///
  /// - Parameters:
  ///   - id: the id under which the other feature registered it.
  ///   - payload: what it takes.
  ///   - style: how it is presented.
  ///   - onFinish: runs when the flow ends with a value, also when the host was restarted in between. It takes what the
  ///     flow ends with, or a value of another type that decodes from it.
  public static func place<Value: Codable & Sendable>(
    _ id: String, with payload: some Encodable & Sendable = NoPayload(), style: PresentationStyle = .push,
    onFinish: @escaping @MainActor (Value) async throws -> Void
  ) -> Destination {
    var destination = place(id, with: payload, style: style)
    destination.onFinish = { output in
      if let value = output as? Value { return try await onFinish(value) }
      let value: Value
      do {
        guard let encodable = output as? any Encodable else { throw NavigationError(.payload, "it does not encode") }
        value = try StoredValue.decode(Value.self, from: try StoredValue.encode(encodable))
      } catch {
        throw NavigationError(
          .payload,
          "\(id) ended with \(type(of: output)), and what waits for it takes \(Value.self): "
            + "\(StoredRoute.brief(error)).")
      }
      try await onFinish(value)
    }
    return destination
  }

  /// Nothing: the route is not shown by itself, and showing it throws `notPresentable`.
  ///
  /// - Parameter reason: why not, and what to do instead.
  public static func nowhere(_ reason: String) -> Destination { Destination(.push, .nowhere(reason)) }

  /// Nothing but the reason why.
  public static func unavailable(_ reason: String) -> Destination {
    Destination(.push, .unavailable(reason))
  }
}

/// Why a flow ended without a value.
public enum CancellationReason: String, Hashable, Sendable {
  /// The person went back, or dismissed the modal.
  case back
  /// Code removed the entry, or one below it.
  case popped
  /// A modal gave way to a navigation from below it.
  case superseded
  /// Another entry took its place.
  case replaced
  /// The stack's root was switched.
  case rootSwitched
  /// The flow cancelled itself.
  case cancelled
  /// The flow itself gave up with an error.
  case failed
  /// The session ended.
  case sessionEnded
  /// Its tab was taken away.
  case tabRemoved
  /// The commit that showed it was stepped back.
  case undone
  /// A guard refused it when its session was restored from a file.
  case refused
}

/// How a flow ended.
public enum FlowOutcome<Value: Sendable>: Sendable {
  /// With a value.
  case finished(Value)
  /// Without one.
  case cancelled(CancellationReason)

  /// The value, if there is one.
  public var value: Value? {
    if case .finished(let value) = self { value } else { nil }
  }
}

extension FlowOutcome: Equatable where Value: Equatable {}
