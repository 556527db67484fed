import Glibc

/// A process, as the kernel tells of it.
struct ProcessReading: Sendable, Equatable {
  let id: Int32
  let parent: Int32
  let name: String
  let state: Character
  /// Ticks of a processor that it has used.
  let ticks: UInt64
  /// When it started, in ticks since the machine did: with its number it says which process it is, for numbers are used again.
  let start: UInt64
  /// Bytes of memory.
  let memory: UInt64

  /// Reads `PID/stat`; nil where there is none, or something else in it.
  ///
  /// Fields as in proc(5). The name stands in parentheses and may hold some itself.
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

  /// All there are.
  static func all(_ proc: ProcFolder) -> [ProcessReading] {
    proc.processes.compactMap { id in proc.text("\(id)/stat").flatMap(Self.init) }
  }

  /// What the states are called.
  static func word(of state: Character) -> String {
    switch state {
    case "R": "running"
    case "S": "sleeping"
    case "D": "waiting for a disk"
    case "T", "t": "stopped"
    case "Z": "ended, not yet noticed"
    case "I": "idle"
    default: "\(state)"
    }
  }
}

/// A process as it is shown.
struct ProcessRow: Sendable, Equatable, Identifiable {
  let id: Int32
  let start: UInt64
  let name: String
  let user: String
  let state: Character
  /// Of one processor, from 0 to 100 for each of them.
  let processor: Double
  let memory: UInt64
}

/// Ends processes.
enum Ending {
  /// How a process is told to end.
  enum Way: Hashable, Sendable {
    /// It may put things in order first.
    case terminate
    /// It may not.
    case kill

    var signal: Int32 { self == .terminate ? SIGTERM : SIGKILL }
  }

  /// Tells a process to end.
  ///
  /// - Parameter start: when it started: another that has its number by now is left alone.
  /// - Throws: ``MonitorError``.
  static func end(_ id: Int32, start: UInt64, _ way: Way, _ proc: ProcFolder) throws {
    guard let now = proc.text("\(id)/stat").flatMap(ProcessReading.init), now.start == start else {
      throw MonitorError("Process \(id) has ended already.")
    }
    guard kill(id, way.signal) == 0 else {
      switch errno {
      case ESRCH: throw MonitorError("Process \(id) has ended already.")
      case EPERM:
        throw MonitorError("'\(now.name)' (\(id)) belongs to somebody else: you may not end it.")
      default: throw MonitorError("'\(now.name)' (\(id)) was not ended: \(String(cString: strerror(errno))).")
      }
    }
  }
}

/// Why something was not done, for the person.
struct MonitorError: Error, CustomStringConvertible, Equatable {
  let description: String
  init(_ description: String) { self.description = description }
}
