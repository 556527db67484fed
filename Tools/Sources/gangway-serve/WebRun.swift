import ArgumentParser
import Dispatch
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
import GangwayCommand
@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import GangwayWeb
import Glibc

/// Lets a site use these sessions, although neither module knows the other.
extension UserSessions: SessionSource {}
/// Lets the metrics count hosts, although neither module knows the other.
extension PrometheusMetrics: HostCounts {}

/// A run of a web server from start to end.
@MainActor final class WebRun {
  private let command: Serve
  private let userSessions: UserSessions
  private let site: Site
  private let folder: ServerFolder

  init(_ command: Serve) throws {
    self.command = command
    // All files of the server and its hosts are private, regardless of the previous mask.
    umask(0o077)
    folder = try ServerFolder(command.stateFolder ?? Locations.state + "/web")
    var supervised = command.app.supervisorOptions
    supervised.stateFile = nil
    let ownerOnly = try command.ownerOnly()
    var options = Site.Options()
    supervised.counts = options.metrics
    userSessions = try UserSessions(
      supervised, hosts: command.hosts, folder: folder.path + "/sessions",
      isolatesSessions: command.isolate == .session,
      ownerOnly: ownerOnly)
    options.name = command.title
    options.brand = try command.brand.look
    options.names = command.names
    options.language = try command.app.shown.pageLanguage
    options.graph = command.app.search.graph
    options.isOpen = command.anyone
    options.limits.files.upload = command.maximumUpload * 1_000_000
    options.peopleFile = folder.path + "/people.json"
    let notice = try options.limits.fit(
      descriptors: DescriptorLimit.raise(),
      hosts: (command.hosts + (ownerOnly.isEmpty ? 0 : 1)) * (supervised.keepsSpare ? 2 : 1),
      isolatesSessions: command.isolate == .session, memory: MemoryLimit.bytes)
    if let notice { Locations.note(notice) }
    site = try Site(userSessions, options)
  }

  /// Whether the printed address is the owner's.
  private var isForOwner: Bool { !command.anyone && (command.ownerAddress || !site.hasOwner) }

  func run() async throws {
    do {
      try await userSessions.start(isForOwner: isForOwner)
    } catch {
      await userSessions.stop()
      throw error
    }
    let complain = Self.complaints()
    site.didFail = complain
    userSessions.didFailToStore = complain
    // Handle signals before the address is printed, because a script may read it and end the process at once.
    let (endings, signals) = TerminationSignals.stream()
    defer { for signal in signals { signal.cancel() } }
    let server: WebServer
    do {
      server = try await startServer()
    } catch {
      await userSessions.stop()
      throw error
    }
    let place = "http://\(command.listen == "0.0.0.0" ? "127.0.0.1" : command.listen):\(server.port)"
    if command.anyone {
      _ = Locations.output(Words.open("\(place)/") + "\n")
      if command.ownerAddress {
        _ = Locations.output(Words.ownerAddress("\(place)\(site.makeEntrance(isOwners: true))") + "\n")
      }
    } else {
      site.didEnter = { [site] in
        _ = Locations.output(Words.addressForUser("\(place)\(site.makeEntrance())") + "\n")
      }
      _ = Locations.output(Words.open("\(place)\(site.makeEntrance(isOwners: isForOwner))") + "\n")
    }
    let socket = listen()
    var number = SIGTERM
    for await ending in endings {
      number = ending
      break
    }
    socket?.stop()
    await server.stop()
    await userSessions.stop()
    throw ExitCode(number == SIGTERM ? 0 : 128 + number)
  }

  /// Returns a function that prints failures.
  ///
  /// Every session reports the same failure, which is printed at most once a minute.
  private static func complaints() -> (any Error) -> Void {
    var last: (text: String, time: ContinuousClock.Instant)?
    return { failure in
      let text = "\(failure)"
      if let last, last.text == text, .now - last.time < .seconds(60) { return }
      last = (text, .now)
      Locations.fail(text)
    }
  }

  /// Opens the site on the named port, or on the previous one.
  ///
  /// Browsers know the port and send their cookies only to it.
  private func startServer() async throws -> WebServer {
    let file = folder.path + "/port"
    let last = FileManager.default.contents(atPath: file)
      .flatMap { Int(String(decoding: $0, as: UTF8.self).prefix { $0 != "\n" }) }
      .flatMap { (1...65_535).contains($0) ? $0 : nil }
    let server: WebServer
    do {
      server = try await WebServer.start(site, host: command.listen, port: command.port ?? last ?? 0)
    } catch  where command.port == nil && last != nil {
      server = try await WebServer.start(site, host: command.listen, port: 0)
      Locations.note(Words.portInUse(last ?? 0, new: server.port))
      return server
    }
    // The port is stored for the next run; if that fails, the next run has another address.
    if server.port != last { try? Data("\(server.port)\n".utf8).write(to: URL(filePath: file), options: .atomic) }
    return server
  }

  /// Listens for other commands; the server also runs if they cannot reach it.
  private func listen() -> ControlSocket? {
    do {
      return try ControlSocket(folder: Locations.sockets, userSessions)
    } catch {
      Locations.fail(error)
      return nil
    }
  }
}
