/// The destination of a route: a screen, a child flow, or a place in another feature.
///
/// Within a coordinator, write `Destination`.
///
/// The builder runs once for each entry, when the entry is first shown. The builder of a screen may take the
/// ``Router`` of the entry, whose `pop()` removes the entry: `.screen { router in DetailScreen(router: router) }`.
@MainActor public struct DestinationOf<Owner: Coordinator> {
  var erased: AnyDestination

  init(_ style: PresentationStyle, _ target: AnyDestination.Target) { erased = AnyDestination(style, target) }

  /// Returns a destination that shows a screen of this flow.
  public static func screen<S: Screen>(
    _ style: PresentationStyle = .push, _ make: @escaping @MainActor () throws -> S
  ) -> Self {
    Self(style, .screen { _ in try make() as any Screen })
  }

  /// Returns a destination that shows a child flow.
  ///
  /// - Parameters:
  ///   - style: the presentation style of the flow.
  ///   - make: creates the coordinator of the flow.
  ///   - onCancel: runs when the flow ends without a value, and takes the reason.
  public static func flow<Child: Coordinator>(
    _ style: PresentationStyle = .push, _ make: @escaping @MainActor () throws -> Child,
    onCancel: (@MainActor (CancellationReason) async throws -> Void)? = nil
  ) -> Self {
    var destination = Self(style, .flow { try make() as any Coordinator })
    destination.erased.onCancel = onCancel
    return destination
  }

  // With an optional `onFinish`, or with the parameter `Child.Output`, the compiler has no message for a wrong type.
  /// Returns a destination that shows a child flow, and takes the flow's value.
  ///
  /// - Parameters:
  ///   - style: the presentation style of the flow.
  ///   - make: creates the coordinator of the flow.
  ///   - onFinish: runs when the flow ends with a value, also if the host restarted in between. It may run before this
  ///     coordinator has loaded its data: wait for the data.
  ///   - onCancel: runs when the flow ends without a value, and takes the reason.
  public static func flow<Child: Coordinator, Value>(
    _ style: PresentationStyle = .push, _ make: @escaping @MainActor () throws -> Child,
    onFinish: @escaping @MainActor (Value) async throws -> Void,
    onCancel: (@MainActor (CancellationReason) async throws -> Void)? = nil
  ) -> Self where Value == Child.Output {
    var destination = flow(style, make, onCancel: onCancel)
    destination.erased.onFinish = { value in
      guard let output = value as? Value else {
        throw NavigationError(.unexpectedResult(found: "\(type(of: value))", wanted: "\(Value.self)"))
      }
      try await onFinish(output)
    }
    return destination
  }

  /// Returns a destination that shows a place in another feature, by the id that the feature registered.
  ///
  /// As long as no plugin offers the place, the entry shows a message. The feature's content appears when a plugin
  /// offers the place.
  public static func place(
    _ id: ContributionID, with payload: some Encodable & Sendable = NoPayload(), style: PresentationStyle = .push
  ) -> Self {
    Self(style, .place(id: id) { try Place(id, with: payload) })
  }

  /// Returns a destination that shows a place in another feature whose flow ends with a value.
  ///
  /// - Parameters:
  ///   - id: the id under which the other feature registered the place.
  ///   - payload: the payload that the place takes.
  ///   - style: the presentation style of the place.
  ///   - onFinish: runs when the flow ends with a value, also if the host restarted in between. It takes the flow's
  ///     output, or a value of another type that decodes from the output.
  public static func place<Value: Codable & Sendable>(
    _ id: ContributionID, with payload: some Encodable & Sendable = NoPayload(), style: PresentationStyle = .push,
    onFinish: @escaping @MainActor (Value) async throws -> Void
  ) -> Self {
    var destination = place(id, with: payload, style: style)
    destination.erased.onFinish = { output in
      if let value = output as? Value { return try await onFinish(value) }
      let value: Value
      do {
        value = try StoredValue.decode(Value.self, from: try Self.text(of: output, of: id))
      } catch {
        throw NavigationError(
          .resultMismatch(
            place: id, given: "\(type(of: output))", taking: "\(Value.self)", why: StoredRoute.brief(error)))
      }
      try await onFinish(value)
    }
    return destination
  }

  /// Returns the result of a place as JSON text.
  private static func text(of output: any Sendable, of place: ContributionID) throws -> String {
    if let result = output as? HostedResult { return result.text }
    guard let encodable = output as? any Encodable else {
      throw NavigationError(.payloadDoesNotEncode(place: place, why: "\(type(of: output)) is not Encodable"))
    }
    return try StoredValue.encode(encodable)
  }

  /// Names the entry, so that flows above it can return to it with a value.
  ///
  /// A flow returns with `router.returnTo("shop.cart", with: order)`. The name survives a restart, because the
  /// destination declares it. If several entries have the name, the flow returns to the nearest one.
  ///
  /// - Parameters:
  ///   - id: the name, in the form `plugin.name`.
  ///   - onReturn: runs when everything above the entry is gone. It takes the returned value, or a value of another
  ///     type that decodes from the returned value.
  public func returnPoint<Value: Codable & Sendable>(
    _ id: ContributionID, onReturn: @escaping @MainActor (Value) async throws -> Void
  ) -> Self {
    var destination = self
    destination.erased.returnPoint = ReturnPoint(id: id, type: "\(Value.self)") { text in
      let value = try StoredValue.decode(Value.self, from: text)
      return { try await onReturn(value) }
    }
    return destination
  }

  /// Names the entry, so that flows above it can return to it.
  public func returnPoint(_ id: ContributionID) -> Self {
    returnPoint(id) { (_: NoPayload) in }
  }

  /// Returns a destination for a route that is never shown by itself: showing the route throws `notPresentable`.
  ///
  /// - Parameter reason: why the route is not shown, and what to do instead.
  public static func nowhere(_ reason: String) -> Self { Self(.push, .nowhere(reason)) }

  /// Returns a destination that shows only a reason why its content is unavailable.
  public static func unavailable(_ reason: String) -> Self { Self(.push, .unavailable(reason)) }
}

/// The value that a flow of another host ended with, as JSON text.
struct HostedResult: Sendable {
  let text: String
}

extension Coordinator {
  /// The destination of a route of this coordinator.
  public typealias Destination = DestinationOf<Self>
}

/// The name of an entry that flows above it return to, with the handler of the returned value.
@MainActor struct ReturnPoint {
  let id: ContributionID
  /// The type of the value that the handler takes, for messages.
  let type: String
  /// Decodes a value from JSON, and returns a closure that passes the value to the handler.
  let read: (String) throws -> @MainActor () async throws -> Void
}

/// A destination without the type of its coordinator.
@MainActor struct AnyDestination {
  /// The input of a screen's builder: the coordinator, and the entry, which only the tree can look into.
  struct Building {
    let coordinator: any Coordinator
    let entry: AnyObject
  }

  enum Target {
    case screen(@MainActor (Building) throws -> any Screen)
    case flow(@MainActor () throws -> any Coordinator)
    /// The flow of a tab that a plugin registered; the registry finds the flow by the tab's id.
    case registered(ContributionID)
    case place(id: ContributionID, payload: @MainActor () throws -> Place)
    case unavailable(String)
    /// Showing this target is an error.
    case nowhere(String)
  }

  let style: PresentationStyle
  let target: Target
  var onFinish: (@MainActor (any Sendable) async throws -> Void)?
  var onCancel: (@MainActor (CancellationReason) async throws -> Void)?
  var returnPoint: ReturnPoint?

  init(_ style: PresentationStyle, _ target: Target) {
    self.style = style
    self.target = target
  }
}
