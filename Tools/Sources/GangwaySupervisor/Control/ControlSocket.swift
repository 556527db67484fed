import Dispatch
import FoundationEssentials
import GangwayClient
import GangwayProtocol
import Glibc

/// A socket in the app's state folder, through which other commands of the same user reach the app while it runs.
@MainActor public final class ControlSocket {
  /// The most connections that have not sent a request yet; a new connection replaces the oldest.
  static let maximumConnections = 16
  /// The time limit for sending a request, and for reading the answer.
  nonisolated static let patience: Duration = .seconds(5)

  private let path: String
  private let source: any DispatchSourceRead
  private let connections: ControlConnections

  /// Listens for requests until ``stop()``.
  ///
  /// - Parameters:
  ///   - folder: the folder for the sockets of running apps; created with access for its owner only.
  ///   - app: the app that answers the requests.
  ///   - maximumBacklog: the most unread output of a front end, in bytes.
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  public init(
    folder: String, _ app: any ControlledApp, maximumBacklog: Int = AttachedFrontEnd.maximumBacklog
  ) throws {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Listing the apps removes the sockets that killed apps left behind.
    _ = RunningApps(folder: folder)
    path = "\(folder)/\(getpid()).sock"
    unlink(path)
    guard let descriptor = SocketAddress(path).open(bind), listen(descriptor, 64) == 0 else {
      throw SupervisorFailure(
        "Other commands cannot reach this app: no socket at '\(path)': \(String(cString: strerror(errno))).")
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
      // Without a pause, the system would report the waiting connection again at once.
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

/// The connections of a control socket, which are read on the main queue without a thread of their own.
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
  /// The connections that have not sent a request yet, oldest first.
  private var waiting: [Connection] = []

  init(_ app: any ControlledApp, _ maximumBacklog: Int) { (self.app, self.maximumBacklog) = (app, maximumBacklog) }

  /// Adds a connection.
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

  /// Closes a connection that has not sent a request.
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
          let frontEnd = try app.frontEnd(session, isReadOnly: isReadOnly)
          return await AttachedFrontEnd(connection.descriptor, frontEnd, maximumBacklog: maximumBacklog)
            .run(greeting: .init(isDone: true, text: ""))
        }
        reply = await app.answer(request)
      } catch let failure as SupervisorFailure {
        reply = ControlAnswer(isDone: false, text: "\(failure)")
      } catch {
        reply = ControlAnswer(isDone: false, text: "The request is not valid: \(error)")
      }
      await Self.send(reply, connection.descriptor)
    }
  }

  /// Sends an answer on another thread, because the receiver may not read it.
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
