import FoundationEssentials
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc
import Subprocess
import SystemPackage

/// A SwiftPM package with a plugin, which can be built and installed where a host finds it.
struct PluginPackage: Sendable {
  /// The reason why a package cannot be built or installed.
  struct Failure: Error, CustomStringConvertible {
    /// The messages, one a line.
    let lines: [String]
    /// The failure in two or three words, to print after the package's name.
    var summary = Words.Development.doesNotBuild
    var description: String { lines.joined(separator: "\n") }
  }

  /// The package's folder.
  let path: String
  /// The folder in which SwiftPM builds.
  let scratchPath: String
  /// Whether the compiler optimizes.
  var isRelease = false
  /// Further options of `swift build`.
  var buildOptions: [String] = []

  /// The progress of a build.
  struct Progress: Equatable, Sendable {
    /// The number of finished steps, and of the steps known so far.
    let done: Int
    let count: Int

    /// Parses a line of SwiftPM's output, such as `[3/12] Compiling Todos TodoList.swift`.
    init?(_ line: String) {
      guard line.first == "[", let end = line.firstIndex(of: "]") else { return nil }
      let numbers = line[line.index(after: line.startIndex)..<end].split(separator: "/").map { Int($0) }
      guard numbers.count == 2, let done = numbers[0], let count = numbers[1], count > 0, done <= count else {
        return nil
      }
      (self.done, self.count) = (done, count)
    }
  }

  /// The last component of the package's path, which may be `.`.
  var name: String { FilePaths.whole(path).split(separator: "/").last.map(String.init) ?? path }

  /// The state of each source file, by path.
  var sources: [String: FileState] {
    var found: [String: FileState] = [:]
    var folders = [path + "/Sources"]
    for file in [path + "/Package.swift"] { found[file] = FileState(file) }
    while let folder = folders.popLast() {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !name.hasPrefix(".") {
        let path = "\(folder)/\(name)"
        guard let state = FileState(path) else { continue }
        if state.isFolder { folders.append(path) } else { found[path] = state }
      }
    }
    return found
  }

  /// Builds the package.
  ///
  /// - Parameter tell: called with the progress whenever it changes.
  /// - Throws: ``Failure`` with the compiler's messages.
  @MainActor func build(_ tell: @escaping @MainActor (Progress) -> Void = { _ in }) async throws(Failure) {
    var last: Progress?
    let (isBuilt, output) = try await swift(["build"] + buildOptions) { line in
      guard let progress = Progress(line), progress != last else { return }
      last = progress
      tell(progress)
    }
    if !isBuilt { throw Failure(lines: errors(in: output)) }
  }

  /// Returns the path of the built library.
  ///
  /// The path never changes, but SwiftPM takes a second to return it.
  @MainActor func library() async throws(Failure) -> String {
    let (isKnown, output) = try await swift(["build", "--show-bin-path"])
    let bin = output.split(separator: "\n").last.map(String.init) ?? ""
    guard isKnown, bin.hasPrefix("/") else {
      throw Failure(lines: [Words.Development.noBuildFolder(output)])
    }
    let (isDescribed, description) = try await swift(["package", "describe"])
    guard isDescribed, let product = Self.dynamicProduct(in: description) else {
      throw Failure(lines: [Words.Development.noDynamicProduct(path, name: name)])
    }
    return "\(bin)/lib\(product).so"
  }

  /// Copies the library into a folder and renames it into place, so that a host keeps the file that it has mapped.
  ///
  /// - Returns: the path of the copy.
  /// - Throws: ``Failure`` if the library contains no plugin or cannot be copied.
  func install(_ built: String, in folder: String) throws(Failure) -> String {
    let name = built.split(separator: "/").last.map(String.init) ?? built
    // A host silently ignores other libraries in its folders, so this must report the problem.
    if let facts = try? LibraryFacts(file: built), facts.entries == 0 {
      throw Failure(lines: [Words.Development.noEntry(name)], summary: Words.Development.isNotAPlugin)
    }
    let library = "\(folder)/\(name)"
    func unwritable(_ reason: String) -> Failure {
      Failure(
        lines: [Words.Development.unwritable(library, reason: reason)], summary: Words.Development.isNotInstalled)
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let temporary = "\(folder)/.\(name).new"
      try? FileManager.default.removeItem(atPath: temporary)
      try FileManager.default.copyItem(atPath: built, toPath: temporary)
      guard chmod(temporary, 0o755) == 0, rename(temporary, library) == 0 else {
        throw unwritable(String(cString: strerror(errno)))
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw unwritable(error.reason)
    }
    return library
  }

  /// Returns the name of the first dynamic library product in the output of `swift package describe`.
  static func dynamicProduct(in description: String) -> String? {
    var name: String?
    var isInProducts = false
    for line in description.split(separator: "\n") {
      if line.hasPrefix("Products:") { isInProducts = true }
      if line.hasPrefix("Targets:") { isInProducts = false }
      guard isInProducts else { continue }
      let text = line.drop { $0 == " " }
      if text.hasPrefix("Name: ") { name = String(text.dropFirst(6)) }
      if text == "dynamic" { return name }
    }
    return nil
  }

  /// Returns the distinct errors of a build, with paths relative to the package.
  func errors(in output: String) -> [String] {
    let folder = FilePaths.whole(path)
    var seen: Set<String> = []
    let lines = output.split(separator: "\n").compactMap { line -> String? in
      var text = String(line)
      guard text.contains("error: "), !text.contains("`-"), !text.contains("|-") else { return nil }
      for prefix in [folder, path] where text.hasPrefix(prefix + "/") {
        text = String(text.dropFirst(prefix.count + 1))
      }
      return seen.insert(text).inserted ? text : nil
    }
    let own = lines.filter { !$0.hasPrefix("error: ") }
    if !own.isEmpty { return own }
    return lines.isEmpty ? output.split(separator: "\n").suffix(3).map(String.init) : lines
  }

  /// The most output to keep, in bytes.
  private static let maximumOutput = 16 << 20

  @MainActor private func swift(
    _ arguments: [String], _ line: @escaping @MainActor (String) -> Void = { _ in }
  ) async throws(Failure) -> (Bool, String) {
    // Without the last option, a second package in one scratch path can silently build nothing. Another build system
    // than `native` writes a library that no host can open.
    let more = [
      "--package-path", path, "--scratch-path", scratchPath, "--build-system", "native",
      "--disable-build-manifest-caching", "--configuration", isRelease ? "release" : "debug",
    ]
    let isDescribing = arguments.first == "package"
    let all = isDescribing ? ["package"] + more.prefix(4) + arguments.dropFirst() : arguments + more
    do {
      var output = ""
      let result = try await Subprocess.run(
        .name("swift"), arguments: Arguments(all), input: .none, output: .sequence, error: .combinedWithOutput
      ) { execution in
        for try await text in execution.standardOutput.strings() {
          if output.utf8.count < Self.maximumOutput { output += text.hasSuffix("\n") ? text : text + "\n" }
          line(text)
        }
      }
      return (result.terminationStatus.isSuccess, output)
    } catch {
      throw Failure(lines: [Words.Development.compilerDidNotStart(reason: "\(error)")])
    }
  }
}
