@_spi(FrontEnd) import GangwayProtocol

/// The reason why a text is not a valid value of an input, shown beside the input.
struct InputProblem: Error, CustomStringConvertible {
  let description: String
}

/// A number that the user edits as text, or steps up and down.
public struct NumberField: PrimitiveContent {
  let label: String
  let text: @MainActor () -> String
  let range: (minimum: String?, maximum: String?)
  let step: String?
  let take: @MainActor (String) throws -> Void

  /// Creates a field for a number with a fraction.
  ///
  /// Text that is not a number, not finite, or out of range is not written to `value`. The field keeps it, with the
  /// reason beside it.
  ///
  /// - Parameters:
  ///   - label: the label of the number.
  ///   - value: the number.
  ///   - range: the valid numbers; nil for all finite numbers.
  ///   - step: the size of one step up or down.
  public init(_ label: String, value: Binding<Double>, in range: ClosedRange<Double>? = nil, step: Double = 1) {
    self.label = label
    text = { Self.text(value.wrappedValue) }
    self.range = (range.map { Self.text($0.lowerBound) }, range.map { Self.text($0.upperBound) })
    self.step = Self.text(step)
    take = { text in
      guard let number = Double(text.filter { $0 != " " }) else {
        throw InputProblem(description: text.isEmpty ? "Enter a number." : "'\(text.prefix(40))' is not a number.")
      }
      guard number.isFinite else { throw InputProblem(description: "'\(text.prefix(40))' is too large.") }
      if let range, !range.contains(number) {
        throw Self.outside(text, Self.text(range.lowerBound), Self.text(range.upperBound))
      }
      try value.set(number)
    }
  }

  /// Creates a field for a whole number.
  ///
  /// - Parameters:
  ///   - label: the label of the number.
  ///   - value: the number.
  ///   - range: the valid numbers; nil for all numbers that an `Int` holds.
  ///   - step: the size of one step up or down.
  public init(_ label: String, value: Binding<Int>, in range: ClosedRange<Int>? = nil, step: Int = 1) {
    self.label = label
    text = { "\(value.wrappedValue)" }
    self.range = (range.map { "\($0.lowerBound)" }, range.map { "\($0.upperBound)" })
    self.step = "\(step)"
    take = { text in
      guard let number = Int(text.filter { $0 != " " }) else {
        throw InputProblem(description: Self.reason(text))
      }
      if let range, !range.contains(number) { throw Self.outside(text, "\(range.lowerBound)", "\(range.upperBound)") }
      try value.set(number)
    }
  }

  /// Returns the reason why a text is not a whole number.
  private static func reason(_ text: String) -> String {
    if text.isEmpty { return "Enter a number." }
    guard let number = Double(text) else { return "'\(text.prefix(40))' is not a number." }
    return number.isFinite && abs(number) < 9e18
      ? "'\(text.prefix(40))' is not a whole number." : "'\(text.prefix(40))' is too large."
  }

  private static func outside(_ text: String, _ least: String, _ most: String) -> InputProblem {
    InputProblem(description: "\(text.prefix(40)) is not between \(least) and \(most).")
  }

  /// Returns a number as a user writes it.
  static func text(_ number: Double) -> String {
    guard number.isFinite else { return "" }
    return number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.addInput(
      .number, label, text: text, isWrittenAnew: true,
      configure: {
        $0.minimum = range.minimum
        $0.maximum = range.maximum
        $0.step = step
      }, take: take)
  }
}

/// A whole number that the user steps up and down within a range.
public struct Stepper: Content {
  /// The field of the stepper.
  let field: NumberField

  /// Creates a stepper.
  ///
  /// - Parameters:
  ///   - label: the label of the number.
  ///   - value: the number.
  ///   - range: the valid numbers.
  ///   - step: the size of one step.
  public init(_ label: String, value: Binding<Int>, in range: ClosedRange<Int>, step: Int = 1) {
    field = NumberField(label, value: value, in: range, step: step)
  }

  /// A field with the range.
  public var body: some Content { field }
}
