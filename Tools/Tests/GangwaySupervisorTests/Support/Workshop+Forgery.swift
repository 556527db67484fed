import Foundation
import TestSupport

extension Workshop {
  /// A host that is not itself any more: what it says next is followed by a line, once a file is there.
  ///
  /// - Parameter isNew: whether it is one that is started when the file is there.
  /// - Returns: its path.
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
