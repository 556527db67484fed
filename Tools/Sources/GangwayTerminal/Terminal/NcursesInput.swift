import CNcurses
@_spi(FrontEnd) import GangwayClient
import Glibc

/// Keyboard and mouse input from the terminal, through ncurses.
@MainActor final class NcursesInput {
  private var decoder = KeyDecoder()
  private var lastInput = ContinuousClock.now
  /// Whether more input may be waiting.
  private(set) var hasMore = false
  private var isPressed = false
  private var lastPress: (row: Int, column: Int, time: ContinuousClock.Instant)?
  /// The longest time between two presses at the same place that make a double press.
  private static let doublePressTime: Duration = .milliseconds(400)

  /// The most units to read before drawing.
  private static let unitsAtOnce = 100_000

  /// Returns the keys that have arrived; nil if the other side of the terminal has closed.
  func keys() -> [Key]? {
    var keys: [Key] = []
    if decoder.isPasting, ContinuousClock.now - lastInput > .seconds(1) { keys += decoder.endPaste() }
    var isAnything = false
    hasMore = false
    for number in 0..<Self.unitsAtOnce {
      if decoder.isPasting, let pasted = readPasted() {
        keys += pasted
        isAnything = true
        hasMore = number == Self.unitsAtOnce - 1
        continue
      }
      guard let next = decoder.next(read, awaitMore: awaitInput) else { break }
      isAnything = true
      hasMore = number == Self.unitsAtOnce - 1
      keys += next
    }
    if isAnything { lastInput = .now }
    guard !isAnything, keys.isEmpty else { return keys }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let isGone = poll(&input, 1, 0) > 0 && Int32(input.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
    return isGone ? nil : []
  }

  /// The number of pasted bytes to read at once.
  ///
  /// Bytes after the end of the paste go back to ncurses, which has room for this many.
  private static let pastedAtOnce = 64

  /// Reads a part of a paste, which ncurses would read byte by byte; nil if nothing is available now.
  private func readPasted() -> [Key]? {
    var bytes = [UInt8](repeating: 0, count: Self.pastedAtOnce)
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, 0) > 0, Int32(input.revents) & POLLIN != 0 else { return nil }
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let (keys, rest) = decoder.takePasted(Array(bytes[..<count]))
    for byte in rest.reversed() { ungetch(Int32(byte)) }
    return keys
  }

  private func read() -> KeyDecoder.Unit? {
    var code: wint_t = 0
    switch wget_wch(gangway_screen(), &code) {
    case OK: return .scalar(code)
    case KEY_CODE_YES:
      guard Int32(bitPattern: code) == KEY_MOUSE else { return .special(Int32(bitPattern: code)) }
      return mouse().map { .key($0) } ?? .special(KEY_MOUSE)
    default: return nil
    }
  }

  /// Waits 25 ms for the rest of a split sequence.
  private func awaitInput() -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 25) > 0
  }

  private func mouse() -> Key? {
    var event = MEVENT()
    guard getmouse(&event) == OK else { return nil }
    if gangway_is_wheel_up(event.bstate) != 0 { return .wheelUp }
    if gangway_is_wheel_down(event.bstate) != 0 { return .wheelDown }
    let (row, column) = (Int(event.y), Int(event.x))
    if gangway_is_release(event.bstate) != 0 {
      isPressed = false
      return .release
    }
    guard gangway_is_press(event.bstate) != 0 else {
      return isPressed && gangway_is_motion(event.bstate) != 0 ? .drag(row: row, column: column) : nil
    }
    // ncurses reports a press and its release together as a click.
    isPressed = gangway_is_click(event.bstate) == 0
    let now = ContinuousClock.now
    let isDouble =
      lastPress.map { $0.row == row && $0.column == column && now - $0.time < Self.doublePressTime } ?? false
    lastPress = isDouble ? nil : (row, column, now)
    return isDouble ? .doublePress(row: row, column: column) : .press(row: row, column: column)
  }
}
