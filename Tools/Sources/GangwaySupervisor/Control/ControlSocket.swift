import Dispatch
import FoundationEssentials
import GangwayClient
import GangwayProtocol
import Glibc

/// What a command asks of a running app, a JSON object a line.
public enum ControlRequest: Codable, Sendable {
  /// How far the plugins have come.
  case status
  /// Replaces a plugin by its present file.
  case reload(plugin: String)
}

/// What a running app answers.
public struct ControlAnswer: Codable, Sendable {
  /// Whether it was done.
  public var isDone: Bool
  /// What to tell the person.
  public var text: String
  /// The plugins, where they were asked for.
  public var plugins: [HostMessage.PluginStatus]

  /// Makes an answer.
  public init(isDone: Bool, text: String, plugins: [HostMessage.PluginStatus] = []) {
    self.isDone = isDone
    self.text = text
    self.plugins = plugins
  }
}

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
  ///   - answer: answers a request.
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  public init(folder: String, answer: @escaping @MainActor (ControlRequest) async -> ControlAnswer) throws {
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
    let connections = ControlConnections(answer)
    self.connections = connections
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      let client = accept(descriptor, nil, nil)
      guard client >= 0 else { return }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      Task { @MainActor in connections.take(client) }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
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

  private let answer: @MainActor (ControlRequest) async -> ControlAnswer
  /// Those that have not asked yet, the oldest first.
  private var waiting: [Connection] = []

  init(_ answer: @escaping @MainActor (ControlRequest) async -> ControlAnswer) { self.answer = answer }

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
        reply = await answer(try Line.decode(ControlRequest.self, from: bytes))
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

/// The apps of this user that run now.
public struct RunningApps: Sendable {
  /// An app that runs.
  public struct App: Sendable {
    /// The process of its supervisor.
    public let process: Int32
    fileprivate let path: String

    /// How long an app may take to answer a request: to do something it takes as long as its plugins do.
    public static func limit(of request: ControlRequest) -> Duration {
      switch request {
      case .status: .seconds(5)
      case .reload: .seconds(120)
      }
    }

    /// What to say of one that gave no answer.
    public var silence: String {
      "the app of process \(process) gave no answer: it is busy, or was stopped (kill -CONT \(process) has it go on)."
    }

    /// Sends a request and waits for the answer.
    ///
    /// - Returns: nil where none comes in time.
    public func ask(_ request: ControlRequest, within limit: Duration? = nil) async -> ControlAnswer? {
      guard let descriptor = SocketAddress(path).open(connect) else { return nil }
      defer { close(descriptor) }
      let limit = limit ?? Self.limit(of: request)
      var time = timeval(tv_sec: max(1, Int(limit / .seconds(1))), tv_usec: 0)
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
      }
      guard let line = try? Line.encode(request), ProcessIO.writeAll(line, to: descriptor) else { return nil }
      for await case .line(let bytes) in LineReader.pieces(of: descriptor) {
        return try? Line.decode(ControlAnswer.self, from: bytes)
      }
      return nil
    }
  }

  /// The apps, in the order of their processes.
  public let apps: [App]

  /// Looks for sockets that somebody listens at; those of apps that were killed are removed.
  public init(folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    apps = names.compactMap { name -> App? in
      guard name.hasSuffix(".sock"), let process = Int32(name.dropLast(5)) else { return nil }
      let path = "\(folder)/\(name)"
      guard let descriptor = SocketAddress(path).open(connect) else {
        if errno == ECONNREFUSED { unlink(path) }
        return nil
      }
      close(descriptor)
      return App(process: process, path: path)
    }.sorted { $0.process < $1.process }
  }
}

/// The address of a socket in a folder. It has room for 107 bytes, so the folder is named by a descriptor.
private struct SocketAddress {
  private let folder: String
  private let name: String

  init(_ path: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    folder = String(path[..<slash])
    name = String(path[slash...].dropFirst())
  }

  /// Makes a socket and binds or connects it; nil if that fails, with the reason in `errno`.
  func open(_ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32? {
    let parent = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return nil }
    defer { close(parent) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = "/proc/self/fd/\(parent)/\(name)"
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let reason = errno
      close(descriptor)
      errno = reason
      return nil
    }
    return descriptor
  }
}

extension Supervisor {
  /// Answers what another command asks of this app.
  public func answer(_ request: ControlRequest) async -> ControlAnswer {
    switch request {
    case .status:
      // Somebody who asks why something is loaded for so long is not to wait for it.
      await listed(within: .seconds(1))
      return ControlAnswer(
        isDone: true, text: "", plugins: statuses.values.sorted { ($0.id ?? "", $0.file) < ($1.id ?? "", $1.file) })
    case .reload(let plugin):
      do {
        let text = try await reload(plugin)
        say(text, plugin: plugin)
        return ControlAnswer(isDone: true, text: text)
      } catch {
        keeper.tell(.init(.failure, "\(error)", plugin: plugin))
        return ControlAnswer(isDone: false, text: "\(error)")
      }
    }
  }
}
