/// A value that lives elsewhere, which an element shows and changes.
@MainActor @dynamicMemberLookup public struct Binding<Value> {
  private let get: () -> Value
  /// Changes the value, or says why it does not.
  let set: (Value) throws -> Void

  /// Makes a binding from how to read the value and how to change it; both run on the main actor.
  ///
  /// - Parameters:
  ///   - get: reads the value.
  ///   - set: changes it. Where it throws, the value stays what it was; an input keeps what the person entered, and says beside
  ///     it what was thrown, as its description has it.
  public init(get: @escaping () -> Value, set: @escaping (Value) throws -> Void) {
    self.get = get
    self.set = set
  }

  /// Makes a binding to a property of a model.
  public init<Model: AnyObject>(_ model: Model, _ property: ReferenceWritableKeyPath<Model, Value>) {
    self.init(get: { model[keyPath: property] }, set: { model[keyPath: property] = $0 })
  }

  /// Makes a binding to a value that stays as it is.
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

  /// The value. Where the binding refuses one, it stays what it was.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { try? set(newValue) }
  }

  /// A binding to a part of the value.
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

/// Makes `$model.property` a binding, for a model that is a class.
@MainActor @propertyWrapper @dynamicMemberLookup public struct Bindable<Model: AnyObject> {
  /// The model.
  public var wrappedValue: Model

  /// Wraps a model.
  public init(wrappedValue: Model) { self.wrappedValue = wrappedValue }

  /// What `$model` stands for.
  public var projectedValue: Bindable<Model> { self }

  /// A binding to a property of the model.
  public subscript<Value>(dynamicMember property: ReferenceWritableKeyPath<Model, Value>) -> Binding<Value> {
    Binding(wrappedValue, property)
  }
}
