/// One feature: what a shared library contributes to an application.
///
/// A plugin is made once per host and holds no user's state; coordinators and services are made per session.
@MainActor public protocol Plugin: AnyObject {
  /// The feature's id, `[a-z][a-z0-9-]*`: it never changes, for places and checkpoints name it.
  static var id: String { get }
  /// The feature's version, `major.minor.patch`.
  static var version: String { get }
  /// Makes the plugin.
  init()
  /// Says what the feature contributes. The same each time, and without effects.
  ///
  /// - Throws: what keeps the feature from working; the host refuses it with that reason and goes on.
  func register(in registry: Registrar) throws
}

/// A plugin as it crosses from its library to the host.
public final class PluginExport {
  /// The plugin's type.
  public let type: any Plugin.Type

  init(_ type: any Plugin.Type) { self.type = type }

  /// The export behind the pointer that an entry returned, whose reference is consumed.
  public static func take(_ pointer: UnsafeMutableRawPointer) -> PluginExport {
    Unmanaged<PluginExport>.fromOpaque(pointer).takeRetainedValue()
  }

  /// Makes the pointer that an entry returns.
  public static func make(_ type: any Plugin.Type) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(PluginExport(type)).toOpaque()
  }
}

/// What a plugin's entry returns.
///
/// Its body is compiled into the plugin: the references to the two markers stand in the plugin's symbol table,
/// where a host reads them before it runs any of the plugin's code.
@_alwaysEmitIntoClient
public func exportPlugin(_ type: any Plugin.Type) -> UnsafeMutableRawPointer {
  _gangwayABIMarker()
  _gangwayCompilerMarker()
  return PluginExport.make(type)
}
