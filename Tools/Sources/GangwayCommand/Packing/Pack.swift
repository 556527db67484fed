import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Subprocess
import SystemPackage

/// `gangway pack`: makes an archive of a plugin, to install elsewhere.
struct Pack: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Builds a plugin for release, checks it, and packs it into one file.",
    discussion: help(
      """
      The file contains the library without symbols for debugging, its id, version and digest, the license of the \
      package, and with --key a signature.
      """,
      examples: [
        "gangway pack": "the package in this folder",
        "gangway pack Todos --output dist --key release.key": "another package, into a folder, signed",
        "gangway pack Todos -- -Xswiftc -Osize": "built with more options of `swift build`",
      ]))

  @Argument(help: ArgumentHelp("The folder of the plugin's package.", valueName: "folder"), completion: .directory)
  var path = "."

  @Option(help: ArgumentHelp("The folder of the archive.", valueName: "dir"), completion: .directory)
  var output = "."

  @Option(help: ArgumentHelp("Sign the library with this key.", valueName: "file"), completion: .file())
  var key: String?

  @Option(
    help: ArgumentHelp("The build folder; by default .build in the package.", valueName: "dir"),
    completion: .directory)
  var scratchPath: String?

  @Flag(name: .customLong("without-validation"), help: "Skip `gangway validate`.")
  var withoutValidation = false

  @OptionGroup var search: PluginOptions

  @Argument(
    parsing: .postTerminator, help: ArgumentHelp("More options of `swift build`, after --.", valueName: "build-option"))
  var buildOptions: [String] = []

  func validate() throws {
    try Mistake.check(folder: output, of: "--output")
    if let key { try Mistake.check(file: key, of: "--key") }
    guard access(path + "/Package.swift", F_OK) == 0 else {
      let words = access(path, F_OK) == 0 ? Words.Development.noPackage : Words.Development.noFolder
      throw Mistake.noInput(words(path)).refused()
    }
  }

  @MainActor func run() async throws {
    let package = PluginPackage(
      path: path, scratchPath: scratchPath ?? path + "/.build", isRelease: true, buildOptions: buildOptions)
    let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "/gangway-pack-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let built = try await package.library()
      let progress = BuildProgress(package.name)
      do {
        defer { progress.end() }
        try await package.build { progress.show($0) }
      }
      let library = try package.install(built, in: folder)
      try await strip(library)
      try await check(library)
      let archive = try await pack(package.name, library, folder)
      try Locations.result(Words.Packing.packed(archive, size: try size(of: archive)) + "\n")
    } catch let failure as PluginPackage.Failure {
      throw Install.failed(failure)
    } catch let failure as PluginArchive.Failure {
      throw Install.failed(failure)
    } catch let refusal as Refusal {
      throw Install.failed(refusal)
    }
  }

  /// Removes the symbols for debugging, which are most of a library.
  private func strip(_ library: String) async throws {
    let result = try? await Subprocess.run(
      .name("strip"), arguments: ["--strip-debug", library], output: .discarded, error: .discarded)
    if result?.terminationStatus.isSuccess != true { Locations.note(Words.Packing.notStripped) }
  }

  /// Runs `gangway validate`, which prints its findings.
  ///
  /// - Throws: the exit code of the check, if it has findings.
  private func check(_ library: String) async throws {
    guard !withoutValidation else { return }
    let result = try await Subprocess.run(
      .path(FilePath(ProcessIO.executable)), arguments: Arguments(["validate", library] + search.arguments),
      output: .fileDescriptor(.standardError, closeAfterSpawningProcess: false),
      error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
    guard case .exited(let code) = result.terminationStatus, code == 0 else { throw ExitCode(1) }
  }

  @MainActor private func pack(_ package: String, _ library: String, _ folder: String) async throws -> String {
    let survey = PluginSurvey(search.launch, files: [library], host: search.executable)
    let status = survey.status(of: library)
    guard survey.manifests[library] != nil, let id = status?.id, let version = status?.version else {
      throw PluginArchive.Failure(
        description: Words.Packing.notPacked(package, reason: status?.refusal ?? "no reason given"))
    }
    let name = library.split(separator: "/").last.map(String.init) ?? library
    var files = [name: try PluginLock.digest(of: library)]
    func add(_ name: String) throws(Refusal) { files[name] = try PluginLock.digest(of: "\(folder)/\(name)") }
    for license in PluginArchive.licenses {
      // The content, also of a file that a link names.
      guard let text = try? Data(contentsOf: URL(filePath: "\(path)/\(license)")) else { continue }
      try text.write(to: URL(filePath: "\(folder)/\(license)"))
      try add(license)
    }
    if let key {
      _ = try PluginSigning.sign(library, key: key, time: time(nil))
      try add(name + PluginArchive.signatureSuffix)
    }
    let facts = PluginArchive.Facts(
      id: id, version: try self.version(version), architecture: PluginArchive.architecture,
      library: name, files: files)
    var title = name.dropLast(3)
    if title.hasPrefix("lib") { title = title.dropFirst(3) }
    let archive = "\(output)/\(title)-\(version)-linux-\(facts.architecture)\(PluginArchive.suffix)"
    try await PluginArchive.write(facts, from: folder, to: archive)
    return archive
  }

  private func version(_ text: String) throws -> PluginVersion {
    do {
      return try JSONDecoder().decode(PluginVersion.self, from: Data(Line.encode(text)))
    } catch {
      throw PluginArchive.Failure(description: Words.Packing.badVersion(text))
    }
  }

  private func size(of file: String) throws -> Int {
    var status = stat()
    return stat(file, &status) == 0 ? Int(status.st_size) : 0
  }
}
