/// A recorded session: its start, then the user's events and the changes of the tree, in order.
///
/// A recording has one JSON object on each line. `{"kind":"gangway.recording",…}` comes first, then `{"event":…}`,
/// `{"change":…}`, `{"restart":true}`. A crash report ends with a recording, whose last line is `{"failure":…}`. The
/// text of secure fields is never included.
@_spi(FrontEnd) public struct Recording: Sendable {
  /// The first line.
  public struct Header: Codable, Hashable, Sendable {
    var kind = Recording.kind
    var format = 1
    /// The plugins whose contributions the app had, by id, with their versions. Most were not loaded.
    public var plugins: [PluginID: String]
    /// The files of the plugins, by id.
    public var files: [PluginID: String]?
    /// The path of the app's configuration; nil for none.
    public var configuration: String?
    /// The checkpoint at the start of the session; nil for a new session.
    public var checkpoint: Checkpoint?
    /// Whether guards ran for the checkpoint at the start, as for a stored session; nil means true.
    public var asksGuards: Bool?

    /// Makes a header.
    public init(plugins: [PluginID: String], checkpoint: Checkpoint?, asksGuards: Bool = true) {
      self.plugins = plugins
      self.checkpoint = checkpoint
      self.asksGuards = asksGuards ? nil : false
    }
  }

  /// One line after the header.
  public struct Entry: Codable, Hashable, Sendable {
    /// The user's event.
    public var event: Event?
    /// Whether the event's text is left out.
    package var redacted: Bool?
    /// The target of the event, in words.
    public var on: String?
    /// The label of the event's element, or the title of its tab.
    public var label: String?
    /// The kind of the event's element.
    package var kind: Element.Kind?
    /// The time since the event before, in seconds; of a failure, the time since the last event.
    public var pause: Double?
    /// The change of the tree.
    public var change: Checkpoint.Change?
    /// Whether the host ended here, and the next one restored the session.
    public var restart: Bool?
    /// The end of the session, in words. The host was handling the previous event.
    package var failure: String?
    /// The message of the fatal error, with its file and line; nil if the failure had none.
    public var message: String?
    /// The innermost call of the feature's code at the crash, with its file and line; nil if it is not known.
    public var call: String?

    /// Makes an entry with one of these values.
    public init(
      event: Event? = nil, on: String? = nil, change: Checkpoint.Change? = nil, restart: Bool? = nil,
      failure: String? = nil
    ) {
      self.event = event
      self.on = on
      self.change = change
      self.restart = restart
      self.failure = failure
    }

    /// Makes an entry of an event. The text for a secure field is left out.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - words: the target of the event, in words.
    ///   - element: the event's element on the screen.
    ///   - pause: the time since the event before, in seconds.
    public init(_ event: Event, on words: String, _ element: Element? = nil, pause: Double? = nil) {
      self.init(event: event, on: words)
      (label, kind, self.pause) = (element?.label, element?.kind, pause)
      guard element?.role == .secure, case .edit(let target, _) = event.action else { return }
      self.event?.action = .edit(target, text: "")
      redacted = true
    }

    /// The event in words; nil if the entry has no event.
    public var step: String? {
      event.map { (on ?? $0.name) + (redacted == true ? " (its text was left out)" : "") }
    }
  }

  /// Returns the reason why an entry's event does not fit an element that is on the screen now; nil if it fits.
  public static func mismatch(of entry: Entry, with element: Element) -> String? {
    guard let kind = entry.kind, let label = entry.label, kind != element.kind || label != element.label else {
      return nil
    }
    return "the element #\(element.id) was the \(kind.rawValue) '\(label)', and is the \(element.kind.rawValue) "
      + "'\(element.label)' now"
  }

  /// The reason why a file is not a recording, with the line.
  public struct Defect: Error, Hashable, Sendable, CustomStringConvertible {
    /// The defect, as the end of a sentence that begins with the file's name.
    public let description: String
  }

  static let kind = "gangway.recording"

  /// The start of the session.
  public let header: Header
  /// The events and changes, in order.
  public let entries: [Entry]

  /// Makes a recording.
  public init(header: Header, entries: [Entry]) {
    self.header = header
    self.entries = entries
  }

  /// Reads a recording, also at the end of a crash report.
  ///
  /// - Throws: ``Defect``, which names the first wrong line.
  public init(_ bytes: some Collection<UInt8>) throws {
    var header: Header?
    var entries: [Entry] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      // A crash report begins with text for users.
      if header == nil, index > 0 || !line.starts(with: [UInt8(ascii: "{")]), !Self.isHeader(line) { continue }
      do {
        if header == nil {
          let first = try Line.decode(Header.self, from: Array(line))
          guard first.kind == Self.kind, first.format == 1 else {
            throw Defect(
              description: "is of kind '\(first.kind)', format \(first.format); this version reads kind "
                + "'\(Self.kind)', format 1")
          }
          header = first
        } else {
          entries.append(try Line.decode(Entry.self, from: Array(line)))
        }
      } catch let defect as Defect {
        throw defect
      } catch {
        throw Defect(description: "has an invalid entry in line \(index + 1): \(error)")
      }
    }
    guard let header else { throw Defect(description: "contains no recording") }
    self.header = header
    self.entries = entries
  }

  private static func isHeader(_ line: some Collection<UInt8>) -> Bool {
    line.first == UInt8(ascii: "{") && String(decoding: line, as: UTF8.self).contains("\"kind\":\"\(kind)\"")
  }

  /// Returns the stored form of the recording, one JSON object on a line.
  ///
  /// - Throws: an encoding error.
  public func encoded() throws -> [UInt8] {
    try entries.reduce(into: try Line.encode(header)) { $0 += try Line.encode($1) }
  }

  /// Returns the recording with the fatal error's message and call in its last entry, which is the failure.
  public func failing(message: String?, call: String?) -> Recording {
    guard var end = entries.last, end.failure != nil else { return self }
    (end.message, end.call) = (message, call)
    return Recording(header: header, entries: entries.dropLast() + [end])
  }

  /// The failure at the end of the recorded session; nil if nothing failed.
  public var failure: String? { entries.last?.failure }
}
