import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
import Glibc

/// `gangway new`: creates a package with a plugin that builds, tests and runs at once.
struct New: ParsableCommand {
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
      "The framework's package: a folder or URL. By default, the checkout in which this command was built.",
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

  func run() throws {
    let folder = "\(`in`)/\(name)"
    guard access(folder, F_OK) != 0 else {
      Locations.fail(Words.NewPackage.exists(folder))
      throw ExitCode(1)
    }
    guard let package = gangway ?? Self.checkout else {
      Locations.fail(Words.NewPackage.noFramework)
      throw ExitCode(1)
    }
    let dependency: String
    if package.contains("://") || package.hasPrefix("git@") {
      dependency = ".package(url: \"\(package)\", from: \"\(Host.version)\")"
    } else {
      let path = FilePaths.whole(package)
      guard access(path + "/Package.swift", F_OK) == 0 else {
        Locations.fail(Words.NewPackage.notAPackage(package))
        throw ExitCode(1)
      }
      dependency = ".package(name: \"gangway\", path: \"\(path)\")"
    }
    do {
      for (file, text) in PluginTemplate(name: name, dependency: dependency, isMinimal: minimal).files {
        let path = "\(folder)/\(file)"
        let parent = path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
        try FileManager.default.createDirectory(atPath: String(parent), withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
      }
    } catch {
      Locations.fail(Words.NewPackage.unwritable(folder, reason: "\(error)"))
      throw ExitCode(1)
    }
    try Locations.result(folder + "\n")
    Locations.complain(Words.NewPackage.created(folder))
  }

  /// The checkout that this command was built or installed from.
  static var checkout: String? {
    // An installation contains a note with the path of its checkout.
    if let note = try? String(contentsOfFile: ProcessIO.executableFolder + "/checkout", encoding: .utf8) {
      return note.split(separator: "\n").first.map(String.init)
    }
    var folder = ProcessIO.executableFolder
    while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      if access(folder + "/Package.swift", F_OK) == 0, access(folder + "/Sources/Gangway", F_OK) == 0 { return folder }
    }
    return nil
  }
}
