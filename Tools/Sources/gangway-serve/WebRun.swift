import ArgumentParser
import Dispatch
import FoundationEssentials
import GangwayClient
import GangwayCommand
import GangwaySupervisor
import GangwayWeb
import Glibc

/// A site's sessions are those of a shelf: neither of their modules knows the other.
extension SessionShelf: SessionSource {}
/// The same goes for what counts.
extension PrometheusMetrics: HostCounts {}

/// A server from its start to its end.
@MainActor final class WebRun {
  private let command: Serve
  private let shelf: SessionShelf
  private let site: Site
  private let folder: ServerFolder

  init(_ command: Serve) throws {
    self.command = command
    // Everything that the server and its hosts write is private, whatever the mask was before.
    umask(0o077)
    folder = try ServerFolder(command.stateFolder ?? Locations.state + "/web")
    var supervised = command.app.supervisorOptions
    supervised.stateFile = nil
    var options = Site.Options()
    supervised.counts = options.metrics
    shelf = try SessionShelf(
      supervised, hosts: command.hosts, folder: folder.path + "/sessions", isolatesSessions: command.isolate == .session
    )
    options.name = command.title
    options.names = command.names
    options.language = try command.app.shown.pageLanguage
    options.graph = command.app.search.graph
    options.isOpen = command.anyone
    options.peopleFile = folder.path + "/people.json"
    let notice = try options.limits.fit(
      descriptors: DescriptorLimit.raise(), hosts: command.hosts * (supervised.keepsSpare ? 2 : 1),
      isolatesSessions: command.isolate == .session, memory: MemoryLimit.bytes)
    if let notice { Locations.complain("gangway: \(notice)") }
    site = try Site(shelf, options)
  }

  func run() async throws {
    do {
      try await shelf.start()
    } catch {
      await shelf.stop()
      throw error
    }
    site.didFail = Self.complaints()
    // Before anybody is told that it is there, and ends it.
    let (endings, signals) = Self.endings()
    defer { for signal in signals { signal.cancel() } }
    let server: WebServer
    do {
      server = try await startServer()
    } catch {
      await shelf.stop()
      throw error
    }
    let place = "http://\(command.listen == "0.0.0.0" ? "127.0.0.1" : command.listen):\(server.port)"
    if command.anyone {
      _ = Locations.output("Open \(place)/\n")
    } else {
      site.didEnter = { [site] in
        _ = Locations.output("That address was used. For another browser: \(place)\(site.makeEntrance())\n")
      }
      _ = Locations.output("Open \(place)\(site.makeEntrance())\n")
    }
    let socket = listen()
    var number = SIGTERM
    for await ending in endings {
      number = ending
      break
    }
    socket?.stop()
    await server.stop()
    await shelf.stop()
    throw ExitCode(number == SIGTERM ? 0 : 128 + number)
  }

  /// Says failures: each session has the same one, which is said once a minute.
  private static func complaints() -> (any Error) -> Void {
    var last: (text: String, time: ContinuousClock.Instant)?
    return { failure in
      let text = "\(failure)"
      if let last, last.text == text, .now - last.time < .seconds(60) { return }
      last = (text, .now)
      Locations.complain("gangway: \(text)")
    }
  }

  /// Opens the site on the port that is named, or on that of last time: browsers know it, and send their cookies there alone.
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
      Locations.complain(
        """
        gangway: Another program uses port \(last ?? 0), the port of the last run. This run uses port \(server.port). \
        Browsers are known by their port: those of the last run need a new address, or that port (--port \(last ?? 0)).
        """)
      return server
    }
    // It is kept for next time; where that cannot be, the address is another one then.
    if server.port != last { try? Data("\(server.port)\n".utf8).write(to: URL(filePath: file), options: .atomic) }
    return server
  }

  /// Listens to other commands; a server that cannot be reached serves all the same.
  private func listen() -> ControlSocket? {
    do {
      return try ControlSocket(folder: Locations.sockets, shelf)
    } catch {
      Locations.complain("gangway: \(error)")
      return nil
    }
  }

  /// The signals that ask the process to end, from now on, and what listens to them.
  private static func endings() -> (numbers: AsyncStream<Int32>, signals: [any DispatchSourceSignal]) {
    let (numbers, sender) = AsyncStream.makeStream(of: Int32.self)
    let sources = [SIGTERM, SIGINT, SIGHUP].map { number in
      Glibc.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in sender.yield(number) }
      source.resume()
      return source
    }
    return (numbers, sources)
  }
}
