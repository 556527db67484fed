import ArgumentParser
import FoundationEssentials
import GangwayClient
import GangwayHost
import Glibc

/// `gangway new`: creates a package with a plugin that builds, tests and runs at once.
struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes a package with a plugin, its tests and a README that says how to go on.",
    discussion: help(
      examples: [
        "gangway new Todos": "in a folder of that name here",
        "gangway new Todos --in plugins --gangway ../gangway": "elsewhere, with this checkout of the framework",
      ]))

  @Argument(help: "The plugin's name, such as Todos: that of the package, its library and its folder.")
  var name: String

  @Option(
    help: ArgumentHelp(
      "The framework's package: a folder or a URL. By default that of the checkout this command was built in.",
      valueName: "path|url"))
  var gangway: String?

  @Option(help: ArgumentHelp("Where to make the folder; by default here.", valueName: "dir"), completion: .directory)
  var `in`: String = "."

  func validate() throws {
    let isName =
      name.first.map { ("A"..."Z").contains($0) } == true
      && name.allSatisfy { ("A"..."Z").contains($0) || ("a"..."z").contains($0) || ("0"..."9").contains($0) }
    guard isName else {
      let letters = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
      let better = letters.prefix(1).uppercased() + letters.dropFirst()
      throw ValidationError(
        "A plugin's name begins with a capital letter and has letters and digits only, for it is that of a Swift module; got "
          + "'\(name)'." + (better.first?.isLetter == true ? " Did you mean '\(better)'?" : ""))
    }
    guard !["Gangway", "Plugin", "Swift", "Testing", "Foundation", "Screen", "Registry"].contains(name) else {
      throw ValidationError("'\(name)' is a module or type that the plugin itself needs. Choose another name.")
    }
  }

  func run() throws {
    let folder = "\(`in`)/\(name)"
    guard access(folder, F_OK) != 0 else {
      Locations.complain(
        "gangway: '\(folder)' is there already, and is left as it is. Choose another name, or --in DIR.")
      throw ExitCode(1)
    }
    guard let package = gangway ?? Self.checkout else {
      Locations.complain(
        "gangway: where is the framework's package? This command was not built in a checkout. Name one: --gangway PATH, or "
          + "--gangway URL.")
      throw ExitCode(1)
    }
    let dependency: String
    if package.contains("://") || package.hasPrefix("git@") {
      dependency = ".package(url: \"\(package)\", from: \"\(Host.version)\")"
    } else {
      let path = FilePaths.whole(package)
      guard access(path + "/Package.swift", F_OK) == 0 else {
        Locations.complain("gangway: '\(package)' holds no Package.swift. Name the folder of the framework's checkout.")
        throw ExitCode(1)
      }
      dependency = ".package(name: \"gangway\", path: \"\(path)\")"
    }
    do {
      for (file, text) in PluginTemplate(name: name, dependency: dependency).files {
        let path = "\(folder)/\(file)"
        let parent = path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
        try FileManager.default.createDirectory(atPath: String(parent), withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
      }
    } catch {
      Locations.complain("gangway: '\(folder)' cannot be written: \(error)")
      throw ExitCode(1)
    }
    try Locations.result(folder + "\n")
    Locations.complain(
      "Made '\(folder)'. Go on as its README.md says:\n\n    cd \(folder)\n    swift test\n    gangway dev .")
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
