import Foundation
import Glibc
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The end of a host; until it is known, the process ID is not reused, so no other process is killed by mistake.
@MainActor @Suite struct HostEndTests {
  private let folder = FileManager.default.temporaryDirectory.appending(component: "gangway-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private func process() async throws -> (host: HostProcess, number: pid_t) {
    let path = folder.appending(component: UUID().uuidString).path
    let host = try HostProcess(
      executable: "/bin/sleep", arguments: ["100"], environment: [:], log: HostLog(path, limit: 1_000),
      crashReport: path + ".crash")
    while host.processID == nil, host.startFailure == nil { try await Task.sleep(for: .milliseconds(1)) }
    return (host, try #require(host.processID))
  }

  /// On a busy machine, the system may take longer to end a process than a channel takes to close.
  @Test func aHostThatWasKilledIsNotTakenForOneWithoutAChannel() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for _ in 0..<3 {
      let (host, number) = try await process()
      let status = Task { await host.statusWithoutChannel() }
      await Task.yield()
      Glibc.kill(number, SIGKILL)
      // The main actor is blocked for longer than the supervisor waits for the end.
      usleep(300_000)
      #expect(await status.value == .signaled(SIGKILL))
      #expect(!host.isCutOff)
    }
  }

  private func exists(_ number: pid_t) -> Bool { access("/proc/\(number)", F_OK) == 0 }

  @Test func aNumberIsTheHostsUntilItsEndIsKnown() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for _ in 0..<50 {
      let (host, number) = try await process()
      Glibc.kill(number, SIGKILL)
      while !host.isGone {
        // The ID of an unreaped process is not reused.
        #expect(exists(number))
        await Task.yield()
      }
      #expect(await host.status() == .signaled(SIGKILL))
      #expect(!exists(number))
    }
  }
}
