/// What a host tells a front end after something happened in a session.
public struct Update: Codable, Hashable, Sendable {
  /// Work that an event or a screen started and that has not ended.
  public struct Pending: Codable, Hashable, Sendable {
    /// The event that started it; nil for the work of a screen.
    public var event: EventID?
    /// The plugin whose code it is.
    public var plugin: String?
    /// Whether it waits for what the person does next: a flow's result, a guard's question. Absent where it does not (1.3).
    public var isWaiting: Bool?
    /// Makes an item.
    public init(event: EventID?, plugin: String?, isWaiting: Bool = false) {
      self.event = event
      self.plugin = plugin
      self.isWaiting = isWaiting ? true : nil
    }
  }

  /// One line for the person.
  public struct Notice: Codable, Hashable, Sendable {
    /// How it is meant.
    public enum Kind: String, Codable, Hashable, Sendable {
      /// Worth knowing.
      case information
      /// What was asked for was not done.
      case refusal
      /// Something is broken.
      case failure
    }
    /// How it is meant.
    public var kind: Kind
    /// What happened, why, and what to do.
    public var text: String
    /// The plugin it is about.
    public var plugin: String?
    /// The same for a developer, where the person is told something else: for logs and tests, not for the screen.
    public var detail: String?
    /// Names it in the event that undoes what it tells of; nil where that cannot be undone (1.3).
    public var undo: NoticeID?
    /// Makes a notice.
    public init(_ kind: Kind, _ text: String, plugin: String? = nil, detail: String? = nil) {
      self.kind = kind
      self.text = text
      self.plugin = plugin
      self.detail = detail == text ? nil : detail
    }

    /// What a developer reads.
    public var developerText: String { detail ?? text }
  }

  /// The event it answers; nil for a change that came by itself.
  public var event: EventID?
  /// The presentation's number now.
  public var revision: Revision
  /// The presentation, whole; nil when it is what it was.
  public var presentation: Presentation?
  /// What makes the presentation of the one sent before, in place of the whole; only to clients that take patches (1.3).
  public var patch: Presentation.Patch?
  /// How what is seen came to be what it is; nil where the same is on top as before (1.3).
  public var transition: Transition?
  /// What to fold into the checkpoint; nil when nothing changed.
  public var checkpoint: Checkpoint.Change?
  /// The work that has not ended.
  public var pending: [Pending]
  /// What to tell the person.
  public var notices: [Notice]

  /// Makes an update.
  public init(
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
