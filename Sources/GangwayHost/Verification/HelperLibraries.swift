import GangwayClient
import Glibc

/// The libraries that a plugin brings along: what it needs, itself or through others, that is neither the system's nor part of
/// this process. Their code comes into the process with the plugin's, so they are trusted as it is, or it is refused.
///
/// Where the loader looks for them: ld.so(8), `DT_RPATH` where there is no `DT_RUNPATH`, `LD_LIBRARY_PATH`, `DT_RUNPATH`.
struct HelperLibraries {
  /// Their states, by path.
  private(set) var identities: [String: FileIdentity] = [:]

  private struct Image {
    let file: ELFFile
    let path: String
    /// The `DT_RPATH` of those that need it.
    let inherited: [String]
  }

  /// Looks for them and checks whom they can be trusted to come from. None of their code is run.
  ///
  /// - Throws: a refusal at the step `trust`, or `file` where one is damaged.
  init(of image: ELFFile, at path: String) throws(Refusal) {
    var queue = [Image(file: image, path: path, inherited: [])]
    var seen: Set<String> = []
    while let image = queue.popLast() {
      // One of that name that this process has is taken, wherever another lies.
      for name in image.file.needed where seen.insert(name).inserted && !Self.mappedNames.contains(name) {
        guard let next = try Self.find(name, for: image) else { continue }
        guard let helper = try take(name, next.path, inherited: next.inherited) else { continue }
        queue.append(helper)
      }
    }
  }

  /// Where the loader would find a library; nil where it is the system's to say.
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

  /// Notes a library that was found.
  ///
  /// - Returns: nil where it is the system's, or part of this process.
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

  /// Checks that nobody else can put a library where one is looked for, before the place in which it is found.
  private static func checkPlace(_ folder: String, _ name: String) throws(Refusal) {
    var place = folder
    while access(place, F_OK) != 0, place != "/", place.contains("/") { place = self.folder(of: place) }
    var status = stat()
    guard stat(place, &status) == 0 else { return }
    guard status.st_mode & S_IWOTH == 0 else {
      throw Refusal(
        .trust, .writableByOthers,
        "it needs '\(name)', which is looked for in '\(folder)', and anyone may write to '\(place)'",
        advice: "Link it with a search path that is this user's alone, as $ORIGIN.")
    }
    do throws(Refusal) {
      _ = try TrustedPath(place, isFolder: true)
    } catch {
      throw Refusal(
        error.step, error.code, "it needs '\(name)', which is looked for in '\(folder)': \(error.reason)",
        advice: error.advice)
    }
  }

  /// Whether who may write to a folder can do anything else to this process, too.
  private static func isSystems(_ folder: String) -> Bool {
    runtime == folder
      || ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"].contains { root in
        folder == root || folder.hasPrefix(root + "/")
      }
  }

  private static let mapped = MappedFiles.paths
  private static let mappedNames = Set(mapped.map { String($0.split(separator: "/").last ?? "") })
  /// Where Swift's own libraries are.
  private static let runtime = mapped.first { $0.hasSuffix("/libswiftCore.so") }.map(folder(of:))

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A path with the folder of the library that names it. Other tokens than that stay, and lead nowhere.
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
