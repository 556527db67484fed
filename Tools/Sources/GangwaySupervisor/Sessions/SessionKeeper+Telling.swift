@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// The supervisor's own notifications and its overlay.
extension SessionKeeper {
  /// Shows a notification, as soon as a front end listens.
  func tell(_ notice: Update.Notice) {
    if let notice = notices.take(notice, isShown: isShown) { onUpdate(note(notice)) }
  }

  /// Returns a host's notification, without its plugin if the event was not sent to that plugin.
  ///
  /// - Parameter event: the event that the update answers; nil stands for the event in flight and all unfinished ones.
  func vouched(_ notice: Update.Notice, event: EventID?) -> Update.Notice {
    guard let plugin = notice.plugin, !events.went(to: plugin, event) else { return notice }
    var notice = notice
    notice.plugin = nil
    return notice
  }

  /// Keeps a copy of the session if a host removes everything that is open.
  func keepCopy(before change: Checkpoint.Change) {
    guard let isKept = memory.keepCopy(before: change) else { return }
    tell(
      .init(
        .failure,
        isKept ? Words.Session.screensClosedAndKept : Words.Session.screensClosed,
        detail: isKept ? Words.Session.howToRestoreScreens : nil))
  }

  /// Follows whether the session is stored, and tells the user.
  ///
  /// - Parameter complain: called with the reason of a failure, for the operator.
  func follow(_ store: any StoredSession, complain: @escaping (String) -> Void = { _ in }) {
    memory.store = store
    store.current = { [weak self] in self?.checkpoint }
    store.didFail = { [weak self] reason in
      complain(reason)
      self?.tell(.init(.failure, Words.Session.notStored, detail: reason))
    }
    store.didCatchUp = { [weak self] isAfterFailure in
      guard !isAfterFailure else {
        self?.tell(.init(.information, Words.Session.storedAgain))
        return
      }
      // Front ends that show ``isUnstored`` read it again.
      self?.tellNothing()
    }
  }

  /// Shows a notification at once.
  @_spi(FrontEnd) public func say(_ text: String, plugin: PluginID?) {
    onUpdate(note(.init(.information, text, plugin: plugin)))
  }

  /// Sets the banner lines on all screens of a plugin; empty lines remove the banner.
  ///
  /// - Parameters:
  ///   - plugin: the plugin's id; nil for all screens.
  ///   - lines: the lines of the banner.
  @_spi(FrontEnd) public func setBanner(_ plugin: PluginID?, _ lines: [String]) {
    guard overlay.banners[plugin] ?? [] != lines else { return }
    if lines.isEmpty { overlay.banners.removeValue(forKey: plugin) } else { overlay.banners[plugin] = lines }
    showOverlay(lines.isEmpty ? [] : [.init(.failure, lines[0], plugin: plugin)])
  }

  /// Sets the progress that all screens of a plugin show; nil removes it.
  ///
  /// - Parameters:
  ///   - plugin: the plugin's id; nil if the plugin has no screens yet, in which case nothing is shown.
  ///   - progress: the progress of the work.
  @_spi(FrontEnd) public func setProgress(_ plugin: PluginID?, _ progress: WorkProgress?) {
    guard let plugin, overlay.progress[plugin] != progress else { return }
    overlay.progress[plugin] = progress
    showOverlay([])
  }

  /// Sends an update without a change or a notification.
  private func tellNothing() {
    guard notices.hasListener else { return }
    var update = note(.init(.information, ""))
    update.notices = []
    onUpdate(update)
  }

  private func showOverlay(_ notices: [Update.Notice]) {
    var update = note(.init(.information, ""))
    update.notices = notices
    update.presentation = presentation
    onUpdate(update)
  }

  /// Returns an update that shows a notification and changes nothing.
  func note(_ notice: Update.Notice) -> Update {
    Update(
      event: nil, revision: presentation.revision, presentation: nil, checkpoint: nil, pending: pending,
      notices: [notice])
  }
}
