import ArgumentParser
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

/// `gangway sessions`: lists and restores sessions from which a host removed everything that was open.
struct Sessions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists and restores backups of sessions that suddenly lost all their screens.",
    discussion: help(
      "The app deletes these backups at its next start.",
      examples: [
        "gangway sessions": "the backups",
        "gangway sessions restore": "restore the only backup; close the app first",
      ]),
    subcommands: [ListKept.self, RestoreKept.self], defaultSubcommand: ListKept.self)
}

/// The locations of stored sessions.
struct SessionPlaces: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The session file of `gangway run`; by default the one under XDG_STATE_HOME.", valueName: "file"),
    completion: .file())
  var state: String?

  @Option(
    name: .customLong("state-dir"),
    help: ArgumentHelp("The folder of `gangway serve`; by default the one under XDG_STATE_HOME.", valueName: "dir"),
    completion: .directory)
  var stateFolder: String?

  /// The copies at these locations.
  var kept: [KeptSession] {
    KeptSession.all(
      file: state ?? Locations.state + "/session.json", folder: (stateFolder ?? Locations.state + "/web") + "/sessions")
  }
}

/// `gangway sessions list`: lists the kept copies.
struct ListKept: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the backups.")

  @OptionGroup var places: SessionPlaces

  @Flag(help: "Print JSON.")
  var json = false

  /// A backup, as `--json` prints it.
  private struct Row: Encodable {
    /// The file of the session, and the file of its backup.
    let file, backup: String
    /// The time of the backup, as an ISO 8601 time.
    let time: String
    /// The number of screens; nil if the backup cannot be read.
    let screens: Int?

    init(_ session: KeptSession) {
      (file, backup, screens) = (session.path, session.copy, session.screens)
      time = Date(timeIntervalSince1970: Double(session.time)).formatted(.iso8601)
    }
  }

  private struct Listing: Encodable {
    let format = 1
    let backups: [Row]
  }

  func run() throws {
    let kept = places.kept
    if json {
      let listing = Listing(backups: kept.map(Row.init))
      return try Locations.result(String(decoding: try Line.encode(listing), as: UTF8.self))
    }
    guard !kept.isEmpty else { return Locations.complain(Words.Sessions.noneToList) }
    let rows = kept.map { session in
      [
        Date(timeIntervalSince1970: Double(session.time)).formatted(.iso8601),
        session.screens.map(Words.Sessions.screens) ?? Words.Sessions.unreadable, session.path,
      ]
    }
    for line in StyledText.columns(rows) { try Locations.result(line + "\n") }
  }
}

/// `gangway sessions restore`: restores a session from its copy.
struct RestoreKept: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restores a session from its backup.",
    discussion: help(
      "The current state of the session is set aside, not deleted.",
      examples: ["gangway sessions restore": "restore the only backup"]))

  @Argument(help: "The session's file, if there are several backups.", completion: .file())
  var file: String?

  @OptionGroup var places: SessionPlaces

  func run() throws {
    let kept = places.kept
    let found = file.map { file in kept.filter { $0.path == file || $0.copy == file } } ?? kept
    guard let session = found.first else {
      Locations.fail(file.map(Words.Sessions.noCopy) ?? Words.Sessions.noneToRestore)
      throw ExitCode(1)
    }
    guard found.count == 1 else {
      Locations.fail(Words.Sessions.several(found.map(\.path)))
      throw ExitCode.validationFailure
    }
    do {
      let former = try session.restore()
      Locations.complain(Words.Sessions.restored(session.path, former: former))
    } catch {
      Locations.fail(error)
      throw ExitCode(1)
    }
  }
}
