import Foundation

/// A running nginx with the configuration of the guide.
@_spi(FrontEnd) public final class Proxy: Sendable {
  private let process = Process()

  /// Starts the proxy, and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - port: the port of the proxy, which speaks TLS as `app.example.org`.
  ///   - serverPort: the port of the server behind it.
  ///   - workshop: the folder for the proxy's files.
  @MainActor public init(port: Int, to serverPort: Int, in workshop: Workshop) async throws {
    let folder = workshop.path("proxy")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    process.executableURL = Workshop.root.appendingPathComponent("script/proxy")
    process.arguments = [folder, "\(port)", "\(serverPort)"]
    try process.run()
    try await eventually { [process] in
      guard process.isRunning else { throw NotInTime(description: "script/proxy ended, see its messages above") }
      return RawConnection(port) != nil
    }
  }

  deinit {
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
  }
}

/// Returns a port of this machine that nothing uses, outside of the ports that the system gives to connections.
@_spi(FrontEnd) public func freePort() throws -> Int {
  for _ in 0..<100 {
    let port = Int.random(in: 20_000..<32_000)
    if RawConnection(port) == nil { return port }
  }
  throw NotInTime(description: "none of 100 ports is free")
}
