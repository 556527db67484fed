/// The names of types, for people and manifests.
///
/// Interpolating a type asks the runtime whether the metatype conforms to a printing protocol. After each loaded
/// library, that check searches all libraries, which takes milliseconds for hundreds of them.
enum TypeName {
  /// Returns the name as written where its module is imported.
  static func of(_ type: Any.Type) -> String { _typeName(type, qualified: false) }
  /// Returns the name with its module.
  static func full(_ type: Any.Type) -> String { _typeName(type, qualified: true) }
}
