import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// `gangway logs`: prints the plugins' lines in the host's log.
struct Logs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints a plugin's log; without an id, the whole log of hosts and plugins.",
    discussion: help(
      "Text that a plugin prints without PluginContext.log(_:) appears only in the whole log.",
      examples: [
        "gangway logs todos --follow": "follow new lines",
        "gangway logs": "the whole log",
      ]))

  @Argument(help: ArgumentHelp("The plugin's id, or its file.", valueName: "id|file"), completion: Completion.plugins)
  var name: String?

  @OptionGroup var search: PluginOptions

  @Flag(help: "Follow new lines until Ctrl-C.")
  var follow = false

  func run() async throws {
    let path = Locations.state + "/host.log"
    var id: String?
    if let name { id = try await self.id(of: name, path) }
    guard let file = fopen(path, "re") else {
      Locations.fail(Words.Files.noLog(path, reason: String(cString: strerror(errno))))
      throw ExitCode(1)
    }
    defer { fclose(file) }
    var identity = Self.inode(path)
    var stream = file
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    while true {
      while fgets(&buffer, Int32(buffer.count), stream) != nil {
        let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if id.map({ line.hasPrefix("[\($0)] ") }) ?? true { try Locations.result(line) }
      }
      guard follow else { return }
      clearerr(stream)
      try await Task.sleep(for: .milliseconds(200))
      // A new run may have started a new log.
      guard let now = Self.inode(path), now != identity, let next = freopen(path, "re", stream) else { continue }
      (identity, stream) = (now, next)
    }
  }

  /// Returns the id of a plugin. An unknown name is refused, unless a removed plugin of that id has written to the log.
  @MainActor private func id(of name: String, _ log: String) throws -> String {
    let survey = try search.survey(files: UnknownName.isFile(name) ? [name] : [])
    if let status = survey.status(of: name) { return status.id?.rawValue ?? name }
    let written = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
    if written.split(separator: "\n").contains(where: { $0.hasPrefix("[\(name)] ") }) { return name }
    try UnknownName.refuse(name, survey)
  }

  private static func inode(_ path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }
}
