extension Element {
  /// The layout of a grid's cells, with the tints of its edges.
  @_spi(FrontEnd) public struct Board: Codable, Hashable, Sendable {
    /// The shape of a cell.
    public struct Shape: RawRepresentable, Codable, Hashable, Sendable {
      /// The word in messages.
      public let rawValue: String
      /// Makes a shape of a word. A front end draws an unknown shape in rows and columns.
      public init(rawValue: String) { self.rawValue = rawValue }
      /// Hexagons: each row is half a cell to the right of the row above, so that a cell has six neighbours.
      public static let hexagon = Shape(rawValue: "hexagon")
    }

    /// The shape of the cells.
    public var shape: Shape
    /// The tint of the edge above the first row; nil for an invisible edge.
    public var top: String?
    /// The tint of the edge below the last row; nil for an invisible edge.
    public var bottom: String?
    /// The tint of the edge before the first cell of each row; nil for an invisible edge.
    public var leading: String?
    /// The tint of the edge after the last cell of each row; nil for an invisible edge.
    public var trailing: String?

    /// Makes a board.
    public init(
      shape: Shape, top: String? = nil, bottom: String? = nil, leading: String? = nil, trailing: String? = nil
    ) {
      self.shape = shape
      self.top = top
      self.bottom = bottom
      self.leading = leading
      self.trailing = trailing
    }
  }
}

extension Element.Cell {
  private enum CodingKeys: String, CodingKey { case text, isEnabled, tint, isMarked }

  /// Reads a cell. Only its text is required.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      text: try fields.decode(String.self, forKey: .text),
      isEnabled: try fields.decodeIfPresent(Bool.self, forKey: .isEnabled) ?? true,
      tint: try fields.decodeIfPresent(String.self, forKey: .tint),
      isMarked: try fields.decodeIfPresent(Bool.self, forKey: .isMarked) ?? false)
  }

  /// Writes a cell. An unmarked cell has no field for the mark.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(text, forKey: .text)
    try fields.encode(isEnabled, forKey: .isEnabled)
    try fields.encodeIfPresent(tint, forKey: .tint)
    if isMarked { try fields.encode(true, forKey: .isMarked) }
  }
}
