/// The names of types, for people and manifests.
///
/// Interpolating a type asks the runtime whether the type of types is printable in some way of its own, which after
/// each library that is loaded searches all of them: milliseconds where hundreds are.
enum TypeName {
  /// The name as it is written where its module is imported.
  static func of(_ type: Any.Type) -> String { _typeName(type, qualified: false) }
  /// The name with its module.
  static func full(_ type: Any.Type) -> String { _typeName(type, qualified: true) }
}
