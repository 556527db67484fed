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
  private let path: String
  private let source: any DispatchSourceRead

  /// Listens for requests until it is stopped.
  ///
  /// - Parameters:
  ///   - folder: where sockets of running apps are; made readable by its owner alone.
  ///   - answer: answers a request.
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  public init(folder: String, answer: @escaping @MainActor (ControlRequest) async -> ControlAnswer) throws {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = "\(folder)/\(getpid()).sock"
    unlink(path)
    guard let descriptor = SocketAddress(path).open(bind), listen(descriptor, 8) == 0 else {
      throw SupervisorFailure(
        "The app cannot be reached by `gangway reload`: no socket at '\(path)': \(String(cString: strerror(errno))).")
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      let client = accept(descriptor, nil, nil)
      guard client >= 0 else { return }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      Task { @MainActor in await Self.serve(client, answer) }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  /// Stops listening.
  public func stop() {
    source.cancel()
    unlink(path)
  }

  private static func serve(_ client: Int32, _ answer: @MainActor (ControlRequest) async -> ControlAnswer) async {
    defer { close(client) }
    for await piece in LineReader.pieces(of: client, limit: 1 << 16) {
      guard case .line(let bytes) = piece else { return }
      let reply: ControlAnswer
      do {
        reply = await answer(try Line.decode(ControlRequest.self, from: bytes))
      } catch {
        reply = ControlAnswer(isDone: false, text: "The request is none: \(error)")
      }
      guard let line = try? Line.encode(reply) else { return }
      _ = ProcessIO.writeAll(line, to: client)
      return
    }
  }
}

/// The apps of this user that run now.
public struct RunningApps: Sendable {
  /// An app that runs.
  public struct App: Sendable {
    /// The process of its supervisor.
    public let process: Int32
    fileprivate let path: String

    /// Sends a request and waits for the answer.
    public func ask(_ request: ControlRequest) async -> ControlAnswer? {
      guard let descriptor = SocketAddress(path).open(connect) else { return nil }
      defer { close(descriptor) }
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
      await listed()
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
