/// Where a route leads: a screen, a child flow, or a place in another feature. Within a coordinator it is written
/// `Destination`.
///
/// The builder runs once for each entry, when it is first shown. That of a screen may take the ``Router`` of that entry,
/// whose `pop()` removes it: `.screen { router in DetailScreen(router: router) }`.
@MainActor public struct DestinationOf<Owner: Coordinator> {
  var erased: AnyDestination

  init(_ style: PresentationStyle, _ target: AnyDestination.Target) { erased = AnyDestination(style, target) }

  /// A screen of this flow.
  public static func screen<S: Screen>(
    _ style: PresentationStyle = .push, _ make: @escaping @MainActor () throws -> S
  ) -> Self {
    Self(style, .screen { _ in try make() as any Screen })
  }

  /// A child flow.
  ///
  /// - Parameters:
  ///   - style: how it is presented.
  ///   - make: makes its coordinator.
  ///   - onFinish: runs when the flow ends with a value, also when the host was restarted in between. It may run before
  ///     what this coordinator loads is there: wait for that, do not assume it.
  ///   - onCancel: runs when it ends without one, for the reason given.
  public static func flow<Child: Coordinator>(
    _ style: PresentationStyle = .push, _ make: @escaping @MainActor () throws -> Child,
    onFinish: (@MainActor (Child.Output) async throws -> Void)? = nil,
    onCancel: (@MainActor (CancellationReason) async throws -> Void)? = nil
  ) -> Self {
    var destination = Self(style, .flow { try make() as any Coordinator })
    if let onFinish {
      destination.erased.onFinish = { value in
        guard let output = value as? Child.Output else {
          throw NavigationError(.unexpectedResult(found: "\(type(of: value))", wanted: "\(Child.Output.self)"))
        }
        try await onFinish(output)
      }
    }
    destination.erased.onCancel = onCancel
    return destination
  }

  /// A place in another feature, by the id under which that feature registered it.
  ///
  /// Where no plugin offers the place the entry says so, and the feature's content appears when it is there.
  public static func place(
    _ id: ContributionID, with payload: some Encodable & Sendable = NoPayload(), style: PresentationStyle = .push
  ) -> Self {
    Self(style, .place(id: id) { try Place(id, with: payload) })
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
    _ id: ContributionID, with payload: some Encodable & Sendable = NoPayload(), style: PresentationStyle = .push,
    onFinish: @escaping @MainActor (Value) async throws -> Void
  ) -> Self {
    var destination = place(id, with: payload, style: style)
    destination.erased.onFinish = { output in
      if let value = output as? Value { return try await onFinish(value) }
      let value: Value
      do {
        guard let encodable = output as? any Encodable else {
          throw NavigationError(.payloadDoesNotEncode(place: id, why: "\(type(of: output)) is not Encodable"))
        }
        value = try StoredValue.decode(Value.self, from: try StoredValue.encode(encodable))
      } catch {
        throw NavigationError(
          .resultMismatch(
            place: id, given: "\(type(of: output))", taking: "\(Value.self)", why: StoredRoute.brief(error)))
      }
      try await onFinish(value)
    }
    return destination
  }

  /// Names the entry, so that flows above it can return to it with a value: `router.returnTo("shop.cart", with: order)`.
  ///
  /// It is declared here, and so holds over a restart. Where several entries have the name the nearest one is meant.
  ///
  /// - Parameters:
  ///   - id: the name, in the form `plugin.name`.
  ///   - onReturn: runs when everything above the entry is gone. It takes what was given, or a value of another type that
  ///     decodes from it.
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

  /// Nothing: the route is not shown by itself, and showing it throws `notPresentable`.
  ///
  /// - Parameter reason: why not, and what to do instead.
  public static func nowhere(_ reason: String) -> Self { Self(.push, .nowhere(reason)) }

  /// Nothing but the reason why.
  public static func unavailable(_ reason: String) -> Self { Self(.push, .unavailable(reason)) }
}

extension Coordinator {
  /// Where a route of this coordinator leads.
  public typealias Destination = DestinationOf<Self>
}

/// The name of an entry to which flows above it return, and who takes what they return with.
@MainActor struct ReturnPoint {
  let id: ContributionID
  /// What it takes, for people.
  let type: String
  /// Reads a value that is JSON, and gives back what is to be done with it.
  let read: (String) throws -> @MainActor () async throws -> Void
}

/// A destination whose coordinator is not known where it is carried out.
@MainActor struct AnyDestination {
  /// What a screen is built for: its coordinator, and its entry in the tree, which only the tree can look into.
  struct Building {
    let coordinator: any Coordinator
    let entry: AnyObject
  }

  enum Target {
    case screen(@MainActor (Building) throws -> any Screen)
    case flow(@MainActor () throws -> any Coordinator)
    /// The flow of a tab that a plugin registered, found in the registry by the tab's id.
    case registered(ContributionID)
    case place(id: ContributionID, payload: @MainActor () throws -> Place)
    case unavailable(String)
    /// Showing it is an error.
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
