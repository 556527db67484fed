import Foundation
@_spi(FrontEnd) import TestSupport

extension Workshop {
  /// Creates a host that adds a forged line to its next message once a file exists.
  ///
  /// - Parameter isNew: whether only a host that starts after the file exists does so.
  /// - Returns: the path of the host.
  func host(saying line: String, when flag: String, isNew: Bool = false) throws -> String {
    let wrapper = path("host.sh")
    try """
    #!/bin/bash
    exec 3<&0 4>&1
    flag='\(flag)'
    \(isNew ? "[ -e \"$flag\" ] || flag=" : "")
    '\(Workshop.built)/gangway-host' "$@" <&3 | {
      while IFS= read -r line; do
        printf '%s\\n' "$line" >&4
        if [ -e "$flag" ]; then rm "$flag"; printf '%s\\n' '\(line)' >&4; fi
      done
    }
    """.write(toFile: wrapper, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: wrapper)
    return wrapper
  }
}
