/// The symbols that a plugin and the framework must share to run in one process.
///
/// The number in the first symbol rises when older plugins would break. The second symbol names the compiler.
/// `Documentation/Linking.md` says which plugins to rebuild after which change.
package enum ABIMarker {
  /// The prefix of the symbol for the framework's binary interface.
  package static let abiPrefix = "gangway_abi_"
  /// The prefix of the symbol for the compiler.
  package static let compilerPrefix = "gangway_compiler_"
}

/// Every plugin refers to this symbol.
///
/// Raise the number, only here, with a change that breaks older plugins; `script/check-abi` says which change does.
@inline(never) @c(gangway_abi_43) public func _gangwayABIMarker() {}

#if compiler(>=6.4)
  /// Every plugin built with this compiler refers to this symbol.
  @inline(never) @c(gangway_compiler_swift_6_4) public func _gangwayCompilerMarker() {}
#else
  /// Every plugin built with this compiler refers to this symbol.
  @inline(never) @c(gangway_compiler_swift_6_3) public func _gangwayCompilerMarker() {}
#endif
