#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Error {
  /// The reason for a failure: for a file, the system's words, such as "Permission denied" (strerror(3)).
  ///
  /// FoundationEssentials describes an error of a file as a dump of all its fields, and has no `localizedDescription`.
  @_spi(FrontEnd) public var reason: String {
    guard let cause = ((self as? CocoaError)?.underlying ?? self) as? POSIXError else { return "\(self)" }
    return String(cString: strerror(cause.code.rawValue))
  }
}
