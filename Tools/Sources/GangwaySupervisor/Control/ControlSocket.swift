import Dispatch
import FoundationEssentials
import GangwayClient
import GangwayProtocol
import Glibc

/// A socket in the folder of the app's state, by which other commands of the same user reach it while it runs.
@MainActor public final class ControlSocket {
  /// How many connections there may be that have not asked yet: the oldest gives way to a new one.
  static let maximumConnections = 16
  /// How long one may take to ask, and to take the answer.
  nonisolated static let patience: Duration = .seconds(5)

  private let path: String
  private let source: any DispatchSourceRead
  private let connections: ControlConnections

  /// Listens for requests until it is stopped.
  ///
  /// - Parameters:
  ///   - folder: where sockets of running apps are; made readable by its owner alone.
  ///   - app: what is reached.
  ///   - maximumBacklog: how many bytes may wait for a front end to read them.
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  public init(
    folder: String, _ app: any ControlledApp, maximumBacklog: Int = AttachedFrontEnd.maximumBacklog
  ) throws {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // What apps have left that were killed.
    _ = RunningApps(folder: folder)
    path = "\(folder)/\(getpid()).sock"
    unlink(path)
    guard let descriptor = SocketAddress(path).open(bind), listen(descriptor, 64) == 0 else {
      throw SupervisorFailure(
        "The app cannot be reached by `gangway reload`: no socket at '\(path)': \(String(cString: strerror(errno))).")
    }
    let connections = ControlConnections(app, maximumBacklog)
    self.connections = connections
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.accept(from: descriptor) }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  private func accept(from descriptor: Int32) {
    let client = Glibc.accept(descriptor, nil, nil)
    guard client >= 0 else {
      guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return }
      // The connection that cannot be accepted would be reported again at once.
      source.suspend()
      Task {
        try? await Task.sleep(for: .milliseconds(500))
        source.resume()
      }
      return
    }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    connections.take(client)
  }

  /// Stops listening.
  public func stop() {
    source.cancel()
    unlink(path)
  }
}

/// The connections of a control socket. None has a thread: what comes is taken as it comes.
@MainActor private final class ControlConnections {
  private final class Connection {
    let descriptor: Int32
    let source: any DispatchSourceRead
    var splitter = LineSplitter(limit: 1 << 16)
    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    }
  }

  private let app: any ControlledApp
  private let maximumBacklog: Int
  /// Those that have not asked yet, the oldest first.
  private var waiting: [Connection] = []

  init(_ app: any ControlledApp, _ maximumBacklog: Int) { (self.app, self.maximumBacklog) = (app, maximumBacklog) }

  /// Takes a connection in.
  func take(_ descriptor: Int32) {
    if waiting.count >= ControlSocket.maximumConnections, let oldest = waiting.first { drop(oldest) }
    let connection = Connection(descriptor)
    waiting.append(connection)
    connection.source.setEventHandler { [weak self, weak connection] in
      MainActor.assumeIsolated {
        if let connection { self?.read(connection) }
      }
    }
    connection.source.setCancelHandler {}
    connection.source.resume()
    Task { [weak self, weak connection] in
      try? await Task.sleep(for: ControlSocket.patience)
      if let connection { self?.drop(connection) }
    }
  }

  /// Forgets one that has not asked.
  private func drop(_ connection: Connection) {
    guard release(connection) else { return }
    close(connection.descriptor)
  }

  private func release(_ connection: Connection) -> Bool {
    guard let index = waiting.firstIndex(where: { $0 === connection }) else { return false }
    waiting.remove(at: index)
    connection.source.cancel()
    return true
  }

  private func read(_ connection: Connection) {
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    let count = recv(connection.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return drop(connection) }
    guard let piece = connection.splitter.append(buffer[..<count]).first else { return }
    guard case .line(let bytes) = piece, release(connection) else { return drop(connection) }
    Task {
      let reply: ControlAnswer
      do {
        let request = try Line.decode(ControlRequest.self, from: bytes)
        if case .attach(let session, let isReadOnly) = request {
          let seat = try app.seat(session, isReadOnly: isReadOnly)
          return await AttachedFrontEnd(connection.descriptor, seat, maximumBacklog: maximumBacklog)
            .run(greeting: .init(isDone: true, text: ""))
        }
        reply = await app.answer(request)
      } catch let failure as SupervisorFailure {
        reply = ControlAnswer(isDone: false, text: "\(failure)")
      } catch {
        reply = ControlAnswer(isDone: false, text: "The request is none: \(error)")
      }
      await Self.send(reply, connection.descriptor)
    }
  }

  /// Sends an answer, on another thread: whoever asked may not take it.
  private static func send(_ reply: ControlAnswer, _ descriptor: Int32) async {
    await Task.detached {
      var limit = timeval(tv_sec: Int(ControlSocket.patience / .seconds(1)), tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      if let line = try? Line.encode(reply) {
        var rest = line[...]
        while !rest.isEmpty {
          let sent = rest.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
          guard sent > 0 else { break }
          rest = rest.dropFirst(sent)
        }
      }
      close(descriptor)
    }.value
  }
}
