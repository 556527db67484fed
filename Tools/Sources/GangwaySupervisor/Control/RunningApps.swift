import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The running apps of this user.
@_spi(FrontEnd) public struct RunningApps: Sendable {
  /// A running app.
  public struct App: Sendable {
    /// The process ID of the app's supervisor.
    public let process: Int32
    fileprivate let path: String
    /// The longest wait for an answer that an app has at hand.
    private static let patience: Duration = .seconds(5)

    /// The error text for an app that does not answer.
    public var silence: String { Words.Control.silence(process: process) }

    /// Connects to the app.
    ///
    /// - Parameter limit: the timeout of each read and write; nil for none.
    /// - Returns: the descriptor; nil if nothing listens on the socket.
    func connect(for limit: Duration? = nil) -> Int32? {
      guard let descriptor = SocketAddress(path).open(Glibc.connect) else { return nil }
      guard let limit else { return descriptor }
      var time = timeval(tv_sec: max(1, Int(limit / .seconds(1))), tv_usec: 0)
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
      }
      return descriptor
    }

    /// Asks for the states of the plugins.
    ///
    /// - Returns: nil if no answer arrives in time.
    public func plugins() async -> [HostMessage.PluginStatus]? { await ask(.list, within: Self.patience)?.plugins }

    /// Asks for the sessions and front ends.
    ///
    /// - Returns: nil if no answer arrives in time.
    public func status() async -> AppStatus? { await ask(.status, within: Self.patience)?.status }

    /// Whether the process still runs. An ended process that nobody has waited for does not count.
    public var isRunning: Bool {
      guard let facts = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
      // The state follows the name, which may contain parentheses: proc_pid_stat(5).
      return facts[(facts.lastIndex(of: ")") ?? facts.startIndex)...].dropFirst(2).first != "Z"
    }

    /// The time at which the app began to listen, in seconds since 1970; nil if the app has ended.
    public var start: Int? {
      var facts = stat()
      return stat(path, &facts) == 0 ? Int(facts.st_ctim.tv_sec) : nil
    }

    /// Asks for the reload of a plugin, which takes as long as the plugin does.
    ///
    /// - Returns: whether it was done, and the text to show the user; nil if no answer arrives in time.
    public func reload(_ plugin: PluginID) async -> (isDone: Bool, text: String)? {
      await ask(.reload(plugin: plugin), within: .seconds(120)).map { ($0.isDone, $0.text) }
    }

    /// Opens a link in a session, which may load a plugin.
    ///
    /// - Parameters:
    ///   - url: the link.
    ///   - session: the session's name; nil if the app has only one.
    /// - Returns: whether it was done, and the text to show the user; nil if no answer arrives in time. It is not done
    ///   if a guard asks the user first.
    @MainActor public func open(_ url: String, session: SessionID?) async -> (isDone: Bool, text: String)? {
      let limit = Task { try await Task.sleep(for: .seconds(30)) }
      let start = ContinuousClock.now
      defer { limit.cancel() }
      do {
        let remote = try await RemoteSession.attach(to: self, session: session)
        Task {
          if (try? await limit.value) != nil { remote.detach() }
        }
        // The app gives each event of its front ends another number, so new work is the one of this link.
        let before = Set(remote.pending.compactMap(\.event))
        func new() -> [Update.Pending] { remote.pending.filter { $0.event.map { !before.contains($0) } ?? false } }
        let update = try await remote.send(.open(url))
        // A guard decides first, for example by asking another feature.
        let decision = ContinuousClock.now + .seconds(5)
        while !new().isEmpty, !new().contains(where: { $0.isWaiting == true }), ContinuousClock.now < decision {
          try await Task.sleep(for: .milliseconds(10))
        }
        let asks = new().contains { $0.isWaiting == true }
        remote.detach()
        let bad = update.notices.filter { $0.kind != .information }
        guard bad.isEmpty else { return (false, bad.map(\.text).joined(separator: " ")) }
        let front = remote.presentation.alert?.label ?? remote.presentation.top?.title ?? ""
        return asks ? (false, Words.Control.asks(front)) : (true, Words.Control.inFront(front))
      } catch {
        let text = "\(error)"
        return text == silence || ContinuousClock.now - start >= .seconds(30) ? nil : (false, text)
      }
    }

    /// Sends a request and waits for the answer.
    ///
    /// - Parameter limit: the timeout of each read and write.
    private func ask(_ request: AppRequest, within limit: Duration) async
      -> (isDone: Bool, text: String, plugins: [HostMessage.PluginStatus], status: AppStatus?)?
    {
      guard let descriptor = connect(for: limit) else { return nil }
      defer { close(descriptor) }
      guard let lines = try? Line.encode(AppRequest.session(.hello(.current))) + Line.encode(request),
        ProcessIO.writeAll(lines, to: descriptor)
      else { return nil }
      for await case .line(let bytes) in LineReader.pieces(of: descriptor) {
        switch try? Line.decode(AppMessage.self, from: bytes) {
        case .session(.hello): continue
        case .session(.failure(let failure)): return (false, failure.message, [], nil)
        case .done(_, let text, let plugins, let status): return (true, text, plugins, status)
        default: return nil
        }
      }
      return nil
    }
  }

  /// The apps, ordered by process ID.
  public let apps: [App]

  /// Finds the sockets that an app listens on and removes the sockets that killed apps left behind.
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

/// The address of a socket in a folder.
///
/// A socket address has room for 107 bytes, so it names the folder by a descriptor.
struct SocketAddress {
  private let folder: String
  private let name: String

  init(_ path: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    folder = String(path[..<slash])
    name = String(path[slash...].dropFirst())
  }

  /// Creates a socket and binds or connects it.
  ///
  /// - Returns: the descriptor; nil on failure, with the reason in `errno`.
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
