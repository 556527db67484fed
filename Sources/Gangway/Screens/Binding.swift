/// A reference to a value elsewhere, which an element shows and changes.
@MainActor @dynamicMemberLookup public struct Binding<Value> {
  private let get: () -> Value
  /// Changes the value, or throws the reason why it cannot.
  let set: (Value) throws -> Void

  /// Creates a binding from a getter and a setter; both run on the main actor.
  ///
  /// - Parameters:
  ///   - get: reads the value.
  ///   - set: changes the value. If it throws, the value stays unchanged. An input keeps the user's text, and shows the
  ///     error's description beside it.
  public init(get: @escaping () -> Value, set: @escaping (Value) throws -> Void) {
    self.get = get
    self.set = set
  }

  /// Creates a binding to a property of a model.
  public init<Model: AnyObject>(_ model: Model, _ property: ReferenceWritableKeyPath<Model, Value>) {
    self.init(get: { model[keyPath: property] }, set: { model[keyPath: property] = $0 })
  }

  /// Creates a binding to a value that never changes.
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

  /// The value.
  ///
  /// If the binding refuses a new value, the value stays unchanged.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { try? set(newValue) }
  }

  /// Returns a binding to a part of the value.
  public subscript<Part>(dynamicMember part: WritableKeyPath<Value, Part>) -> Binding<Part> {
    Binding<Part>(
      get: { get()[keyPath: part] },
      set: {
        var value = get()
        value[keyPath: part] = $0
        try set(value)
      })
  }
}

/// A property wrapper for a model class that makes `$model.property` a binding.
@MainActor @propertyWrapper @dynamicMemberLookup public struct Bindable<Model: AnyObject> {
  /// The model.
  public var wrappedValue: Model

  /// Wraps a model.
  public init(wrappedValue: Model) { self.wrappedValue = wrappedValue }

  /// The value of `$model`.
  public var projectedValue: Bindable<Model> { self }

  /// Returns a binding to a property of the model.
  public subscript<Value>(dynamicMember property: ReferenceWritableKeyPath<Model, Value>) -> Binding<Value> {
    Binding(wrappedValue, property)
  }
}
