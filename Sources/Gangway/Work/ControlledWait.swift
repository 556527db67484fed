/// Suspensions that a test controls, for clocks and other test doubles.
///
/// Work that waits in one does not keep a session busy.
@MainActor package enum ControlledWait {
  /// A suspended piece of work.
  ///
  /// Call ``resume()`` to continue it.
  @MainActor package final class Token {
    private let work = TrackedWork.current
    private var continuation: CheckedContinuation<Void, Never>?
    private var isResumed = false

    fileprivate init() {}

    fileprivate func suspend() async {
      guard !isResumed else { return }
      work?.beginWait()
      await withCheckedContinuation { continuation = $0 }
    }

    /// Continues the work.
    ///
    /// A second call does nothing.
    package func resume() {
      isResumed = true
      guard let continuation else { return }
      self.continuation = nil
      work?.endWait()
      continuation.resume()
    }
  }

  /// Suspends the current work until the token passed to `register` is resumed.
  package static func suspend(_ register: (Token) -> Void) async {
    let token = Token()
    register(token)
    await token.suspend()
  }
}
