import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Silent clients of the control socket, which must not block other clients.
@MainActor @Suite struct ControlSocketTests {
  private nonisolated static func connect(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return result == 0 ? descriptor : -1
  }

  private static var threads: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count ?? 0
  }

  @Test func threeHundredThatSayNothingAreNobodysThreads() async throws {
    let folder = "/tmp/gangway-sockets-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let socket = try ControlSocket(folder: folder, AnsweringApp("here"))
    let path = "\(folder)/\(getpid()).sock"
    let before = Self.threads
    var silent: [Int32] = []
    for number in 0..<300 {
      silent.append(await Task.detached { Self.connect(path) }.value)
      // Some send half a request.
      if number % 2 == 0 { _ = write(silent[number], "{\"sta", 5) }
    }
    #expect(!silent.contains(-1))
    let start = ContinuousClock.now
    let apps = await Task.detached { RunningApps(folder: folder).apps }.value
    let app = try #require(apps.first)
    #expect(await app.reload("any")?.text == "here")
    #expect(ContinuousClock.now - start < Patience.allowed(.seconds(5)))
    // Other tests run at the same time, with threads of their own.
    #expect(Self.threads < before + 150)
    for descriptor in silent { close(descriptor) }
    #expect(await app.plugins() == [])
    socket.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func socketsOfAppsThatWereKilledGoAtTheNextStart() throws {
    let folder = "/tmp/gangway-sockets-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // The socket is bound, but nothing listens.
    let stale = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/4711.sock".utf8) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(stale)
    let socket = try ControlSocket(folder: folder, AnsweringApp(""))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(getpid()).sock"])
    socket.stop()
  }
}
