import Foundation

extension Workshop {
  /// Where a file has to be for hosts made by ``breakableHost()`` not to start.
  public var broken: String { path("broken") }

  /// The real host, which does not start while there is a file at ``broken``.
  public func breakableHost() throws -> String {
    let host = path("breakable-host")
    try "#!/bin/sh\n[ -e '\(broken)' ] && exit 3\nexec '\(Self.built)/gangway-host' \"$@\"\n"
      .write(toFile: host, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: host)
    return host
  }

  /// Has hosts of ``breakableHost()`` not start, or start again.
  public func breakHosts(_ isBroken: Bool) throws {
    if isBroken { try Data().write(to: URL(fileURLWithPath: broken)) } else { unlink(broken) }
  }
}
