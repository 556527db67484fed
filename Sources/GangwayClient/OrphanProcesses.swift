import Dispatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Processes that plugins started and that outlive the process that loaded those plugins.
///
/// A plugin may start them in sessions of their own, where no signal to a group reaches them. They are found by a
/// variable of their environment, which is passed on. A process that was started without that variable is not found:
/// see ``ControlGroup``.
public struct OrphanProcesses: Sendable {
  /// The variable that hosts are given.
  public static let hostVariable = "GANGWAY_HOST_PROCESSES"

  /// The variable that the process is given, and everything that it starts has.
  public let variable: String
  /// Its value, which no other process was given.
  public let marker: String

  /// Makes a marker for processes that are about to be started.
  public init(variable: String) { self.init(variable: variable, marker: "\(getpid())-\(UUID().uuidString)") }

  /// Finds processes that were given a marker.
  public init(variable: String, marker: String) { (self.variable, self.marker) = (variable, marker) }

  /// Makes a marker for one of several processes: those of a part are those of the whole, too.
  ///
  /// - Parameter number: no other part has it.
  public func part(_ number: Int) -> OrphanProcesses { .init(variable: variable, marker: "\(marker).\(number)") }

  /// Whether there are any.
  public var exist: Bool { !processes.isEmpty }

  /// Kills them, and blocks the thread until none is found.
  ///
  /// - Parameter limit: how long they may go on starting others.
  public func end(within limit: Duration = .seconds(2)) {
    let deadline = ContinuousClock.now + limit
    var isClear = true
    repeat {
      let left = processes
      // Where there were any, one that was just being started may be found the next time.
      if left.isEmpty, isClear { return }
      isClear = left.isEmpty
      for process in left { kill(process, SIGKILL) }
      usleep(5_000)
    } while ContinuousClock.now < deadline
  }

  /// Kills them, on another thread.
  public func endInBackground() { DispatchQueue.global(qos: .utility).async { end() } }

  /// The processes of this user that have the marker.
  private var processes: [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      guard process != getpid(), let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ")
      else { return false }
      return hasMarker(environment)
    }
  }

  /// Whether the marker, or that of a part, is among the texts of an environment, each of which ends with a zero.
  private func hasMarker(_ environment: Data) -> Bool {
    let entry = "\(variable)=\(marker)"
    let length = entry.utf8.count
    return (environment + [0]).withUnsafeBytes { bytes in
      var place = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      var rest = bytes.count
      while let text = place, rest > 0 {
        if strncmp(text, entry, length) == 0, [0, CChar(bitPattern: UInt8(ascii: "."))].contains(text[length]) {
          return true
        }
        let size = strlen(text) + 1
        (place, rest) = (text + size, rest - size)
      }
      return false
    }
  }
}
