extension Presentation {
  /// What makes one presentation of another (protocol 1.3): what is small is whole where it changed, and of elements there is what changed.
  public struct Patch: Hashable, Sendable {
    /// The presentation it is based on.
    public var base: Revision
    /// The number of the presentation that it leads to.
    public var revision: Revision
    /// The tab bars, where they changed.
    public var tabBars: [[Tab]]?
    /// The path, where it changed.
    public var path: [PathItem]?
    /// Whether `back` would do anything, where that changed.
    public var canGoBack: Bool?
    /// What the person waits for, where that changed; `.some(nil)` where it is nothing now.
    public var activity: String??
    /// The URL that leads to where the person is, where that changed; `.some(nil)` where no link does now.
    public var url: String??
    /// Whether a leave guard stands in what the person sees, where that changed.
    public var asksBeforeLeaving: Bool?
    /// The layers, their elements left out, where anything else of them changed.
    public var layers: [Layer]?
    /// What changed on the screens of the layers.
    public var screens: [ScreenPatch]
  }

  /// What changed in the elements of one screen: of a layer, or of a pane of it.
  public struct ScreenPatch: Codable, Hashable, Sendable {
    /// Elements that come in, whole.
    public struct Insertion: Codable, Hashable, Sendable {
      /// The element that contains them; nil for the screen itself.
      public var parent: ElementID?
      /// Where the first of them is afterwards, from 0.
      public var at: Int
      /// The elements.
      public var elements: [Element]
    }

    /// An element that is at another place of the same parent.
    public struct Move: Codable, Hashable, Sendable {
      /// The element.
      public var id: ElementID
      /// Where it is afterwards, from 0.
      public var at: Int
    }

    /// The screen's node.
    public var node: NodeID
    /// All elements, where that is shorter, or the screen was not there; nothing else is in the patch then.
    public var elements: [Element]?
    /// The elements that go, with what they contain.
    public var remove: [ElementID]?
    /// The elements that come.
    public var insert: [Insertion]?
    /// The elements that are at another place.
    public var move: [Move]?
    /// Elements of which fields are others; not those that come.
    public var set: [ElementChange]?
  }

  /// Why a patch cannot be applied: the presentation is not the one it was made from. Whoever holds it asks for the whole (`resync`).
  public struct PatchMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// What does not fit.
    public let description: String
  }

  /// The screens of all layers, in the order in which patches go over them.
  private var screens: [(node: NodeID, elements: [Element])] {
    layers.flatMap { layer in layer.columns.map { ($0.node, $0.elements) } }
  }

  /// The same without elements.
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

  /// What makes this presentation of another one.
  ///
  /// - Returns: nil where only the whole says it: a node stands there twice, or there is no layer.
  public func patch(from old: Presentation) -> Patch? {
    let (before, now) = (old.screens, screens)
    guard !layers.isEmpty, Set(before.map(\.node)).count == before.count, Set(now.map(\.node)).count == now.count else {
      return nil
    }
    let known = Dictionary(uniqueKeysWithValues: before.map { ($0.node, $0.elements) })
    let (frames, oldFrames) = (Self.frames(layers), Self.frames(old.layers))
    return Patch(
      base: old.revision, revision: revision, tabBars: tabBars == old.tabBars ? nil : tabBars,
      path: path == old.path ? nil : path, canGoBack: canGoBack == old.canGoBack ? nil : canGoBack,
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

  /// The presentation that a patch makes of this one.
  ///
  /// - Throws: ``PatchMismatch`` where it was made from another one.
  public func applying(_ patch: Patch) throws -> Presentation {
    guard patch.base == revision else {
      throw PatchMismatch(description: "The patch is based on presentation \(patch.base), and this is \(revision).")
    }
    let before = Dictionary(screens.map { ($0.node, $0.elements) }, uniquingKeysWith: { first, _ in first })
    let changes = Dictionary(patch.screens.map { ($0.node, $0) }, uniquingKeysWith: { first, _ in first })
    var made = self
    made.revision = patch.revision
    if let tabBars = patch.tabBars { made.tabBars = tabBars }
    if let path = patch.path { made.path = path }
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
      throw PatchMismatch(description: "The patch is about screens that are not there.")
    }
    return made
  }
}

extension Presentation.Patch {
  /// Whether it is shorter than the whole: not where all screens are whole in it, as after another screen was shown.
  public var isWorthwhile: Bool { screens.allSatisfy { $0.elements == nil } }
}

extension Presentation.Patch: Codable {
  private enum CodingKeys: String, CodingKey {
    case base, revision, tabBars, path, canGoBack, activity, url, asksBeforeLeaving, layers, screens
  }

  /// Reads a patch; an activity that is null is one that is over, and a URL that is null one that there is no more.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    base = try fields.decode(Revision.self, forKey: .base)
    revision = try fields.decode(Revision.self, forKey: .revision)
    tabBars = try fields.decodeIfPresent([[Presentation.Tab]].self, forKey: .tabBars)
    path = try fields.decodeIfPresent([Presentation.PathItem].self, forKey: .path)
    canGoBack = try fields.decodeIfPresent(Bool.self, forKey: .canGoBack)
    activity =
      fields.contains(.activity) ? .some(try fields.decodeIfPresent(String.self, forKey: .activity)) : .none
    url = fields.contains(.url) ? .some(try fields.decodeIfPresent(String.self, forKey: .url)) : .none
    asksBeforeLeaving = try fields.decodeIfPresent(Bool.self, forKey: .asksBeforeLeaving)
    layers = try fields.decodeIfPresent([Presentation.Layer].self, forKey: .layers)
    screens = try fields.decodeIfPresent([Presentation.ScreenPatch].self, forKey: .screens) ?? []
  }

  /// Writes what changed.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(base, forKey: .base)
    try fields.encode(revision, forKey: .revision)
    try fields.encodeIfPresent(tabBars, forKey: .tabBars)
    try fields.encodeIfPresent(path, forKey: .path)
    try fields.encodeIfPresent(canGoBack, forKey: .canGoBack)
    if let activity { try fields.encode(activity, forKey: .activity) }
    if let url { try fields.encode(url, forKey: .url) }
    try fields.encodeIfPresent(asksBeforeLeaving, forKey: .asksBeforeLeaving)
    try fields.encodeIfPresent(layers, forKey: .layers)
    if !screens.isEmpty { try fields.encode(screens, forKey: .screens) }
  }
}
