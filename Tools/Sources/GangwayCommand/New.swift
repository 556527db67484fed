import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// `gangway new`: creates a package with a plugin that builds, tests and runs at once.
struct New: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Creates a package with a plugin, its tests and a README.",
    discussion: help(
      examples: [
        "gangway new Todos": "in the folder ./Todos",
        "gangway new Todos --minimal": "without a data file",
        "gangway new Todos --in plugins --gangway ../gangway": "in another folder, with this checkout of the framework",
      ]))

  @Argument(help: "The name of the package, its library and its folder, such as Todos.")
  var name: String

  @Option(
    help: ArgumentHelp(
      "The framework's package: a folder or URL. By default, the SDK that is installed with this command, or the "
        + "checkout in which the command was built.",
      valueName: "path|url"))
  var gangway: String?

  @Option(
    help: ArgumentHelp("The parent of the new folder; by default the current folder.", valueName: "dir"),
    completion: .directory)
  var `in`: String = "."

  @Flag(help: "Create a plugin without a data file: a list, a detail screen and their tests.")
  var minimal = false

  func validate() throws {
    let isName =
      name.first.map { ("A"..."Z").contains($0) } == true
      && name.allSatisfy { ("A"..."Z").contains($0) || ("a"..."z").contains($0) || ("0"..."9").contains($0) }
    guard isName else {
      let letters = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
      let better = letters.prefix(1).uppercased() + letters.dropFirst()
      throw ValidationError(
        Words.NewPackage.notAModuleName(name, better: better.first?.isLetter == true ? better : nil))
    }
    guard !["Gangway", "Plugin", "Swift", "Testing", "Foundation", "Screen", "Registry"].contains(name) else {
      throw ValidationError(Words.NewPackage.reservedName(name))
    }
  }

  func run() async throws {
    let folder = "\(`in`)/\(name)"
    guard access(folder, F_OK) != 0 else {
      Locations.fail(Words.NewPackage.exists(folder))
      throw ExitCode(1)
    }
    let framework = try await framework()
    do {
      for (file, text) in PluginTemplate(name: name, framework: framework, isMinimal: minimal).files {
        let path = "\(folder)/\(file)"
        let parent = path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
        try FileManager.default.createDirectory(atPath: String(parent), withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
      }
    } catch {
      Locations.fail(Words.NewPackage.unwritable(folder, reason: error.reason))
      throw ExitCode(1)
    }
    try Locations.result(folder + "\n")
    Locations.complain(Words.NewPackage.created(folder))
  }

  /// Returns where the new package gets the framework from.
  ///
  /// - Throws: the exit code, after a message, if there is no framework.
  private func framework() async throws -> PluginTemplate.Framework {
    if gangway == nil, let sdk = SDK.own {
      if let fault = await fault(of: sdk) {
        Locations.fail(fault)
        throw ExitCode(1)
      }
      return .sdk
    }
    guard let package = gangway ?? Self.checkout else {
      Locations.fail(Words.NewPackage.noFramework)
      throw ExitCode(1)
    }
    if package.contains("://") || package.hasPrefix("git@") {
      return .package(".package(url: \"\(package)\", from: \"\(Host.version)\")")
    }
    let path = FilePaths.whole(package)
    guard access(path + "/Package.swift", F_OK) == 0 else {
      Locations.fail(Words.NewPackage.notAPackage(package))
      throw ExitCode(1)
    }
    return .package(".package(name: \"gangway\", path: \"\(path)\")")
  }

  /// Returns why an SDK cannot be used; nil if it can. Without a compiler, only the files are checked.
  private func fault(of sdk: SDK) async -> String? {
    if let missing = sdk.missing { return Words.NewPackage.incompleteSDK(sdk.folder, missing: missing) }
    do {
      // The compiler reads modules of the very same version only.
      let wanted = try sdk.compiler
      guard let found = await Toolchain.version(), found != wanted else { return nil }
      return Words.NewPackage.otherCompiler(sdk.folder, wanted: wanted, found: found)
    } catch {
      return Words.NewPackage.unreadableSDK(sdk.folder, reason: "\(error)")
    }
  }

  /// The checkout that this command was built in.
  static var checkout: String? {
    var folder = ProcessIO.executableFolder
    while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      if access(folder + "/Package.swift", F_OK) == 0, access(folder + "/Sources/Gangway", F_OK) == 0 { return folder }
    }
    return nil
  }
}
