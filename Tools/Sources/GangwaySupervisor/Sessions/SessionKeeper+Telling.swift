import GangwayClient
import GangwayProtocol

/// What the person is told besides what the host says.
extension SessionKeeper {
  /// Tells the person something, as soon as somebody listens.
  func tell(_ notice: Update.Notice) {
    if !isShown {
      startNotices.append(notice)
    } else if hasListener {
      onUpdate(note(notice))
    } else {
      untold.append(notice)
    }
  }

  /// Tells the person something.
  public func say(_ text: String, plugin: String?) { onUpdate(note(.init(.information, text, plugin: plugin))) }

  /// Puts lines on top of all screens of a plugin, or takes them away.
  ///
  /// - Parameter plugin: nil for all screens there are.
  public func setBanner(_ plugin: String?, _ lines: [String]) {
    guard overlay.banners[plugin] ?? [] != lines else { return }
    if lines.isEmpty { overlay.banners.removeValue(forKey: plugin) } else { overlay.banners[plugin] = lines }
    showOverlay(lines.isEmpty ? [] : [.init(.failure, lines[0], plugin: plugin)])
  }

  /// Shows on all screens of a plugin how far something is, or no longer.
  ///
  /// - Parameter plugin: nil where the plugin has no screens yet: nothing is shown then.
  public func setProgress(_ plugin: String?, _ progress: WorkProgress?) {
    guard let plugin, overlay.progress[plugin] != progress else { return }
    overlay.progress[plugin] = progress
    showOverlay([])
  }

  private func showOverlay(_ notices: [Update.Notice]) {
    var update = note(.init(.information, ""))
    update.notices = notices
    update.presentation = presentation
    onUpdate(update)
  }

  /// An update that says something and changes nothing.
  func note(_ notice: Update.Notice) -> Update {
    Update(
      event: nil, revision: presentation.revision, presentation: nil, checkpoint: nil, pending: pending,
      notices: [notice])
  }

  func record(_ event: Event, on label: String, isSecure: Bool) {
    noteStep(Recording.Entry(event, on: label, isSecure: isSecure))
    guard let recorder else { return }
    recorder.note(event, on: label, isSecure: isSecure)
    guard let failure = recorder.failure, !hasToldRecorderFailure else { return }
    hasToldRecorderFailure = true
    tell(.init(.failure, failure))
  }
}
