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

  /// A message of the host's. It carries a feature's name only where the event that it belongs to was given to that feature.
  ///
  /// - Parameter event: the event that its update answers; nil stands for any whose work goes on.
  func vouched(_ notice: Update.Notice, event: EventID?) -> Update.Notice {
    guard let plugin = notice.plugin else { return notice }
    let isKnown =
      if let event {
        inFlight?.id == event ? inFlight?.plugin == plugin : working[event]?.plugin == plugin
      } else {
        inFlight?.plugin == plugin || working.values.contains { $0.plugin == plugin }
      }
    guard !isKnown else { return notice }
    var notice = notice
    notice.plugin = nil
    return notice
  }

  /// Keeps the session beside its file where a host removes everything that is open.
  func keepCopy(before change: Checkpoint.Change) {
    guard checkpoint.isEmptied(by: change) else { return }
    let isKept = store?.keepCopy(of: checkpoint) ?? false
    tell(
      .init(
        .failure,
        isKept
          ? "Everything that was open was closed by the app. It is kept until the app starts again."
          : "Everything that was open was closed by the app.",
        detail: isKept
          ? "A host removed every screen of the session. To bring them back: gangway sessions restore" : nil))
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
