extension Presentation {
  /// The difference between two presentations. Small changed fields are whole; screens have only the
  /// changes of their elements.
  @_spi(FrontEnd) public struct Patch: Hashable, Sendable {
    /// The revision of the presentation before the patch.
    package var base: Revision
    /// The revision of the presentation after the patch.
    package var revision: Revision
    /// The tab bars, if they changed.
    package var tabBars: [[Tab]]?
    /// The end of the path, if the path changed.
    package var path: PathEnd?
    /// Whether `back` would do anything, if this changed.
    package var canGoBack: Bool?
    /// The current activity, if it changed; `.some(nil)` if it is over.
    package var activity: String??
    /// The URL of the current screen, if it changed; `.some(nil)` if no link opens the screen.
    package var url: String??
    /// Whether a visible screen has a leave guard, if this changed.
    package var asksBeforeLeaving: Bool?
    /// The layers without their elements, if anything else in them changed.
    package var layers: [Layer]?
    /// The changes of the layers' screens.
    package var screens: [ScreenPatch]
  }

  /// The entries of a path that differ from the path before the patch.
  package struct PathEnd: Hashable, Sendable {
    /// The index of the first entry that differs, from 0.
    package var from: Int
    /// The entries from this index on.
    package var items: [PathItem]

    /// Makes the end of a path; nil if the path is the same as before.
    init?(of path: VisiblePath, after old: VisiblePath) {
      from = path.commonItems(with: old)
      if from == path.count, from == old.count { return nil }
      items = path.items(from: from)
    }

    init(from: Int, items: [PathItem]) { (self.from, self.items) = (from, items) }
  }

  /// The changed elements of one screen, in a layer or in one of its panes.
  package struct ScreenPatch: Codable, Hashable, Sendable {
    /// New elements, each one whole.
    package struct Insertion: Codable, Hashable, Sendable {
      /// The parent element; nil for the screen itself.
      package var parent: ElementID?
      /// The index of the first new element after the patch, from 0.
      package var at: Int
      /// The elements.
      package var elements: [Element]
    }

    /// An element with another index in the same parent.
    package struct Move: Codable, Hashable, Sendable {
      /// The element.
      package var id: ElementID
      /// The index after the patch, from 0.
      package var at: Int
    }

    /// The screen's node.
    package var node: NodeID
    /// All elements, if that is shorter or the screen is new. The patch then has nothing else.
    package var elements: [Element]?
    /// The removed elements. Their descendants are removed too.
    package var remove: [ElementID]?
    /// The new elements.
    package var insert: [Insertion]?
    /// The elements with another index.
    package var move: [Move]?
    /// The changed fields of elements, except new ones.
    package var set: [ElementChange]?
  }

  /// The error of a patch for another presentation. Its receiver asks for the whole presentation with `resync`.
  @_spi(FrontEnd) public struct PatchMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mismatch.
    public let description: String
  }

  /// The screens of all layers, in the order of patches.
  private var screens: [(node: NodeID, elements: [Element])] {
    layers.flatMap { layer in layer.columns.map { ($0.node, $0.elements) } }
  }

  /// Returns the layers without their elements.
  private static func frames(_ layers: [Layer]) -> [Layer] {
    layers.map { layer in
      var frame = layer
      frame.elements = []
      frame.panes = layer.panes?.map { pane in
        var pane = pane
        pane.elements = []
        return pane
      }
      return frame
    }
  }

  /// Returns the patch from another presentation to this one.
  ///
  /// - Returns: nil if only the whole presentation can express the change: it has no layer, or one of the two has a
  ///   node twice.
  @_spi(FrontEnd) public func patch(from old: Presentation) -> Patch? {
    let (before, now) = (old.screens, screens)
    guard !layers.isEmpty, Set(before.map(\.node)).count == before.count, Set(now.map(\.node)).count == now.count else {
      return nil
    }
    let known = Dictionary(uniqueKeysWithValues: before.map { ($0.node, $0.elements) })
    let (frames, oldFrames) = (Self.frames(layers), Self.frames(old.layers))
    return Patch(
      base: old.revision, revision: revision, tabBars: tabBars == old.tabBars ? nil : tabBars,
      path: PathEnd(of: visiblePath, after: old.visiblePath), canGoBack: canGoBack == old.canGoBack ? nil : canGoBack,
      activity: activity == old.activity ? nil : .some(activity), url: url == old.url ? nil : .some(url),
      asksBeforeLeaving: asksBeforeLeaving == old.asksBeforeLeaving ? nil : asksBeforeLeaving == true,
      layers: frames == oldFrames ? nil : frames,
      screens: now.compactMap { screen in
        guard let elements = known[screen.node] else {
          return screen.elements.isEmpty ? nil : ScreenPatch(node: screen.node, elements: screen.elements)
        }
        return ScreenPatch(screen.node, from: elements, to: screen.elements)
      })
  }

  /// Returns the presentation after a patch.
  ///
  /// - Throws: ``PatchMismatch`` if the patch is for another presentation.
  @_spi(FrontEnd) public func applying(_ patch: Patch) throws -> Presentation {
    guard patch.base == revision else {
      throw PatchMismatch(
        description: "The patch is based on presentation \(patch.base), but the current presentation is \(revision).")
    }
    let before = Dictionary(screens.map { ($0.node, $0.elements) }, uniquingKeysWith: { first, _ in first })
    let changes = Dictionary(patch.screens.map { ($0.node, $0) }, uniquingKeysWith: { first, _ in first })
    var made = self
    made.revision = patch.revision
    if let tabBars = patch.tabBars { made.tabBars = tabBars }
    if let path = patch.path {
      guard (0...visiblePath.count).contains(path.from) else {
        throw PatchMismatch(description: "There is no entry \(path.from) in the path.")
      }
      made.visiblePath = visiblePath.replacing(from: path.from, with: path.items)
    }
    if let canGoBack = patch.canGoBack { made.canGoBack = canGoBack }
    if let activity = patch.activity { made.activity = activity }
    if let url = patch.url { made.url = url }
    if let asks = patch.asksBeforeLeaving { made.asksBeforeLeaving = asks ? true : nil }
    if let layers = patch.layers { made.layers = layers }
    var applied = 0
    func elements(of node: NodeID) throws -> [Element] {
      guard let change = changes[node] else { return before[node] ?? [] }
      applied += 1
      return try change.applied(to: before[node])
    }
    for index in made.layers.indices {
      made.layers[index].elements = try elements(of: made.layers[index].node)
      for pane in made.layers[index].panes?.indices ?? 0..<0 {
        guard let node = made.layers[index].panes?[pane].node else { continue }
        made.layers[index].panes?[pane].elements = try elements(of: node)
      }
    }
    guard applied == changes.count, !made.layers.isEmpty || layers.isEmpty else {
      throw PatchMismatch(description: "The patch names screens that do not exist.")
    }
    return made
  }
}

extension Presentation.Patch {
  /// Whether the patch is shorter than the whole presentation. It is not if a screen has all its elements in it, as
  /// after the user opens another screen. A patch that leaves out a long path is shorter all the same.
  @_spi(FrontEnd) public var isWorthwhile: Bool {
    path.map { $0.from >= Self.longPath } == true || screens.allSatisfy { $0.elements == nil }
  }

  /// The number of entries that make a path long, in comparison with the fields of a patch.
  private static let longPath = 8
}

extension Presentation.Patch: Codable {
  private enum CodingKeys: String, CodingKey {
    case base, revision, tabBars, path, pathFrom, canGoBack, activity, url, asksBeforeLeaving, layers, screens
  }

  /// Reads a patch. A null activity is over, and a null URL is gone.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    base = try fields.decode(Revision.self, forKey: .base)
    revision = try fields.decode(Revision.self, forKey: .revision)
    tabBars = try fields.decodeIfPresent([[Presentation.Tab]].self, forKey: .tabBars)
    path = try fields.decodeIfPresent([Presentation.PathItem].self, forKey: .path).map {
      .init(from: try fields.decodeIfPresent(Int.self, forKey: .pathFrom) ?? 0, items: $0)
    }
    canGoBack = try fields.decodeIfPresent(Bool.self, forKey: .canGoBack)
    activity =
      fields.contains(.activity) ? .some(try fields.decodeIfPresent(String.self, forKey: .activity)) : .none
    url = fields.contains(.url) ? .some(try fields.decodeIfPresent(String.self, forKey: .url)) : .none
    asksBeforeLeaving = try fields.decodeIfPresent(Bool.self, forKey: .asksBeforeLeaving)
    layers = try fields.decodeIfPresent([Presentation.Layer].self, forKey: .layers)
    screens = try fields.decodeIfPresent([Presentation.ScreenPatch].self, forKey: .screens) ?? []
  }

  /// Writes the changed fields.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(base, forKey: .base)
    try fields.encode(revision, forKey: .revision)
    try fields.encodeIfPresent(tabBars, forKey: .tabBars)
    if let path {
      try fields.encode(path.items, forKey: .path)
      if path.from > 0 { try fields.encode(path.from, forKey: .pathFrom) }
    }
    try fields.encodeIfPresent(canGoBack, forKey: .canGoBack)
    if let activity { try fields.encode(activity, forKey: .activity) }
    if let url { try fields.encode(url, forKey: .url) }
    try fields.encodeIfPresent(asksBeforeLeaving, forKey: .asksBeforeLeaving)
    try fields.encodeIfPresent(layers, forKey: .layers)
    if !screens.isEmpty { try fields.encode(screens, forKey: .screens) }
  }
}
