/// Finds the types that declare no leave guard of their own, so that they are not asked again.
@MainActor enum MissingLeaveGuard {
  /// The type whose default was read last.
  @exclusivity(unchecked) private static var last: ObjectIdentifier?

  /// Notes that the default of a type was read.
  static func note(_ type: Any.Type) { last = ObjectIdentifier(type) }

  /// Returns whether a value of a type may have a leave guard, now or later.
  ///
  /// - Parameter read: reads the leave guard of the value.
  static func mayBeSet(_ type: Any.Type, _ read: () -> NavigationGuard?) -> Bool {
    last = nil
    return read() != nil || last != ObjectIdentifier(type)
  }
}
