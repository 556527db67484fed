import GangwayProtocol

/// Why a text is no value of an input: said beside it.
struct InputProblem: Error, CustomStringConvertible {
  let description: String
}

/// A number that is edited as text, and stepped up and down.
public struct NumberField: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let text: @MainActor () -> String
  let range: (minimum: String?, maximum: String?)
  let step: String?
  let take: @MainActor (String) throws -> Void

  /// Makes a field for a number with a fraction.
  ///
  /// What is no number, not finite or out of the range is kept in the field with the reason beside it, and not written to `value`.
  ///
  /// - Parameters:
  ///   - label: what the number is.
  ///   - value: where it lives.
  ///   - range: what it may be; nil where it may be any finite number.
  ///   - step: how far one step up or down goes.
  public init(_ label: String, value: Binding<Double>, in range: ClosedRange<Double>? = nil, step: Double = 1) {
    self.label = label
    text = { Self.text(value.wrappedValue) }
    self.range = (range.map { Self.text($0.lowerBound) }, range.map { Self.text($0.upperBound) })
    self.step = Self.text(step)
    take = { text in
      guard let number = Double(text.filter { $0 != " " }) else {
        throw InputProblem(description: text.isEmpty ? "A number is needed." : "'\(text.prefix(40))' is no number.")
      }
      guard number.isFinite else { throw InputProblem(description: "'\(text.prefix(40))' is too large.") }
      if let range, !range.contains(number) {
        throw Self.outside(text, Self.text(range.lowerBound), Self.text(range.upperBound))
      }
      try value.set(number)
    }
  }

  /// Makes a field for a whole number.
  ///
  /// - Parameters:
  ///   - label: what the number is.
  ///   - value: where it lives.
  ///   - range: what it may be; nil where it may be any that an `Int` holds.
  ///   - step: how far one step up or down goes.
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

  /// Why a text is no whole number.
  private static func reason(_ text: String) -> String {
    if text.isEmpty { return "A number is needed." }
    guard let number = Double(text) else { return "'\(text.prefix(40))' is no number." }
    return number.isFinite && abs(number) < 9e18
      ? "'\(text.prefix(40))' is no whole number." : "'\(text.prefix(40))' is too large."
  }

  private static func outside(_ text: String, _ least: String, _ most: String) -> InputProblem {
    InputProblem(description: "\(text.prefix(40)) is not from \(least) to \(most).")
  }

  /// A number as a person writes it.
  static func text(_ number: Double) -> String {
    guard number.isFinite else { return "" }
    return number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.addInput(
      .number, label, text: text, isWrittenAnew: true,
      configure: {
        $0.minimum = range.minimum
        $0.maximum = range.maximum
        $0.step = step
      }, take: take)
  }
}

/// A whole number that is stepped up and down within a range.
public struct Stepper: Content {
  /// What it is composed of.
  let field: NumberField

  /// Makes a stepper.
  ///
  /// - Parameters:
  ///   - label: what the number is.
  ///   - value: where it lives.
  ///   - range: what it may be.
  ///   - step: how far one step goes.
  public init(_ label: String, value: Binding<Int>, in range: ClosedRange<Int>, step: Int = 1) {
    field = NumberField(label, value: value, in: range, step: step)
  }

  /// A field with the range.
  public var body: some Content { field }
}
