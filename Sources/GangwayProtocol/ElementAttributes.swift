extension Element {
  /// The rare fields of an element. An element without them has them neither in its encoded form nor in memory.
  @_spi(FrontEnd) public struct Attributes: Hashable, Sendable {
    /// One or two characters before the label.
    public var symbol: String?
    /// A short text set apart from the label, such as a count.
    public var badge: String?
    /// An explanation of the element, on request.
    public var help: String?
    /// The keys that press the element, such as `ctrl+s`; see ``Shortcut``.
    public var shortcut: String?
    /// The URL that opens what a press of the element opens; nil if no link does.
    public var url: String?
    /// The problem of an input's value or of the element's content.
    public var problem: String?
    /// Whether an input needs a value.
    public var isRequired = false
    /// Whether Enter in a field does something: the front end sends `submit`.
    public var submits = false
    /// Whether the content of a row or disclosure is visible; nil if there is nothing to expand.
    public var isExpanded: Bool?
    /// The depth of a row in a tree, or the level of a heading, from 1.
    public var level: Int?
    /// The name of a row in a selection and in a window.
    public var key: String?
    /// The minimum of a number or date, in the format of `value`; nil for no minimum.
    public var minimum: String?
    /// The maximum of a number or date, in the format of `value`; nil for no maximum.
    public var maximum: String?
    /// The size of one step of a number; nil means 1.
    public var step: String?
    /// The files that can be chosen, such as `.csv`, `text/csv` or `image/*`; nil for any file.
    public var accepts: [String]?
    /// The most bytes of a file that can be chosen.
    public var maximumBytes: Int?
    /// How many rows of a list or table can be selected.
    public var selects: SelectionMode?
    /// The keys of the selected rows.
    public var selection: [String]?
    /// The keys of a table's rows, in the order of its cells without the header.
    public var keys: [String]?
    /// The total number of rows of a list or table that contains only some. The event `window` asks for others.
    public var rowCount: Int?
    /// The index of the first contained row, from 0, if the list or table contains only some.
    public var firstRow: Int?
    /// The columns of a table, if they have more than titles.
    public var columns: [Column]?
    /// The text in pieces with different styles or links. `label` has the same text.
    public var runs: [Run]?
    /// The last lines of a log, the newest last.
    public var lines: [String]?
    /// A picture.
    public var image: ImageData?
    /// The content of a chart.
    public var chart: ChartData?
    /// The content of a drawing, in drawing order.
    public var paths: [Path]?
    /// The layout of a grid's cells, if it is not just rows and columns.
    public var board: Board?

    /// Makes attributes, none of them set.
    package init() {}
  }

  /// How many rows can be selected.
  @_spi(FrontEnd) public enum SelectionMode: String, Codable, Hashable, Sendable {
    /// One or none.
    case one
    /// Any number.
    case several

    /// Reads the word. A word that this version does not know counts as `one`.
    public init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .one
    }
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

    /// The name of the column in events.
    @_spi(FrontEnd) public var id: String
    /// The visible text.
    package var title: String
    /// Whether rows can be sorted by this column; absent if not.
    @_spi(FrontEnd) public var isSortable: Bool?
    /// The current order of the rows by this column; absent if this column does not sort them.
    @_spi(FrontEnd) public var order: Order?
    /// Whether values are at the end of the column, such as numbers; absent if not.
    @_spi(FrontEnd) public var isTrailing: Bool?

    /// Makes a column.
    @_spi(FrontEnd) public init(
      id: String, title: String, isSortable: Bool? = nil, order: Order? = nil, isTrailing: Bool? = nil
    ) {
      self.id = id
      self.title = title
      self.isSortable = isSortable
      self.order = order
      self.isTrailing = isTrailing
    }
  }

  /// A piece of text with one style.
  @_spi(FrontEnd) public struct Run: Codable, Hashable, Sendable {
    /// A style of a piece of text.
    public struct Style: RawRepresentable, Codable, Hashable, Sendable {
      /// The word in messages.
      public let rawValue: String
      /// Makes a style from the word in messages.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// Emphasized text.
      public static let italic = Style(rawValue: "italic")
      /// Strongly emphasized text.
      public static let bold = Style(rawValue: "bold")
      /// Code.
      public static let code = Style(rawValue: "code")
      /// Struck through.
      public static let struck = Style(rawValue: "struck")
    }

    /// The text.
    public var text: String
    /// The styles of the text; absent if it has none.
    public var styles: [Style]?
    /// The link target: a URL of the app for the event `open`, or another URL that the front end may open itself.
    public var url: String?

    /// Makes a piece of text.
    public init(_ text: String, _ styles: [Style] = [], url: String? = nil) {
      self.text = text
      self.styles = styles.isEmpty ? nil : styles
      self.url = url
    }
  }

  /// An image, with the bytes of its file.
  @_spi(FrontEnd) public struct ImageData: Codable, Hashable, Sendable {
    /// The media type: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    public var type: String
    /// The width, in pixels.
    public var width: Int
    /// The height, in pixels.
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

  /// The content of a chart: a value of each series for each place on the horizontal axis.
  @_spi(FrontEnd) public struct ChartData: Codable, Hashable, Sendable {
    /// A way to draw values.
    public enum Style: String, Codable, Hashable, Sendable {
      /// Points joined by a line.
      case line
      /// A bar for each value.
      case bar
      /// A line, filled down to zero.
      case area
      /// Parts of a whole.
      case pie

      /// Reads the word. A word that this version does not know counts as `line`.
      public init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .line
      }
    }

    /// The values of one kind.
    public struct Series: Codable, Hashable, Sendable {
      /// The visible text.
      public var name: String
      /// A value for each place; nil for no value.
      public var values: [Double?]
      /// Makes a series.
      public init(name: String, values: [Double?]) {
        self.name = name
        self.values = values
      }
    }

    /// The way to draw the chart.
    public var style: Style
    /// The title of the horizontal axis. It may be empty.
    public var title: String
    /// The label of each place on the horizontal axis.
    public var labels: [String]
    /// The position of each place, in units of the axis; absent if all distances are equal.
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

    /// The chart as rows of cells, the header first.
    public var table: [[String]] {
      [[title] + series.map(\.name)]
        + labels.indices.map { row in
          [labels[row]]
            + series.map { $0.values.indices.contains(row) ? $0.values[row].map(ChartData.text) ?? "" : "" }
        }
    }

    /// Returns a value as text for users: integers without a fraction, others with at most three decimal places.
    public static func text(_ value: Double) -> String {
      guard value.isFinite else { return "" }
      guard abs(value) < 1e15 else { return "\(value)" }
      let thousandths = (value * 1000).rounded() / 1000
      return thousandths == thousandths.rounded() ? "\(Int64(thousandths))" : "\(thousandths)"
    }
  }

  /// A line or surface of a drawing.
  @_spi(FrontEnd) public struct Path: Codable, Hashable, Sendable {
    /// The commands in the format of SVG 2 path data, only with absolute `M`, `L`, `Q`, `C` and `Z`.
    ///
    /// The drawing's corners are 0 0 at the top left and 1 1 at the bottom right.
    public var d: String
    /// The colour of the line, as a word; absent if there is no line.
    public var stroke: String?
    /// The fill colour, as a word; absent if the path is not filled.
    public var fill: String?
    /// The width of the line, as a fraction of the drawing's width; absent means a hundredth.
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

/// The storage of an element's attributes. Few elements have any, and a presentation has many elements.
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
  /// Reads the present attributes.
  init(_ fields: KeyedDecodingContainer<Element.CodingKeys>) throws {
    func value<Value: Decodable>(_ key: Element.CodingKeys) throws -> Value? {
      try fields.decodeIfPresent(Value.self, forKey: key)
    }
    symbol = try value(.symbol)
    badge = try value(.badge)
    help = try value(.help)
    shortcut = try value(.shortcut)
    url = try value(.url)
    problem = try value(.problem)
    isRequired = try value(.required) ?? false
    submits = try value(.submits) ?? false
    isExpanded = try value(.expanded)
    level = try value(.level)
    key = try value(.key)
    minimum = try value(.minimum)
    maximum = try value(.maximum)
    step = try value(.step)
    accepts = try value(.accepts)
    maximumBytes = try value(.maximumBytes)
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
    try fields.encodeIfPresent(url, forKey: .url)
    try fields.encodeIfPresent(problem, forKey: .problem)
    if isRequired { try fields.encode(true, forKey: .required) }
    if submits { try fields.encode(true, forKey: .submits) }
    try fields.encodeIfPresent(isExpanded, forKey: .expanded)
    try fields.encodeIfPresent(level, forKey: .level)
    try fields.encodeIfPresent(key, forKey: .key)
    try fields.encodeIfPresent(minimum, forKey: .minimum)
    try fields.encodeIfPresent(maximum, forKey: .maximum)
    try fields.encodeIfPresent(step, forKey: .step)
    try fields.encodeIfPresent(accepts, forKey: .accepts)
    try fields.encodeIfPresent(maximumBytes, forKey: .maximumBytes)
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
