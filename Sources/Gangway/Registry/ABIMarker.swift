/// What a plugin and a framework must have in common to run in one process, as symbols.
///
/// The number in the first rises with every change of the framework's binary interface; the second names the
/// compiler. `Documentation/Linking.md` says when to rebuild what.
public enum ABIMarker {
  /// The prefix of the symbol that stands for the framework's binary interface.
  public static let abiPrefix = "gangway_abi_"
  /// The prefix of the symbol that stands for the compiler.
  public static let compilerPrefix = "gangway_compiler_"
}

/// Referenced by every plugin. Raise the number, here alone, with every change of the binary interface.
@inline(never) @c(gangway_abi_22) public func _gangwayABIMarker() {}

#if compiler(>=6.4)
  /// Referenced by every plugin built with this compiler.
  @inline(never) @c(gangway_compiler_swift_6_4) public func _gangwayCompilerMarker() {}
#else
  /// Referenced by every plugin built with this compiler.
  @inline(never) @c(gangway_compiler_swift_6_3) public func _gangwayCompilerMarker() {}
#endif
