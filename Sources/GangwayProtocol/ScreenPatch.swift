extension Presentation.ScreenPatch {
  /// Makes a patch with all elements of a screen.
  init(node: NodeID, elements: [Element]) {
    self.node = node
    self.elements = elements
  }

  /// Makes a patch of the changed elements; nil if nothing changed.
  ///
  /// The patch identifies elements by their ids. Remaining children of one parent keep their order if possible. For the
  /// others, the patch has their index afterwards. It removes and inserts an element that changes its parent.
  init?(_ node: NodeID, from old: [Element], to new: [Element]) {
    guard old != new else { return nil }
    self.node = node
    var draft = Draft()
    draft.compare(old, new, in: nil)
    // If two elements have one id, the id does not identify either. If more than half changed, the whole screen is as
    // short.
    guard !draft.isAmbiguous(in: old), draft.size * 2 <= new.countOfAll else {
      elements = new
      return
    }
    remove = draft.remove.isEmpty ? nil : draft.remove
    insert = draft.insert.isEmpty ? nil : draft.insert
    move = draft.move.isEmpty ? nil : draft.move
    set = draft.set.isEmpty ? nil : draft.set
  }

  /// The differences found so far.
  private struct Draft {
    var remove: [ElementID] = []
    var insert: [Insertion] = []
    var move: [Move] = []
    var set: [ElementChange] = []
    /// The number of elements that the patch contains, whole or in part.
    var size = 0
    /// Whether two children of one parent have the same id.
    private var hasDoubles = false

    /// Returns whether the patch names an element whose id is a duplicate.
    func isAmbiguous(in old: [Element]) -> Bool {
      if hasDoubles { return true }
      var told = Set(remove)
      told.formUnion(set.lazy.map(\.id))
      told.formUnion(move.lazy.map(\.id))
      told.formUnion(insert.lazy.compactMap(\.parent))
      var found = 0
      // A comparison with a few ids is faster than a lookup.
      let few = told.count <= 4 ? Array(told) : nil
      old.visit { if few?.contains($0.id) ?? told.contains($0.id) { found += 1 } }
      return found > told.count
    }

    mutating func compare(_ old: [Element], _ new: [Element], in parent: ElementID?) {
      if compareInPlace(old, new) { return }
      let places = Dictionary(old.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
      let kept = new.compactMap { places[$0.id] }
      let still = Self.longestRising(kept)
      let stays = Set(new.map(\.id))
      if places.count != old.count || stays.count != new.count { hasDoubles = true }
      for element in old where !stays.contains(element.id) { remove.append(element.id) }
      size += remove.count / 4
      for (place, element) in new.enumerated() {
        guard let before = places[element.id] else {
          add(element, at: place, in: parent)
          continue
        }
        if !still.contains(before) {
          move.append(Move(id: element.id, at: place))
          size += 1
        }
        compare(old[before], element)
      }
    }

    /// Compares the children if they are the same as before, in the same order; otherwise, returns false.
    private mutating func compareInPlace(_ old: [Element], _ new: [Element]) -> Bool {
      guard old.count == new.count else { return false }
      return old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { new in
          guard old.indices.allSatisfy({ old[$0].id == new[$0].id }) else { return false }
          for index in old.indices { compare(old[index], new[index]) }
          return true
        }
      }
    }

    private mutating func compare(_ old: Element, _ new: Element) {
      if let change = ElementChange(from: old, to: new) {
        set.append(change)
        size += 1
      }
      if !old.children.isEmpty || !new.children.isEmpty { compare(old.children, new.children, in: new.id) }
    }

    private mutating func add(_ element: Element, at place: Int, in parent: ElementID?) {
      size += [element].countOfAll
      if let last = insert.indices.last, insert[last].parent == parent,
        insert[last].at + insert[last].elements.count == place
      {
        insert[last].elements.append(element)
      } else {
        insert.append(Insertion(parent: parent, at: place, elements: [element]))
      }
    }

    /// Returns the values of a longest increasing subsequence.
    ///
    /// Source: Fredman, "On computing the length of longest increasing subsequences", 1975.
    private static func longestRising(_ values: [Int]) -> Set<Int> {
      var tails: [Int] = []
      var previous = [Int](repeating: -1, count: values.count)
      for (index, value) in values.enumerated() {
        var (low, high) = (0, tails.count)
        while low < high {
          let middle = (low + high) / 2
          if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
        }
        previous[index] = low > 0 ? tails[low - 1] : -1
        if low == tails.count { tails.append(index) } else { tails[low] = index }
      }
      var found: Set<Int> = []
      var index = tails.last ?? -1
      while index >= 0 {
        found.insert(values[index])
        index = previous[index]
      }
      return found
    }
  }

  /// Returns the elements of the screen after the patch.
  ///
  /// - Parameter old: the elements before; nil if the screen is new.
  /// - Throws: ``Presentation/PatchMismatch`` if the patch names an unknown element or an impossible index.
  func applied(to old: [Element]?) throws -> [Element] {
    if let elements { return elements }
    guard let old else { throw Presentation.PatchMismatch(description: "There is no screen \(node) to change.") }
    var application = Application(self)
    let made = try application.applied(to: old, in: nil)
    guard application.isDone else {
      throw Presentation.PatchMismatch(description: "The patch names elements that are not on screen \(node).")
    }
    return made
  }

  /// The remaining changes of a patch.
  private struct Application {
    private var changes: [ElementID: ElementChange]
    private var insertions: [ElementID?: [Insertion]]
    private var moves: [ElementID: Int]
    private var removals: Set<ElementID>
    /// The elements that the patch names. An element without any of them keeps its content, which it shares with the
    /// screen before.
    private let named: Set<ElementID>

    init(_ patch: Presentation.ScreenPatch) {
      changes = Dictionary((patch.set ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      insertions = Dictionary(grouping: patch.insert ?? [], by: \.parent)
      moves = Dictionary((patch.move ?? []).map { ($0.id, $0.at) }, uniquingKeysWith: { $1 })
      removals = Set(patch.remove ?? [])
      named = removals.union(changes.keys).union(moves.keys).union(insertions.keys.compactMap(\.self))
    }

    var isDone: Bool { changes.isEmpty && insertions.isEmpty && moves.isEmpty && removals.isEmpty }

    mutating func applied(to old: [Element], in parent: ElementID?) throws -> [Element] {
      // The rest is unchanged after the last change.
      if isDone { return old }
      // The moved and new elements with their indices. Inserted in ascending order, each one gets its index.
      var coming: [(at: Int, elements: [Element])] = []
      var made: [Element] = []
      made.reserveCapacity(old.count)
      for var element in old {
        if removals.remove(element.id) != nil { continue }
        if let change = changes.removeValue(forKey: element.id) { change.apply(to: &element) }
        if insertions[element.id] != nil || element.children.containsElement(where: { named.contains($0.id) }) {
          element.children = try applied(to: element.children, in: element.id)
        }
        if let place = moves.removeValue(forKey: element.id) {
          coming.append((place, [element]))
        } else {
          made.append(element)
        }
      }
      for insertion in insertions.removeValue(forKey: parent) ?? [] {
        coming.append((insertion.at, insertion.elements))
      }
      guard !coming.isEmpty else { return made }
      return try Self.merged(made, coming.sorted { $0.at < $1.at })
    }

    private static func merged(_ staying: [Element], _ coming: [(at: Int, elements: [Element])]) throws -> [Element] {
      var made: [Element] = []
      var next = 0
      for (place, elements) in coming {
        guard place >= made.count, place - made.count <= staying.count - next else {
          throw Presentation.PatchMismatch(description: "The parent has no position \(place) for an element.")
        }
        let count = place - made.count
        made += staying[next..<next + count]
        next += count
        made += elements
      }
      return made + staying[next...]
    }
  }
}

extension [Element] {
  /// The number of elements, with all descendants.
  var countOfAll: Int {
    var count = 0
    visit { _ in count += 1 }
    return count
  }
}
