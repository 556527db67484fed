@_spi(FrontEnd) import GangwayProtocol
import Glibc
import Synchronization

/// The announcement of a crash at its beginning, before the runtime writes its report.
///
/// The runtime's backtracer keeps a crashing process for some 10 ms, and a supervisor need not wait for it. This
/// handler runs before the runtime's, announces the crash, and leaves the rest to the runtime's.
enum CrashSignal {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS]

  // Written before any plugin loads, and read only in the handler. The memory is never freed, because the handler may
  // run at any time.
  nonisolated(unsafe) private static var descriptor: Int32 = -1
  nonisolated(unsafe) private static var message: UnsafePointer<UInt8>?
  nonisolated(unsafe) private static var messageLength = 0
  nonisolated(unsafe) private static var previous: UnsafeMutablePointer<sigaction>?
  /// The channel to the client, if there is one; never freed.
  nonisolated(unsafe) private static var channel: Unmanaged<ChannelWriter>?
  /// Whether the process is crashing, and whether the client knows.
  static let isDying = Atomic(false)
  static let isSaid = Atomic(false)

  /// Installs the handlers for a channel, which announces a crash to the client.
  static func install(on channel: ChannelWriter) {
    self.channel = Unmanaged.passRetained(channel)
    // Initialize these now, because a signal handler must not allocate.
    _ = isDying.load(ordering: .relaxed)
    _ = isSaid.load(ordering: .relaxed)
    CrashFrames.prepare()
    installHandlers()
    OutsideSignal.install()
    // If a plugin calls `exit`, the messages sent before still reach the client.
    atexit { CrashSignal.channel?._withUnsafeGuaranteedRef { $0.drain(within: 100) } }
  }

  /// Installs the handlers with a message, which they write to standard error.
  static func install(_ text: () -> String) {
    descriptor = STDERR_FILENO
    setMessage(text())
    installHandlers()
  }

  /// Replaces the message.
  static func setMessage(_ text: String) { set(Array(text.utf8)) }

  private static func set(_ bytes: [UInt8]) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    copy.initialize(from: bytes, count: bytes.count)
    messageLength = 0
    message = UnsafePointer(copy)
    messageLength = bytes.count
  }

  private static func installHandlers() {
    let table = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    table.initialize(repeating: sigaction(), count: 65)
    previous = table
    for signal in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { signal, info, context in
        CrashSignal.handle(signal, info, context)
      }
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER
      sigemptyset(&action.sa_mask)
      sigaction(signal, &action, table + Int(signal))
    }
  }

  private static func handle(
    _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    OutsideSignal.endIfOutside(info)
    if let message { _ = write(descriptor, message, messageLength) }
    messageLength = 0
    if let channel {
      Self.channel = nil
      channel._withUnsafeGuaranteedRef { $0.sayDying() }
    }
    // Run the previous handler as if this one did not exist. It is the runtime's, which writes the report.
    if let previous {
      let before = previous[Int(signal)]
      if before.sa_flags & SA_SIGINFO != 0, let handler = before.__sigaction_handler.sa_sigaction {
        handler(signal, info, context)
      }
    }
    // After the return, a fault happens again. A signal that was sent does not, and would leave the process alive after
    // its announced end.
    Glibc.signal(signal, SIG_DFL)
    raise(signal)
  }
}
