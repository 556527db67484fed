import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import GangwayHost
import Glibc

/// `gangway logs`: prints the plugins' lines in the host's log.
struct Logs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints a plugin's log; without an id, the whole log of hosts and plugins.",
    discussion: help(
      "Text that a plugin prints without its context appears only in the whole log.",
      examples: [
        "gangway logs todos --follow": "follow new lines",
        "gangway logs": "the whole log",
      ]))

  @Argument(help: "The plugin's id.", completion: Completion.ids)
  var id: String?

  @OptionGroup var search: PluginOptions

  @Flag(help: "Follow new lines until Ctrl-C.")
  var follow = false

  func run() async throws {
    let path = Locations.state + "/host.log"
    if let id { try await check(id, path) }
    guard let file = fopen(path, "re") else {
      Locations.complain("gangway: \(Words.Files.noLog(path, reason: String(cString: strerror(errno))))")
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

  /// Refuses an unknown id, unless a removed plugin of that id has written to the log.
  @MainActor private func check(_ id: String, _ log: String) throws {
    let survey = search.survey()
    guard survey.status(of: id) == nil else { return }
    let written = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
    if written.split(separator: "\n").contains(where: { $0.hasPrefix("[\(id)] ") }) { return }
    try UnknownName.refuse(id, survey)
  }

  private static func inode(_ path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }
}
