extension Element {
  /// What few elements have: absent from the encoded form, and from memory, where an element has none of it.
  public struct Attributes: Hashable, Sendable {
    /// A character or two to stand before the label.
    public var symbol: String?
    /// A short text set apart from the label, such as a count.
    public var badge: String?
    /// What the element is for, for somebody who asks.
    public var help: String?
    /// The keys that press it, such as `ctrl+s`; see ``Shortcut``.
    public var shortcut: String?
    /// What is wrong with what an input holds, or with what an element was to show.
    public var problem: String?
    /// Whether an input must be filled.
    public var isRequired = false
    /// Whether Enter in a field does something: the front end sends `submit`.
    public var submits = false
    /// Whether what a row or disclosure holds is shown; nil where there is nothing to expand.
    public var isExpanded: Bool?
    /// How deep a row of a tree stands, or a heading, from 1.
    public var level: Int?
    /// Names a row in a selection and in a window.
    public var key: String?
    /// The least that a number or date may be, written as in `value`; nil where there is no least.
    public var minimum: String?
    /// The most that a number or date may be, written as in `value`; nil where there is no most.
    public var maximum: String?
    /// How far one step of a number goes; nil stands for 1.
    public var step: String?
    /// How many rows of a list or table can be selected.
    public var selects: SelectionMode?
    /// The keys of the rows that are selected.
    public var selection: [String]?
    /// The keys of a table's rows, in the order of its cells without the header.
    public var keys: [String]?
    /// How many rows a list or table has, where not all of them are in it: a front end asks for others with the event `window`.
    public var rowCount: Int?
    /// Which of its rows comes first here, from 0, where not all of them are in it.
    public var firstRow: Int?
    /// The columns of a table, where more is to be said of them than their titles.
    public var columns: [Column]?
    /// The text in pieces that look or lead differently; `label` holds the same text.
    public var runs: [Run]?
    /// The last lines of a log, the newest last.
    public var lines: [String]?
    /// A picture.
    public var image: ImageData?
    /// What a chart shows.
    public var chart: ChartData?
    /// What a drawing shows, in the order in which it is drawn.
    public var paths: [Path]?
    /// How the cells of a grid lie, where not in rows and columns alone.
    public var board: Board?

    /// Makes attributes of which none is set.
    public init() {}
  }

  /// How many rows can be selected.
  public struct SelectionMode: RawRepresentable, Codable, Hashable, Sendable {
    /// The word that stands in messages.
    public let rawValue: String
    /// Makes a mode from the word that stands in messages.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// One or none.
    public static let one = SelectionMode(rawValue: "one")
    /// Any number.
    public static let several = SelectionMode(rawValue: "several")
  }

  /// One column of a table.
  public struct Column: Codable, Hashable, Sendable {
    /// How rows are sorted.
    public enum Order: String, Codable, Hashable, Sendable {
      /// The least first.
      case ascending
      /// The greatest first.
      case descending
    }

    /// Names the column in events.
    public var id: String
    /// What the person reads.
    public var title: String
    /// Whether rows can be sorted by it; absent where not.
    public var isSortable: Bool?
    /// How the rows are sorted by it now; absent where they are not.
    public var order: Order?
    /// Whether values stand at the end of the column, as numbers do; absent where not.
    public var isTrailing: Bool?

    /// Makes a column.
    public init(
      id: String, title: String, isSortable: Bool? = nil, order: Order? = nil, isTrailing: Bool? = nil
    ) {
      self.id = id
      self.title = title
      self.isSortable = isSortable
      self.order = order
      self.isTrailing = isTrailing
    }
  }

  /// A piece of text that looks the same throughout.
  public struct Run: Codable, Hashable, Sendable {
    /// How a piece of text is set apart.
    public struct Style: RawRepresentable, Codable, Hashable, Sendable {
      /// The word that stands in messages.
      public let rawValue: String
      /// Makes a style from the word that stands in messages.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// Emphasis.
      public static let italic = Style(rawValue: "italic")
      /// Strong emphasis.
      public static let bold = Style(rawValue: "bold")
      /// Code.
      public static let code = Style(rawValue: "code")
      /// Struck through.
      public static let struck = Style(rawValue: "struck")
    }

    /// The text.
    public var text: String
    /// How it is set apart; absent where it is not.
    public var styles: [Style]?
    /// Where it leads: a URL of the app, which `open` takes, or another, which the front end may open by itself.
    public var url: String?

    /// Makes a piece of text.
    public init(_ text: String, _ styles: [Style] = [], url: String? = nil) {
      self.text = text
      self.styles = styles.isEmpty ? nil : styles
      self.url = url
    }
  }

  /// A picture, as its file has it.
  public struct ImageData: Codable, Hashable, Sendable {
    /// The media type: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    public var type: String
    /// How wide it is, in pixels.
    public var width: Int
    /// How high it is, in pixels.
    public var height: Int
    /// The file's bytes, in Base64 (RFC 4648, section 4).
    public var base64: String

    /// Makes a picture.
    public init(type: String, width: Int, height: Int, base64: String) {
      self.type = type
      self.width = width
      self.height = height
      self.base64 = base64
    }
  }

  /// What a chart shows: for each place on its horizontal axis a value of each series.
  public struct ChartData: Codable, Hashable, Sendable {
    /// How values are drawn.
    public struct Style: RawRepresentable, Codable, Hashable, Sendable {
      /// The word that stands in messages.
      public let rawValue: String
      /// Makes a style from the word that stands in messages.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// Points joined by a line.
      public static let line = Style(rawValue: "line")
      /// A bar for each value.
      public static let bar = Style(rawValue: "bar")
      /// A line, filled down to zero.
      public static let area = Style(rawValue: "area")
      /// Parts of a whole.
      public static let pie = Style(rawValue: "pie")
    }

    /// The values of one kind.
    public struct Series: Codable, Hashable, Sendable {
      /// What the person reads.
      public var name: String
      /// A value for each place; nil where there is none.
      public var values: [Double?]
      /// Makes a series.
      public init(name: String, values: [Double?]) {
        self.name = name
        self.values = values
      }
    }

    /// How it is drawn.
    public var style: Style
    /// What the horizontal axis is of; may be empty.
    public var title: String
    /// What stands at each place of the horizontal axis.
    public var labels: [String]
    /// Where each place is, in units of the axis; absent where they are all equally far from each other.
    public var positions: [Double]?
    /// The values.
    public var series: [Series]

    /// Makes the data of a chart.
    public init(style: Style, title: String, labels: [String], positions: [Double]? = nil, series: [Series]) {
      self.style = style
      self.title = title
      self.labels = labels
      self.positions = positions
      self.series = series
    }

    /// The same as rows of cells, the header first.
    public var table: [[String]] {
      [[title] + series.map(\.name)]
        + labels.indices.map { row in
          [labels[row]]
            + series.map { $0.values.indices.contains(row) ? $0.values[row].map(ChartData.text) ?? "" : "" }
        }
    }

    /// A value as a person reads it: whole numbers without a fraction, others with three digits of it at the most.
    public static func text(_ value: Double) -> String {
      guard value.isFinite else { return "" }
      guard abs(value) < 1e15 else { return "\(value)" }
      let thousandths = (value * 1000).rounded() / 1000
      return thousandths == thousandths.rounded() ? "\(Int64(thousandths))" : "\(thousandths)"
    }
  }

  /// A line or surface of a drawing.
  public struct Path: Codable, Hashable, Sendable {
    /// The commands in the format of SVG 2 path data, with absolute `M`, `L`, `Q`, `C` and `Z` alone. The drawing's corners are 0 0
    /// at the top left and 1 1 at the bottom right.
    public var d: String
    /// The colour of its line, as a word; absent where it has none.
    public var stroke: String?
    /// The colour of what it encloses, as a word; absent where it is not filled.
    public var fill: String?
    /// How wide its line is, in parts of the drawing's width; absent stands for a hundredth.
    public var width: Double?

    /// Makes a path.
    public init(d: String, stroke: String? = nil, fill: String? = nil, width: Double? = nil) {
      self.d = d
      self.stroke = stroke
      self.fill = fill
      self.width = width
    }
  }
}

/// Where an element keeps its attributes, if it has any: few do, and a presentation has many elements.
struct AttributeStorage: Hashable, Sendable {
  private final class Box: Sendable {
    let attributes: Element.Attributes
    init(_ attributes: Element.Attributes) { self.attributes = attributes }
  }

  private static let none = Element.Attributes()
  private var box: Box?

  var attributes: Element.Attributes {
    get { box?.attributes ?? Self.none }
    set { box = newValue == Self.none ? nil : Box(newValue) }
  }

  var isEmpty: Bool { box == nil }

  static func == (first: AttributeStorage, second: AttributeStorage) -> Bool {
    first.box === second.box || first.attributes == second.attributes
  }

  func hash(into hasher: inout Hasher) { hasher.combine(attributes) }
}

extension Element.Attributes {
  /// Reads the attributes that are there.
  init(_ fields: KeyedDecodingContainer<Element.CodingKeys>) throws {
    func value<Value: Decodable>(_ key: Element.CodingKeys) throws -> Value? {
      try fields.decodeIfPresent(Value.self, forKey: key)
    }
    symbol = try value(.symbol)
    badge = try value(.badge)
    help = try value(.help)
    shortcut = try value(.shortcut)
    problem = try value(.problem)
    isRequired = try value(.required) ?? false
    submits = try value(.submits) ?? false
    isExpanded = try value(.expanded)
    level = try value(.level)
    key = try value(.key)
    minimum = try value(.minimum)
    maximum = try value(.maximum)
    step = try value(.step)
    selects = try value(.selects)
    selection = try value(.selection)
    keys = try value(.keys)
    rowCount = try value(.rowCount)
    firstRow = try value(.firstRow)
    columns = try value(.columns)
    runs = try value(.runs)
    lines = try value(.lines)
    image = try value(.image)
    chart = try value(.chart)
    paths = try value(.paths)
    board = try value(.board)
  }

  /// Writes the attributes that are set.
  func encode(to fields: inout KeyedEncodingContainer<Element.CodingKeys>) throws {
    try fields.encodeIfPresent(symbol, forKey: .symbol)
    try fields.encodeIfPresent(badge, forKey: .badge)
    try fields.encodeIfPresent(help, forKey: .help)
    try fields.encodeIfPresent(shortcut, forKey: .shortcut)
    try fields.encodeIfPresent(problem, forKey: .problem)
    if isRequired { try fields.encode(true, forKey: .required) }
    if submits { try fields.encode(true, forKey: .submits) }
    try fields.encodeIfPresent(isExpanded, forKey: .expanded)
    try fields.encodeIfPresent(level, forKey: .level)
    try fields.encodeIfPresent(key, forKey: .key)
    try fields.encodeIfPresent(minimum, forKey: .minimum)
    try fields.encodeIfPresent(maximum, forKey: .maximum)
    try fields.encodeIfPresent(step, forKey: .step)
    try fields.encodeIfPresent(selects, forKey: .selects)
    try fields.encodeIfPresent(selection, forKey: .selection)
    try fields.encodeIfPresent(keys, forKey: .keys)
    try fields.encodeIfPresent(rowCount, forKey: .rowCount)
    try fields.encodeIfPresent(firstRow, forKey: .firstRow)
    try fields.encodeIfPresent(columns, forKey: .columns)
    try fields.encodeIfPresent(runs, forKey: .runs)
    try fields.encodeIfPresent(lines, forKey: .lines)
    try fields.encodeIfPresent(image, forKey: .image)
    try fields.encodeIfPresent(chart, forKey: .chart)
    try fields.encodeIfPresent(paths, forKey: .paths)
    try fields.encodeIfPresent(board, forKey: .board)
  }
}
