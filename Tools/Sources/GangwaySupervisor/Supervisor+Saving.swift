import GangwayProtocol

/// Keeping the session in a file.
extension Supervisor {
  func scheduleSave() {
    needsSaving = true
    guard stateFile != nil, writing == nil else { return }
    writing = Task {
      try? await Task.sleep(for: .milliseconds(500))
      await saveInBackground()
      writing = nil
      if needsSaving, !isStopped { scheduleSave() }
    }
  }

  /// Writes on another thread: a disk that takes its time must not hold up the person's keys.
  private func saveInBackground() async {
    guard needsSaving, let stateFile else { return }
    needsSaving = false
    let snapshot = checkpoint
    let failure = await Task.detached { () -> String? in
      do {
        try stateFile.write(snapshot)
        return nil
      } catch {
        return "\(error)"
      }
    }.value
    if let failure { tell(.init(.failure, failure)) }
  }

  /// Writes what is not stored yet, after a write that is under way.
  func saveAtLast() async {
    // Ends the wait before the write, not the write.
    writing?.cancel()
    await writing?.value
    await saveInBackground()
  }
}
