import Dispatch
import FoundationEssentials
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A process that runs plugins: the entry point of `gangway-host` and of an app's own host.
public enum Host {
  /// The version of the framework.
  @_spi(FrontEnd) public static let version = "0.1.0"

  /// Runs a host with the options of its command line, and ends the process.
  ///
  /// - Parameters:
  ///   - arguments: the command line, with the program's name first.
  ///   - builtIn: plugins in the executable itself. They are available from the start, before plugins in files.
  ///   - root: makes a session's root coordinator from the registered contributions; by default from their tabs.
  public static func run(
    arguments: [String] = CommandLine.arguments, builtIn: [any Plugin.Type] = [],
    root: @escaping @MainActor (Registry) throws -> any Coordinator = { RootCoordinator($0) }
  ) -> Never {
    ProcessIO.ensureStandardDescriptors()
    var options: HostOptions
    do {
      options = try HostOptions(Array(arguments.dropFirst()))
      options.builtIn = builtIn
      try options.checkFolders()
    } catch let missing as HostOptions.MissingFolder {
      Console.complain("gangway-host: \(missing)")
      exit(66)
    } catch {
      Console.complain("gangway-host: \(error)\n\n\(HostOptions.usage)")
      exit(64)
    }
    // Watch or join the control group before anything else is started or loaded.
    if case .watch(let marker) = options.mode { exit(OrphanWatch.run(marker, options.controlGroup)) }
    if let group = options.controlGroup, let reason = group.join() {
      Console.complain(
        "gangway-host: the host could not join the control group '\(group.folder)' (\(reason)). If a feature starts a "
          + "process without environment variables, that process may go on after the app ends.")
    }
    Task { @MainActor [options] in
      end(await run(options, root))
    }
    dispatchMain()
  }

  /// Ends the process.
  ///
  /// `exit` takes the lock of the system's loader to run the libraries' termination functions. A library that is
  /// opening holds this lock, and may never return. In this case, the process ends without the functions. If a plugin
  /// opens a library that the host does not know, the process ends after a second.
  static func end(_ status: Int32) -> Never {
    guard !LibraryOpening.isAnyUnderway else { _exit(status) }
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + 1) { _exit(status) }
    exit(status)
  }

  @MainActor private static func run(
    _ options: HostOptions, _ root: @escaping @MainActor (Registry) throws -> any Coordinator
  ) async -> Int32 {
    if options.launch.waitsForDebugger, case .alone = options.mode { await Debugger.waitForOne() }
    options.launch.limits.apply()
    switch options.mode {
    case .help:
      Console.write(HostOptions.usage + "\n")
      return 0
    case .version:
      Console.write("gangway-host \(version), protocol \(ProtocolVersion.current)\n")
      return 0
    case .probe(let files): return Probe.run(files, Console.takeOver())
    case .validate(let file): return await PluginValidation.run(file, options, Console.takeOver())
    case .fit: return await fit(options, Console.takeOver())
    case .serve: return await ServedHost.run(options, root)
    // Handled before.
    case .watch: return 0
    case .alone: return await runAlone(options, root)
    }
  }

  /// Loads all plugins, in a process that may crash, and prints their conflicts.
  @MainActor private static func fit(_ options: HostOptions, _ console: Console) async -> Int32 {
    let catalog = PluginCatalog(options)
    do {
      try await catalog.prepare()
    } catch {
      Console.complain("gangway-host: \(error)")
      return 1
    }
    for member in catalog.accepted { _ = await catalog.registry.load(member.id) }
    for problem in catalog.registry.misfits {
      if let line = try? Line.encode(problem) { _ = console.write(line) }
    }
    return 0
  }

  @MainActor private static func runAlone(
    _ options: HostOptions, _ root: @escaping @MainActor (Registry) throws -> any Coordinator
  ) async -> Int32 {
    let console = Console.takeOver()
    let catalog = PluginCatalog(options)
    let usual = "gangway-host: a plugin crashed the host. `gangway run` restores the screen after a crash.\n"
    catalog.willLoad = { file in
      CrashSignal.setMessage(
        "gangway-host: the host crashed while loading '\(file)'. Start with --without '\(file)', or use `gangway run`, "
          + "which continues without the plugin.\n")
    }
    catalog.didChange = { _ in CrashSignal.setMessage(usual) }
    do {
      CrashSignal.install { usual }
      try await catalog.prepare()
      await catalog.loadEarly()
    } catch {
      Console.complain("gangway-host: \(error)")
      return 1
    }
    for warning in catalog.warnings { Console.complain("gangway-host: \(warning)") }
    let session = Session(registry: catalog.registry, folders: Folders.standard, root: root)
    let lines: AsyncStream<String>
    do {
      lines = try LineReader.lines(of: options.script)
    } catch {
      Console.complain("gangway-host: \(error)")
      return 66
    }
    do {
      let connection = try await LocalConnection(session)
      var opened: [Update.Notice] = []
      if let url = options.open { opened = try await connection.send(.open(url)).notices }
      // A feature's failure at the start fails a script, as it would at a later command.
      let broken = connection.notices.filter { $0.kind == .failure }
      let failures = options.script == nil ? [] : broken
      for notice in (options.script == nil ? broken : []) + opened { Console.complain(notice.text) }
      let isRefused = opened.contains { $0.kind == .refusal }
      // The link counts as the first command of a script.
      if isRefused, options.script != nil { return 1 }
      let frontEnd = PlainFrontEnd(
        connection, isScript: options.script != nil, write: { console.write($0) }, complain: { Console.complain($0) })
      let code = await frontEnd.run(lines, after: failures, isLinkOpen: options.open != nil)
      return code == 0 && isRefused ? 1 : code
    } catch {
      Console.complain("gangway-host: \(error)")
      return 1
    }
  }
}

/// The entry point that the launcher `gangway-host` calls.
@c(gangway_host_main) package func gangwayHostMain() { Host.run() }

/// The folders of plugin files, by the XDG base directory specification.
enum Folders {
  static var standard: PluginFolders {
    PluginFolders(
      data: folder("XDG_DATA_HOME", ".local/share"), cache: folder("XDG_CACHE_HOME", ".cache"),
      log: { Console.complain($0) })
  }

  /// The folder for data that the host can find out again.
  static var cache: String { folder("XDG_CACHE_HOME", ".cache").path }

  /// The folder of installed plugins: the user's libraries, as in file-hierarchy(7).
  static var plugins: String {
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    return (home.hasPrefix("/") ? home : "/var/empty") + "/.local/lib/gangway/plugins"
  }

  /// The folder of plugins' data.
  static var data: String { folder("XDG_DATA_HOME", ".local/share").path }

  private static func folder(_ variable: String, _ fallback: String) -> URL {
    if let path = getenv(variable).map({ String(cString: $0) }), path.hasPrefix("/") {
      return URL(filePath: path).appending(path: "gangway")
    }
    let home = getenv("HOME").map { String(cString: $0) } ?? "/tmp"
    return URL(filePath: home).appending(path: fallback).appending(path: "gangway")
  }
}
