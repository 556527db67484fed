import Foundation
import Subprocess
import SystemPackage

/// A terminal without a window, whose output tests can count and wait for.
@_spi(FrontEnd) @MainActor public final class PseudoTerminal {
  /// The reason why there is no terminal.
  public struct Unavailable: Error, CustomStringConvertible { public let description: String }

  private let terminal: Int32
  private let program: FileDescriptor
  /// The process that was started last; it may write output before its ID is known here.
  public private(set) var processID: Int32?
  /// The output since the last ``take()``.
  public private(set) var output: [UInt8] = []

  /// Opens a terminal of a size.
  public init(columns: UInt16, rows: UInt16) throws {
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var locked: Int32 = 0
    var number: UInt32 = 0
    // TIOCSPTLCK and TIOCGPTN of Linux's <asm-generic/ioctls.h>, which the C library hides behind functions.
    guard terminal >= 0, ioctl(terminal, 0x4004_5431, &locked) == 0, ioctl(terminal, 0x8004_5430, &number) == 0 else {
      throw Unavailable(description: "there is no pseudo terminal: \(String(cString: strerror(errno)))")
    }
    let name = "/dev/pts/\(number)"
    let descriptor = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unavailable(description: "\(name): \(String(cString: strerror(errno)))") }
    program = FileDescriptor(rawValue: descriptor)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  deinit {
    Glibc.close(terminal)
    try? program.close()
  }

  /// Runs a program in the terminal; the returned task ends with the program.
  public func run(
    _ executable: String, _ arguments: [String], _ environment: [Environment.Key: String?]
  ) -> Task<TerminationStatus?, Never> {
    let program = program
    let values = environment.merging(
      ["TERM": "xterm-256color", "LANG": "C.UTF-8", "XDG_CONFIG_HOME": "/nonexistent"]) { given, _ in given }
    return Task {
      let result = try? await Subprocess.run(
        .path(FilePath(executable)), arguments: Arguments(arguments), environment: .inherit.updating(values),
        input: .fileDescriptor(program, closeAfterSpawningProcess: false),
        output: .fileDescriptor(program, closeAfterSpawningProcess: false),
        error: .discarded
      ) { execution in
        self.processID = execution.processIdentifier.value
      }
      return result?.terminationStatus
    }
  }

  /// Types bytes; if the terminal's buffer is full, reads output and tries again.
  public func type(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      if written > 0 { rest = rest.dropFirst(written) }
      read()
      if written < 0, errno != EAGAIN, errno != EINTR { return }
    }
  }

  /// Changes the size without a signal, because this is no program's controlling terminal.
  public func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  /// Types bytes without reading output.
  public func push(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) } }

  /// Returns the output since the last call.
  public func take() -> [UInt8] {
    read()
    defer { output = [] }
    return output
  }

  /// Returns whether a text is written after the last ``take()``, within a time limit. Blocks the caller's actor.
  public func shows(_ text: String, within limit: Duration = .seconds(10)) -> Bool {
    let patience = Patience(limit)
    var searched = 0
    while !finds(text, after: &searched) {
      guard !patience.hasEnded else { return false }
      var readiness = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      _ = poll(&readiness, 1, 100)
    }
    return true
  }

  /// Returns whether a text has been written since the last ``take()``, without waiting.
  public func hasShown(_ text: String) -> Bool {
    var searched = 0
    return finds(text, after: &searched)
  }

  /// Reads, and searches the output that was not searched before.
  private func finds(_ text: String, after searched: inout Int) -> Bool {
    read()
    let wanted = Array(text.utf8)
    defer { searched = output.count }
    let rest = output[max(0, min(searched, output.count) - wanted.count)...]
    // A benchmark searches while the app needs both cores, so the search must be fast.
    return rest.withUnsafeBytes { bytes in
      guard let first = wanted.first, var place = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else {
        return false
      }
      let end = place + bytes.count
      while let found = memchr(place, Int32(first), end - place), end - found >= wanted.count {
        if memcmp(found, wanted, wanted.count) == 0 { return true }
        place = found + 1
      }
      return false
    }
  }

  /// Waits until a text is written, in steps, because the program starts and ends on this actor, too.
  public func await(_ text: String, within limit: Duration = .seconds(20)) async -> Bool {
    let patience = Patience(limit)
    var searched = 0
    while !finds(text, after: &searched) {
      if patience.hasEnded { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return true
  }

  /// The ID of the process that was started last; waits until it is known.
  public var process: Int32 {
    get async throws {
      let patience = Patience(.seconds(20))
      while processID == nil, !patience.hasEnded { try await Task.sleep(for: .milliseconds(5)) }
      guard let processID else { throw Unavailable(description: "the program was not started within 20 s") }
      return processID
    }
  }

  /// Ends the program with a signal, and reads its output meanwhile.
  ///
  /// - Parameter ended: the task that ``run(_:_:_:)`` returned.
  public func end(_ ended: Task<TerminationStatus?, Never>, by signal: Int32 = SIGTERM) async -> TerminationStatus? {
    if let process = try? await process { kill(process, signal) }
    return await finish(ended).status
  }

  /// Reads the program's output until the program ends by itself.
  ///
  /// - Parameter ended: the task that ``run(_:_:_:)`` returned.
  public func finish(
    _ ended: Task<TerminationStatus?, Never>
  ) async -> (status: TerminationStatus?, bytes: [UInt8]) {
    var bytes: [UInt8] = []
    let reader = Task {
      while !Task.isCancelled {
        bytes += take()
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
    let status = await ended.value
    reader.cancel()
    await reader.value
    return (status, bytes + take())
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(terminal, &buffer, buffer.count)
      guard count > 0 else { return }
      output += buffer[..<count]
    }
  }
}
