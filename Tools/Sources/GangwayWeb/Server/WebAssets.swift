/// The files of the server's own, which are part of the command: there is no folder to look for them in.
enum WebAssets {
  static let style = PackageResources.gangway_css
  static let module = PackageResources.gangway_js

  /// Names them by what is in them (FNV-1a, Fowler, Noll and Vo), so that a browser that has one never shows an older one.
  static let version: String = {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in style + module { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 36)
  }()
}
