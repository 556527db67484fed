/// A host's message to a front end after a change in a session.
public struct Update: Codable, Hashable, Sendable {
  /// Unfinished work of an event or a screen.
  @_spi(FrontEnd) public struct Pending: Codable, Hashable, Sendable {
    /// The event that started the work; nil for the work of a screen.
    public var event: EventID?
    /// The plugin whose code does the work.
    public var plugin: PluginID?
    /// Whether the work waits for the user, as for a flow's result or a guard's question; absent if not.
    public var isWaiting: Bool?
    /// Makes an item.
    package init(event: EventID?, plugin: PluginID?, isWaiting: Bool = false) {
      self.event = event
      self.plugin = plugin
      self.isWaiting = isWaiting ? true : nil
    }
  }

  /// A one-line message to the user.
  public struct Notice: Codable, Hashable, Sendable {
    /// The severity of a notice.
    public enum Kind: String, Codable, Hashable, Sendable {
      /// Useful information.
      case information
      /// The requested action did not happen.
      case refusal
      /// Something is broken.
      case failure
    }
    /// The severity of the notice.
    public var kind: Kind
    /// The event, its reason and what the user can do.
    public var text: String
    /// The plugin that the notice is about.
    public var plugin: PluginID?
    /// The message to the developer, if it differs from the user's. Logs and tests use it; the screen does not.
    public var detail: String?
    /// Whether the notice is about an action before the last one, which had waited, or about the start of the app: true
    /// or absent.
    @_spi(FrontEnd) public var isLate: Bool?
    /// The number for the event that runs the undo action; nil if the notice cannot be undone.
    @_spi(FrontEnd) public var undo: NoticeID?
    /// Whether earlier notices can no longer be undone, because the host with their undo actions has ended: true or
    /// absent.
    @_spi(FrontEnd) public var endsUndo: Bool?
    /// The file that the feature offers the user to save; nil if there is none.
    @_spi(FrontEnd) public var file: HandedFile?
    /// Makes a notice.
    @_spi(FrontEnd) public init(_ kind: Kind, _ text: String, plugin: PluginID? = nil, detail: String? = nil) {
      self.kind = kind
      self.text = text
      self.plugin = plugin
      self.detail = detail == text ? nil : detail
    }

    /// The message to the developer.
    @_spi(FrontEnd) public var developerText: String { detail ?? text }
  }

  /// The event that this update answers; nil for a change without an event.
  @_spi(FrontEnd) public var event: EventID?
  /// The number of the current presentation.
  @_spi(FrontEnd) public var revision: Revision
  /// The whole presentation; nil if it did not change or `patch` has the change.
  @_spi(FrontEnd) public var presentation: Presentation?
  /// The changes since the last sent presentation, instead of the whole. Only clients that take patches receive it.
  @_spi(FrontEnd) public var patch: Presentation.Patch?
  /// The transition from the screen before; nil if the same screen is on top.
  @_spi(FrontEnd) public var transition: Transition?
  /// The element that the feature moves the keyboard focus to; nil if the focus stays where the user left it.
  ///
  /// A front end follows it in the answer to its own event, and in updates without an event.
  @_spi(FrontEnd) public var focus: Event.ElementReference?
  /// The change to merge into the checkpoint; nil if nothing changed.
  @_spi(FrontEnd) public var checkpoint: Checkpoint.Change?
  /// The unfinished work.
  @_spi(FrontEnd) public var pending: [Pending]
  /// The new messages to the user.
  @_spi(FrontEnd) public var notices: [Notice]

  /// Makes an update.
  @_spi(FrontEnd) public init(
    event: EventID?, revision: Revision, presentation: Presentation?, patch: Presentation.Patch? = nil,
    transition: Transition? = nil, checkpoint: Checkpoint.Change?, pending: [Pending] = [], notices: [Notice] = []
  ) {
    self.event = event
    self.revision = revision
    self.presentation = presentation
    self.patch = patch
    self.transition = transition
    self.checkpoint = checkpoint
    self.pending = pending
    self.notices = notices
  }
}
