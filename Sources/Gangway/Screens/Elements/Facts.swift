import GangwayProtocol

/// A label and what it says: one fact among several.
public struct LabeledContent: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let value: String

  /// Makes a fact.
  ///
  /// - Parameters:
  ///   - label: what it is about.
  ///   - value: what is said of it.
  public init(_ label: String, value: String) {
    self.label = label
    self.value = value
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) { renderer.add(.fact, label) { $0.value = value } }
}

/// A message that stands on the screen, where a notice would pass.
public struct Banner: Content {
  /// How a message is meant.
  public struct Kind: Hashable, Sendable {
    let wire: Element.Role

    /// Worth knowing.
    public static let information = Kind(wire: .information)
    /// Something was done.
    public static let success = Kind(wire: .success)
    /// Something may go wrong.
    public static let warning = Kind(wire: .warning)
    /// Something went wrong.
    public static let problem = Kind(wire: .problem)
  }

  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let kind: Kind
  let title: String
  let message: String?
  let actions: ContentGroup

  /// Makes a message.
  ///
  /// - Parameters:
  ///   - kind: how it is meant; a problem is read aloud at once.
  ///   - title: what happened.
  ///   - message: why, and what to do; nil where the title says it all.
  ///   - actions: buttons and links that belong to it.
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
  public func _render(into renderer: ContentRenderer) {
    renderer.add(
      .banner, title,
      configure: {
        $0.role = kind.wire
        $0.detail = message
      }, children: { actions._render(into: renderer) })
  }
}

/// What is said in a place where there is nothing yet.
public struct Empty: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let title: String
  let symbol: String?
  let text: String?
  let action: ContentGroup

  /// Makes the words for a place where there is nothing.
  ///
  /// - Parameters:
  ///   - title: what is not there.
  ///   - symbol: a character or two.
  ///   - text: why, and what can be done.
  ///   - action: the button that does it.
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
  public func _render(into renderer: ContentRenderer) {
    renderer.add(
      .empty, title,
      configure: {
        $0.symbol = symbol
        $0.detail = text
      }, children: { action._render(into: renderer) })
  }
}

/// Lines that are only added to: what a program says as it runs.
///
/// The last ``maximumLines`` are shown, the newest in sight.
public struct Log: Content {
  /// How many lines a front end gets.
  nonisolated public static let maximumLines = 500
  /// How much of a line is shown, in characters.
  static let maximumLength = 2000

  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let lines: [String]
  let count: Int

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - label: whose it is.
  ///   - lines: what was said, the newest last.
  public init(_ label: String, lines: some BidirectionalCollection<String>) {
    self.label = label
    count = lines.count
    self.lines = lines.suffix(Self.maximumLines).map { line in
      line.utf8.count > Self.maximumLength ? String(line.prefix(Self.maximumLength)) + "…" : line
    }
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.log, label) {
      $0.lines = lines
      // How many there are altogether, where there are more.
      if count > lines.count { $0.value = "\(count)" }
    }
  }
}
