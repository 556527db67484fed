#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Copies the data of an app for a check, a replay or a test, so that these cannot change the original.
@_spi(FrontEnd) public enum DataCopy {
  /// Copies a folder. Links to files become copies of the files, and links to folders are left out.
  ///
  /// Writes would reach the originals through links.
  ///
  /// - Parameters:
  ///   - path: the path of the folder, or of a link to it.
  ///   - copyPath: the path of the new folder; its parent folder exists.
  /// - Throws: the error of the file system.
  public static func make(of path: String, at copyPath: String) throws {
    let files = FileManager.default
    let (data, copy) = (URL(filePath: path), URL(filePath: copyPath))
    // A link would be copied as a link to the original folder.
    let original = data.resolvingSymlinksInPath()
    try files.copyItem(at: original, to: copy)
    // Nothing is read through a link to a folder, because the copy of the link is gone before.
    for name in try files.subpathsOfDirectory(atPath: copy.path).sorted() {
      let path = copy.appending(path: name).path
      guard type(of: path) == .typeSymbolicLink else { continue }
      try files.removeItem(atPath: path)
      let target = original.appending(path: name).resolvingSymlinksInPath().path
      if type(of: target) == .typeRegular { try files.copyItem(atPath: target, toPath: path) }
    }
  }

  /// Returns the type of a file; nil if there is no such file. Of a link, it is the type of the link itself.
  private static func type(of path: String) -> FileAttributeType? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
  }
}
