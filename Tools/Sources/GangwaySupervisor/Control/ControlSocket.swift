import Dispatch
import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A socket in the app's state folder, through which other commands of the same user reach the app while it runs.
@_spi(FrontEnd) @MainActor public final class ControlSocket {
  /// The most connections that have not sent a request yet; a new connection replaces the oldest.
  static let maximumConnections = 16
  /// The time limit for sending a request.
  static let patience: Duration = .seconds(5)
  /// The most unread output of a client, in bytes; a client that reads too slowly is disconnected.
  public nonisolated static let maximumBacklog = 64 << 20

  private let path: String
  private let source: any DispatchSourceRead
  private let app: any ControlledApp
  private let maximumBacklog: Int
  /// The connections that have not sent a request yet, oldest first.
  private var silent: [AppConnection] = []

  /// Listens for requests until ``stop()``.
  ///
  /// - Parameters:
  ///   - folder: the folder for the sockets of running apps; created with access for its owner only.
  ///   - app: the app that answers the requests.
  ///   - maximumBacklog: the most unread output of a client, in bytes.
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  public init(
    folder: String, _ app: any ControlledApp, maximumBacklog: Int = ControlSocket.maximumBacklog
  ) throws {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Listing the apps removes the sockets that killed apps left behind.
    _ = RunningApps(folder: folder)
    path = "\(folder)/\(getpid()).sock"
    unlink(path)
    guard let descriptor = SocketAddress(path).open(bind), listen(descriptor, 64) == 0 else {
      throw SupervisorFailure(Words.Control.unreachable(path, reason: String(cString: strerror(errno))))
    }
    (self.app, self.maximumBacklog) = (app, maximumBacklog)
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
    if silent.count >= Self.maximumConnections { silent.first?.end() }
    let connection = AppConnection(client, app, maximumBacklog: maximumBacklog) { [weak self] changed in
      self?.silent.removeAll { $0 === changed }
    }
    silent.append(connection)
    Task { [weak connection] in
      try? await Task.sleep(for: Self.patience)
      if let connection, connection.isSilent { connection.end() }
    }
  }

  /// Stops listening.
  public func stop() {
    source.cancel()
    unlink(path)
  }
}
