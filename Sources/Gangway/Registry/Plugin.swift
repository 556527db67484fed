@_spi(FrontEnd) import GangwayProtocol

/// A feature: the contributions of a shared library to an application.
///
/// A plugin is created once per host and holds no user's state. Coordinators and services are created per session.
@MainActor public protocol Plugin: AnyObject {
  /// The feature's id, `[a-z][a-z0-9-]*`.
  ///
  /// It never changes, because places and checkpoints contain it.
  static var id: String { get }
  /// The feature's version, `major.minor.patch`.
  static var version: String { get }
  /// Creates the plugin.
  init()
  /// Registers the feature's contributions.
  ///
  /// The method must register the same contributions each time, and must have no side effects.
  ///
  /// - Throws: the reason why the feature cannot work. The host refuses the plugin with this reason and continues.
  func register(in registry: Registrar) throws
}

extension Plugin {
  /// The feature's id.
  package static var pluginID: PluginID { PluginID(rawValue: id) }
}

/// A plugin's type, as a library passes it to the host.
package final class PluginExport {
  /// The plugin's type.
  package let type: any Plugin.Type

  init(_ type: any Plugin.Type) { self.type = type }

  /// Returns the export behind the pointer from a plugin's entry function, and consumes its reference.
  package static func take(_ pointer: UnsafeMutableRawPointer) -> PluginExport {
    Unmanaged<PluginExport>.fromOpaque(pointer).takeRetainedValue()
  }
}

/// Returns the result of a plugin's entry function.
///
/// The body is compiled into the plugin. So the plugin's symbol table refers to the two markers, and a host reads them
/// there before it runs any of the plugin's code.
@_alwaysEmitIntoClient
public func exportPlugin(_ type: any Plugin.Type) -> UnsafeMutableRawPointer {
  _gangwayABIMarker()
  _gangwayCompilerMarker()
  return _export(type)
}

/// Returns the pointer that a plugin's entry function returns.
public func _export(_ type: any Plugin.Type) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(PluginExport(type)).toOpaque()
}
