import Glibc

/// The kernel's data about a process.
struct ProcessReading: Sendable, Equatable {
  let id: Int32
  let parent: Int32
  let name: String
  let state: Character
  /// The processor ticks that the process has used.
  let ticks: UInt64
  /// The start, in ticks since the machine's start. It identifies the process together with the number, which is
  /// reused.
  let start: UInt64
  /// The memory, in bytes.
  let memory: UInt64

  /// Reads `PID/stat`; nil if it does not exist or has another format.
  ///
  /// The fields are as in proc(5). The name is in parentheses, and may contain some itself.
  init?(_ text: String) {
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { return nil }
    let fields = text[text.index(after: close)...].split { $0 == " " || $0 == "\n" }
    guard let id = text[..<open].columns.first.flatMap({ Int32($0) }), fields.count >= 22,
      let parent = Int32(fields[1]), let user = UInt64(fields[11]), let system = UInt64(fields[12]),
      let start = UInt64(fields[19]), let pages = Int64(fields[21])
    else { return nil }
    self.id = id
    self.parent = parent
    name = String(text[text.index(after: open)..<close])
    state = fields[0].first ?? "?"
    ticks = user &+ system
    self.start = start
    memory = UInt64(max(0, pages)) &* UInt64(getpagesize())
  }

  /// Returns all processes.
  static func all(_ proc: ProcFolder) -> [ProcessReading] {
    proc.processes.compactMap { id in proc.text("\(id)/stat").flatMap(Self.init) }
  }

  /// Returns the word for a state.
  static func word(of state: Character) -> String {
    switch state {
    case "R": "running"
    case "S": "sleeping"
    case "D": "waiting for a disk"
    case "T", "t": "stopped"
    case "Z": "ended (zombie)"
    case "I": "idle"
    default: "\(state)"
    }
  }
}

/// A process, as a row of the table.
struct ProcessRow: Sendable, Equatable, Identifiable {
  let id: Int32
  let start: UInt64
  let name: String
  let user: String
  let state: Character
  /// The use of processors, up to 100 for each of them.
  let processor: Double
  let memory: UInt64
}

/// The end of a process.
enum Termination {
  /// A way to end a process.
  enum Way: Hashable, Sendable {
    /// The process may clean up first.
    case terminate
    /// The process ends at once.
    case kill

    var signal: Int32 { self == .terminate ? SIGTERM : SIGKILL }
  }

  /// Sends a process the signal to end.
  ///
  /// - Parameter start: the start of the process. Another process that has its number by now is left alone.
  /// - Throws: ``MonitorError``.
  static func end(_ id: Int32, start: UInt64, _ way: Way, _ proc: ProcFolder) throws {
    guard let now = proc.text("\(id)/stat").flatMap(ProcessReading.init), now.start == start else {
      throw MonitorError("Process \(id) has already ended.")
    }
    guard kill(id, way.signal) == 0 else {
      switch errno {
      case ESRCH: throw MonitorError("Process \(id) has already ended.")
      case EPERM:
        throw MonitorError("Could not end '\(now.name)' (\(id)): it belongs to another user.")
      default: throw MonitorError("Could not end '\(now.name)' (\(id)): \(String(cString: strerror(errno))).")
      }
    }
  }
}

/// An error, with its reason for the user.
struct MonitorError: Error, CustomStringConvertible, Equatable {
  let description: String
  init(_ description: String) { self.description = description }
}
