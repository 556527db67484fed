/// A recorded session: what it began with, then the person's events and the changes of the tree, in their order.
///
/// It is a JSON object a line: `{"kind":"gangway.recording",…}` first, then `{"event":…}`, `{"change":…}`, `{"restart":true}`.
/// The report of a crash has one at its end, whose last line is `{"failure":…}`. What was typed into a secure field is not
/// in it.
public struct Recording: Sendable {
  /// The first line.
  public struct Header: Codable, Hashable, Sendable {
    var kind = Recording.kind
    var format = 1
    /// The plugins that were there, by id, with their versions.
    public var plugins: [String: String]
    /// What the session began with; nil for a fresh one.
    public var checkpoint: Checkpoint?
    /// Whether guards were asked about what it began with, as for a stored session; nil stands for that they were.
    public var asksGuards: Bool?

    /// Makes a header.
    public init(plugins: [String: String], checkpoint: Checkpoint?, asksGuards: Bool = true) {
      self.plugins = plugins
      self.checkpoint = checkpoint
      self.asksGuards = asksGuards ? nil : false
    }
  }

  /// One of the lines that follow.
  public struct Entry: Codable, Hashable, Sendable {
    /// What the person did.
    public var event: Event?
    /// Whether the event's text is left out.
    public var redacted: Bool?
    /// What the event was done on, for people.
    public var on: String?
    /// What changed in the tree.
    public var change: Checkpoint.Change?
    /// Whether the host was ended here, and the session restored in the next.
    public var restart: Bool?
    /// How it ended, in words: the event before was being handled.
    public var failure: String?

    /// Makes an entry of one of them.
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

    /// An event as it may be kept: the text for a secure field is left out.
    public init(_ event: Event, on label: String, isSecure: Bool) {
      self.init(event: event, on: label)
      guard isSecure, case .edit(let target, _) = event.action else { return }
      self.event?.action = .edit(target, text: "")
      redacted = true
    }

    /// The event in words; nil where it is none.
    public var step: String? {
      event.map { (on ?? $0.name) + (redacted == true ? " (its text was left out)" : "") }
    }
  }

  /// Why something is no recording: what, and in which line.
  public struct Defect: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as the end of a sentence that begins with the file's name.
    public let description: String
  }

  static let kind = "gangway.recording"

  /// What the session began with.
  public let header: Header
  /// What happened.
  public let entries: [Entry]

  /// Makes a recording.
  public init(header: Header, entries: [Entry]) {
    self.header = header
    self.entries = entries
  }

  /// Reads a recording, or the one at the end of a crash report.
  ///
  /// - Throws: ``Defect`` naming the line that is none.
  public init(_ bytes: some Collection<UInt8>) throws {
    var header: Header?
    var entries: [Entry] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      // What a report says to people comes first.
      if header == nil, index > 0 || !line.starts(with: [UInt8(ascii: "{")]), !Self.isHeader(line) { continue }
      do {
        if header == nil {
          let first = try Line.decode(Header.self, from: Array(line))
          guard first.kind == Self.kind, first.format == 1 else {
            throw Defect(description: "is of kind '\(first.kind)', format \(first.format)")
          }
          header = first
        } else {
          entries.append(try Line.decode(Entry.self, from: Array(line)))
        }
      } catch let defect as Defect {
        throw defect
      } catch {
        throw Defect(description: "has in line \(index + 1) what is none of a recording: \(error)")
      }
    }
    guard let header else { throw Defect(description: "has no recording in it") }
    self.header = header
    self.entries = entries
  }

  private static func isHeader(_ line: some Collection<UInt8>) -> Bool {
    line.first == UInt8(ascii: "{") && String(decoding: line, as: UTF8.self).contains("\"kind\":\"\(kind)\"")
  }

  /// The recording as it is stored, a JSON object a line.
  ///
  /// - Throws: an encoding error.
  public func encoded() throws -> [UInt8] {
    try entries.reduce(into: try Line.encode(header)) { $0 += try Line.encode($1) }
  }

  /// How the recorded session ended; nil where nothing failed.
  public var failure: String? { entries.last?.failure }
}
