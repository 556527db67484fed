import Foundation

extension Workshop {
  /// The file that keeps hosts of ``breakableHost()`` from starting.
  @_spi(FrontEnd) public var broken: String { path("broken") }

  /// Creates a script that runs the real host, but fails while the file ``broken`` exists.
  @_spi(FrontEnd) public func breakableHost() throws -> String {
    let host = path("breakable-host")
    try "#!/bin/sh\n[ -e '\(broken)' ] && exit 3\nexec '\(Self.built)/gangway-host' \"$@\"\n"
      .write(toFile: host, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: host)
    return host
  }

  /// Makes hosts of ``breakableHost()`` fail to start, or start again.
  @_spi(FrontEnd) public func breakHosts(_ isBroken: Bool) throws {
    if isBroken { try Data().write(to: URL(fileURLWithPath: broken)) } else { unlink(broken) }
  }
}
