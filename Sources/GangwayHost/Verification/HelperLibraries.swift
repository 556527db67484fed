@_spi(FrontEnd) import GangwayClient
import Glibc

/// The libraries that a plugin brings along: it needs them, and they are neither the system's nor part of this process.
///
/// A plugin may need them itself or through others. Their code enters the process with the plugin's, so a plugin with
/// an untrusted library is refused.
///
/// The loader searches for them as in ld.so(8): `DT_RPATH` if there is no `DT_RUNPATH`, `LD_LIBRARY_PATH`,
/// `DT_RUNPATH`.
struct HelperLibraries {
  /// The states of the libraries, by path.
  private(set) var identities: [String: FileIdentity] = [:]

  private struct Image {
    let file: ELFFile
    let path: String
    /// The `DT_RPATH` of the libraries that need this one.
    let inherited: [String]
  }

  /// Finds the libraries and checks that they can be trusted, without running their code.
  ///
  /// - Throws: a refusal at the step `trust`, or `file` if a library is damaged.
  init(of image: ELFFile, at path: String) throws(Refusal) {
    var queue = [Image(file: image, path: path, inherited: [])]
    var seen: Set<String> = []
    // The loader searches breadth-first, so the first library that needs a name decides where it is found.
    while !queue.isEmpty {
      let image = queue.removeFirst()
      // If this process already has a library of that name, the loader uses it, wherever another one is.
      for name in image.file.needed where seen.insert(name).inserted && !Self.mappedNames.contains(name) {
        guard let next = try Self.find(name, for: image) else { continue }
        guard let helper = try take(name, next.path, inherited: next.inherited) else { continue }
        queue.append(helper)
      }
    }
  }

  /// Returns the path where the loader would find a library; nil if the library is the system's.
  private static func find(_ name: String, for image: Image) throws(Refusal) -> (path: String, inherited: [String])? {
    let origin = folder(of: image.path)
    func folders(_ list: String?) -> [String] {
      (list ?? "").split(separator: ":").map { expand(String($0), origin) }.filter { !$0.isEmpty }
    }
    let own = image.file.runPath == nil ? folders(image.file.rPath) : []
    let inherited = own + image.inherited
    if name.contains("/") { return (expand(name, origin), inherited) }
    let environment = getenv("LD_LIBRARY_PATH").map { String(cString: $0) }
    let before = image.file.runPath == nil ? inherited : []
    for folder in before + folders(environment) + folders(image.file.runPath) {
      let path = "\(folder)/\(name)"
      if !isSystems(folder) { try checkPlace(folder, name) }
      if access(path, F_OK) == 0 { return (path, inherited) }
    }
    return nil
  }

  /// Adds a library that was found.
  ///
  /// - Returns: nil if the library is the system's, or part of this process.
  private mutating func take(_ name: String, _ path: String, inherited: [String]) throws(Refusal) -> Image? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    let real = String(cString: resolved)
    guard !Self.isSystems(Self.folder(of: real)), !Self.mapped.contains(real) else { return nil }
    do throws(Refusal) {
      let file = try TrustedFile(path)
      identities[path] = file.identity
      return Image(file: try ELFFile(file), path: path, inherited: inherited)
    } catch {
      throw Refusal(error.step, error.code, "it needs '\(name)': \(error.reason)", advice: error.advice)
    }
  }

  /// Checks that no other user can put a library into a folder that the loader searches before the right one.
  private static func checkPlace(_ folder: String, _ name: String) throws(Refusal) {
    var place = folder
    while access(place, F_OK) != 0, place != "/", place.contains("/") { place = self.folder(of: place) }
    var status = stat()
    guard stat(place, &status) == 0 else { return }
    guard status.st_mode & S_IWOTH == 0 else {
      throw Refusal(
        .trust, .writableByOthers,
        "it needs '\(name)', which is searched for in '\(folder)', but other users can write to '\(place)'",
        advice: "Link it with a search path that only this user can write to, such as $ORIGIN.")
    }
    do throws(Refusal) {
      _ = try TrustedPath(place, isFolder: true)
    } catch {
      throw Refusal(
        error.step, error.code, "it needs '\(name)', which is searched for in '\(folder)': \(error.reason)",
        advice: error.advice)
    }
  }

  /// Returns whether a folder is the system's. A user who may write there controls this process anyway.
  private static func isSystems(_ folder: String) -> Bool {
    runtime == folder
      || ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"].contains { root in
        folder == root || folder.hasPrefix(root + "/")
      }
  }

  private static let mapped = MappedFiles.paths
  private static let mappedNames = Set(mapped.map { String($0.split(separator: "/").last ?? "") })
  /// The folder of Swift's own libraries.
  private static let runtime = mapped.first { $0.hasSuffix("/libswiftCore.so") }.map(folder(of:))

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Replaces `$ORIGIN` in a path with the folder of the library. Other tokens stay, and match no folder.
  private static func expand(_ path: String, _ origin: String) -> String {
    var (expanded, rest) = ("", path[...])
    while let first = rest.first {
      if let token = ["${ORIGIN}", "$ORIGIN"].first(where: rest.hasPrefix) {
        expanded += origin
        rest = rest.dropFirst(token.count)
      } else {
        expanded.append(first)
        rest = rest.dropFirst()
      }
    }
    return expanded
  }
}
