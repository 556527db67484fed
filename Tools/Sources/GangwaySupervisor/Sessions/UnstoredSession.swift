@_spi(FrontEnd) import GangwayProtocol

/// A parked session whose latest changes are not stored, because the disk is full or does not work.
///
/// It tries to store them until they are stored, or until the session is opened again. The delay grows from a second to
/// a minute.
@MainActor final class UnstoredSession {
  /// The profile of the session's user.
  let profile: String
  /// The session's newest state.
  let checkpoint: Checkpoint
  private let store: any StoredSession
  private var trying: Task<Void, Never>?

  /// Starts to try again.
  ///
  /// - Parameter stored: called when everything is stored.
  init(
    _ store: any StoredSession, _ checkpoint: Checkpoint, of profile: String, _ clock: any SupervisorClock,
    stored: @escaping () -> Void
  ) {
    (self.store, self.checkpoint, self.profile) = (store, checkpoint, profile)
    trying = Task {
      var delay = Duration.seconds(1)
      while (try? await clock.sleep(for: delay)) != nil {
        if await store.finish(checkpoint) { return stored() }
        delay = min(delay * 2, .seconds(60))
      }
    }
  }

  /// Ends the attempts.
  ///
  /// - Returns: the session, to open it again.
  func open() async -> OpenedSession {
    trying?.cancel()
    await trying?.value
    store.goOn()
    return .init(store: store, checkpoint: checkpoint)
  }

  /// Ends the attempts for a user who cannot return.
  func drop() { trying?.cancel() }

  /// Tries once more, because the server ends.
  func finish() async {
    trying?.cancel()
    await trying?.value
    _ = await store.finish(checkpoint)
  }
}
