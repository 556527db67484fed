@_spi(FrontEnd) import GangwayProtocol

/// A fact: a label with a value.
public struct LabeledContent: PrimitiveContent {
  let label: String
  let value: String

  /// Creates a fact.
  ///
  /// - Parameters:
  ///   - label: the subject of the fact.
  ///   - value: the value.
  public init(_ label: String, value: String) {
    self.label = label
    self.value = value
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.fact, label) { $0.value = value }
  }
}

/// A message that stays on the screen, unlike a notification.
public struct Banner: PrimitiveContent {
  /// The kind of a message.
  public enum Kind: Hashable, Sendable {
    /// Something worth knowing.
    case information
    /// Something was done.
    case success
    /// Something may go wrong.
    case warning
    /// Something went wrong.
    case problem

    var wire: Element.Role {
      switch self {
      case .information: .information
      case .success: .success
      case .warning: .warning
      case .problem: .problem
      }
    }
  }

  let kind: Kind
  let title: String
  let message: String?
  let actions: ContentGroup

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - kind: the kind of the message; a screen reader announces a problem at once.
  ///   - title: what happened.
  ///   - message: the reason and the fix; nil if the title is enough.
  ///   - actions: buttons and links for the message.
  public init(
    _ kind: Kind, _ title: String, message: String? = nil,
    @ContentBuilder actions: () -> ContentGroup = { ContentGroup() }
  ) {
    self.kind = kind
    self.title = title
    self.message = message
    self.actions = actions()
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(
      .banner, title,
      configure: {
        $0.role = kind.wire
        $0.detail = message
      }, children: { actions._render(into: renderer) })
  }
}

/// A message in place of missing content.
public struct Empty: PrimitiveContent {
  let title: String
  let symbol: String?
  let text: String?
  let action: ContentGroup

  /// Creates a message for missing content.
  ///
  /// - Parameters:
  ///   - title: what is missing.
  ///   - symbol: one or two characters.
  ///   - text: the reason, and what the user can do.
  ///   - action: the button for that.
  public init(
    _ title: String, symbol: String? = nil, text: String? = nil,
    @ContentBuilder action: () -> ContentGroup = { ContentGroup() }
  ) {
    self.title = title
    self.symbol = symbol
    self.text = text
    self.action = action()
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(
      .empty, title,
      configure: {
        $0.symbol = symbol
        $0.detail = text
      }, children: { action._render(into: renderer) })
  }
}

/// Lines that are only appended, such as the output of a running program.
///
/// A log shows the last ``maximumLines``, scrolled to the newest.
public struct Log: PrimitiveContent {
  /// The maximum number of lines that a front end gets.
  nonisolated public static let maximumLines = 500
  /// The maximum length of a line, in characters.
  static let maximumLength = 2000

  let label: String
  let lines: [String]
  let count: Int

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - label: the source of the lines.
  ///   - lines: the lines, the newest last.
  public init(_ label: String, lines: some BidirectionalCollection<String>) {
    self.label = label
    count = lines.count
    self.lines = lines.suffix(Self.maximumLines).map { line in
      line.utf8.count > Self.maximumLength ? String(line.prefix(Self.maximumLength)) + "…" : line
    }
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.log, label) {
      $0.lines = lines
      // The total number of lines, if some are left out.
      if count > lines.count { $0.value = "\(count)" }
    }
  }
}
