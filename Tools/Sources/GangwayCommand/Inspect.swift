import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

/// `gangway inspect`: shows the metadata of a plugin's file and its state.
struct Inspect: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the facts about a plugin's file without loading it.",
    discussion: help(
      "Exit 1 if the file is refused.",
      examples: [
        "gangway inspect todos": "the installed plugin 'todos'",
        "gangway inspect ./libTodos.so --json": "a file, as JSON for scripts",
      ]))

  @Argument(help: ArgumentHelp("The plugin's id, or its file.", valueName: "id|file"), completion: Completion.plugins)
  var name: String

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var search: PluginOptions

  private struct Answer: Codable {
    var format = 1
    var status: HostMessage.PluginStatus
    var library: LibraryFacts?
    var manifest: PluginManifest?
  }

  @MainActor func run() async throws {
    let survey = try search.survey(files: UnknownName.isFile(name) ? [name] : [])
    guard let status = survey.status(of: name) else { try UnknownName.refuse(name, survey) }
    let answer = Answer(
      status: status, library: try? LibraryFacts(file: status.file), manifest: survey.manifests[status.file])
    if json {
      try Locations.result(String(decoding: try Line.encode(answer), as: UTF8.self))
    } else {
      try Locations.result(Self.lines(answer).joined(separator: "\n") + "\n")
    }
    if status.refusal != nil { throw ExitCode(1) }
  }

  private static func lines(_ answer: Answer) -> [String] {
    var lines = Why.lines(answer.status, Words.State.installed)
    if let library = answer.library {
      lines.append(Words.Facts.size(bytes: library.size, symbols: library.symbols, entries: library.entries))
      lines.append(Words.Facts.needed(library.needed))
      lines.append(Words.Facts.built(library.markers, host: library.ownMarkers))
    }
    guard let manifest = answer.manifest else { return lines }
    lines += manifest.lines.map(Words.Facts.content)
    lines += manifest.dependencies.map { dependency in
      let minimum = dependency.minimum.map { "\($0)" }
      return Words.Facts.dependency(dependency.plugin, minimum: minimum, isOptional: dependency.isOptional)
    }
    lines += manifest.records(of: .use).map { Words.Facts.use("\($0.id)\($0[.operation].map { ".\($0)" } ?? "")") }
    return lines
  }
}
