extension Element {
  /// How the cells of a grid lie, and what stands at its edges.
  public struct Board: Codable, Hashable, Sendable {
    /// What shape cells have.
    public struct Shape: RawRepresentable, Codable, Hashable, Sendable {
      /// The word that stands in messages.
      public let rawValue: String
      /// Makes a shape of a word; front ends draw one that they do not know in rows and columns.
      public init(rawValue: String) { self.rawValue = rawValue }
      /// Hexagons: each row stands half a cell to the right of the one above it, so that a cell has six neighbours.
      public static let hexagon = Shape(rawValue: "hexagon")
    }

    /// The shape of the cells.
    public var shape: Shape
    /// The tint of the edge above the first row; nil where none is to be seen.
    public var top: String?
    /// The tint of the edge below the last row.
    public var bottom: String?
    /// The tint of the edge before the first cell of each row.
    public var leading: String?
    /// The tint of the edge after the last cell of each row.
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

  /// Reads a cell; only its text must be there.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      text: try fields.decode(String.self, forKey: .text),
      isEnabled: try fields.decodeIfPresent(Bool.self, forKey: .isEnabled) ?? true,
      tint: try fields.decodeIfPresent(String.self, forKey: .tint),
      isMarked: try fields.decodeIfPresent(Bool.self, forKey: .isMarked) ?? false)
  }

  /// Writes a cell, without the mark where it has none.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(text, forKey: .text)
    try fields.encode(isEnabled, forKey: .isEnabled)
    try fields.encodeIfPresent(tint, forKey: .tint)
    if isMarked { try fields.encode(true, forKey: .isMarked) }
  }
}
