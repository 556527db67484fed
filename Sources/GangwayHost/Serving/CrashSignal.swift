import GangwayProtocol
import Glibc
import Synchronization

/// Says that the process is dying the moment it begins to, before the runtime writes its report.
///
/// The runtime's backtracer keeps a dying process for some 10 ms; a supervisor need not wait for it. The handler is
/// chained before the runtime's, does nothing but `write`, and leaves the rest to it.
enum CrashSignal {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS]

  // Written before any plugin is loaded and read in the handler alone. Memory is never freed, for the handler may
  // run at any time.
  nonisolated(unsafe) private static var descriptor: Int32 = -1
  nonisolated(unsafe) private static var message: UnsafePointer<UInt8>?
  nonisolated(unsafe) private static var messageLength = 0
  nonisolated(unsafe) private static var previous: UnsafeMutablePointer<sigaction>?
  /// Says it where there is a client; never freed.
  nonisolated(unsafe) private static var channel: Unmanaged<ProtocolChannel>?
  /// Whether the process is dying, and whether the client has been told.
  static let isDying = Atomic(false)
  static let isSaid = Atomic(false)

  /// Has a client be told.
  static func install(on channel: ProtocolChannel) {
    self.channel = Unmanaged.passRetained(channel)
    // Made now: a signal handler makes nothing.
    _ = isDying.load(ordering: .relaxed)
    _ = isSaid.load(ordering: .relaxed)
    CrashFrames.prepare()
    installHandlers()
    OutsideSignal.install()
    // A plugin that ends the process in order takes nothing along that was said.
    atexit { CrashSignal.channel?._withUnsafeGuaranteedRef { $0.drain(within: 100) } }
  }

  /// Writes a message to standard error.
  static func install(_ text: () -> String) {
    descriptor = STDERR_FILENO
    setMessage(text())
    installHandlers()
  }

  /// Changes the message.
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
    // What was there before runs as if this handler had not been: the runtime's, which writes the report.
    if let previous {
      let before = previous[Int(signal)]
      if before.sa_flags & SA_SIGINFO != 0, let handler = before.__sigaction_handler.sa_sigaction {
        handler(signal, info, context)
      }
    }
    // It returns so that the fault happens again; a signal that was sent would leave the process alive, whose end has
    // been announced.
    Glibc.signal(signal, SIG_DFL)
    raise(signal)
  }
}
