import Testing

@_spi(FrontEnd) @testable import GangwayProtocol

/// Patches: their results, their encoding, and patches that do not fit.
@Suite(.serialized) struct PatchTests {
  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      // SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  /// A maker of presentations, which changes them a little or a lot.
  private struct Maker {
    var random: Random
    var nextID = 0

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
    mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

    mutating func element(_ depth: Int) -> Element {
      nextID += 1
      // Now and then, two elements have one id, which our hosts never send.
      var element = Element(id: chance(200) ? "e1" : "e\(nextID)", kind: pick([.text, .row, .list, .field, .table]))
      change(&element)
      if depth > 0 {
        for _ in 0..<Int.random(in: 0...3, using: &random) { element.children.append(self.element(depth - 1)) }
      }
      return element
    }

    mutating func change(_ element: inout Element) {
      let text = pick(["", "a", "b", "ä\u{0}\"", "long text"])
      switch Int.random(in: 0..<16, using: &random) {
      case 0: element.label = text
      case 1: element.value = chance(2) ? nil : text
      case 2: element.kind = pick([.text, .row, .button, .log])
      case 3: element.role = chance(2) ? nil : .destructive
      case 4: element.isEnabled.toggle()
      case 5: element.detail = chance(2) ? nil : text
      case 6: element.options = chance(2) ? [] : [.init(id: text, title: text)]
      case 7: element.cells = chance(2) ? [] : [[.init(text: text, isEnabled: chance(2))]]
      case 8: element.badge = chance(2) ? nil : text
      case 9: element.selection = chance(2) ? nil : [text]
      case 10: element.isRequired.toggle()
      case 11: element.isExpanded = chance(2) ? nil : chance(2)
      case 12: (element.rowCount, element.firstRow) = chance(2) ? (nil, nil) : (1_000, 5)
      case 13: element.columns = chance(2) ? nil : [.init(id: text, title: text)]
      case 14: element.chart = chance(2) ? nil : .init(style: .bar, title: text, labels: [text], series: [])
      default: element.paths = chance(2) ? nil : [.init(d: text)]
      }
    }

    mutating func elements(_ count: Int) -> [Element] { (0..<count).map { _ in element(2) } }

    mutating func presentation() -> Presentation {
      var made = Presentation(
        revision: Revision(rawValue: .random(in: 1...9, using: &random)), tabBars: [],
        path: [.init(node: 2, title: "A")],
        canGoBack: false,
        layers: [.init(node: 2, style: .base, title: "A", elements: elements(4))])
      change(&made)
      return made
    }

    mutating func change(_ elements: inout [Element]) {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0...elements.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: elements.insert(element(1), at: place)
        case 1 where place < elements.count: elements.remove(at: place)
        case 2: elements.shuffle(using: &random)
        case 3 where place < elements.count: change(&elements[place].children)
        case 4 where !elements.isEmpty:
          // Move an element from one parent to another.
          let moved = elements.removeLast()
          if elements.isEmpty { elements.append(moved) } else { elements[0].children.append(moved) }
        case 5 where place < elements.count: change(&elements[place])
        default: break
        }
      }
    }

    mutating func change(_ presentation: inout Presentation) {
      presentation.revision += 1
      for index in presentation.layers.indices { change(&presentation.layers[index].elements) }
      switch Int.random(in: 0..<11, using: &random) {
      case 0: presentation.tabBars = [[.init(node: 1, title: pick(["x", "y"]), isSelected: true)]]
      case 1: presentation.activity = chance(2) ? nil : "loading"
      case 2: presentation.canGoBack.toggle()
      case 3:
        presentation.path.removeLast(Int.random(in: 0...min(2, presentation.path.count), using: &random))
        for _ in 0..<(chance(10) ? 150 : 2) { presentation.path.append(.init(node: 3, title: pick(["B", "C"]))) }
      case 4:
        presentation.layers.append(
          .init(node: chance(30) ? 2 : 3 + nextID, style: .modal, title: "M", elements: elements(2)))
      case 5: if presentation.layers.count > 1 { presentation.layers.removeLast() }
      case 6: presentation.layers[0].focus = chance(2) ? nil : "e1"
      case 7: presentation.layers[0].panes = chance(2) ? nil : [.init(node: 1, title: "P", elements: elements(1))]
      case 8: presentation.url = chance(2) ? nil : pick(["gangway://a", "gangway://b/7"])
      case 9: presentation.asksBeforeLeaving = presentation.asksBeforeLeaving == nil ? true : nil
      default: break
      }
    }
  }

  /// Runs off the main actor, which other tests need meanwhile.
  @Test(arguments: 0..<10) nonisolated func anyTwoPresentationsDifferByTheirPatch(seed: UInt64) async throws {
    var maker = Maker(random: Random(state: seed))
    var (patched, set, moved, inserted) = (0, 0, 0, 0)
    var old = maker.presentation()
    for number in 0..<10_000 {
      var new = old
      if number % 20 == 0 { new = maker.presentation() } else { maker.change(&new) }
      if let patch = new.patch(from: old) {
        patched += 1
        set += patch.screens.count { $0.set != nil }
        moved += patch.screens.count { $0.move != nil }
        inserted += patch.screens.count { $0.insert != nil }
        #expect(try old.applying(patch) == new)
        // Now and then, a patch is also sent.
        if number % 10 == 0 {
          let sent = try Line.decode(Presentation.Patch.self, from: Line.encode(patch))
          #expect(try old.applying(sent) == new)
        }
      }
      if maker.chance(15) { old = maker.presentation() } else { old = new }
    }
    #expect(patched > 8_000 && set > 500 && moved > 300 && inserted > 300, "\(patched) \(set) \(moved) \(inserted)")
  }

  private static func screen(_ elements: [Element], revision: Revision = 1) -> Presentation {
    Presentation(
      revision: revision, tabBars: [], path: [.init(node: 2, title: "A")], canGoBack: false,
      layers: [.init(node: 2, style: .base, title: "A", elements: elements)])
  }

  private func text(_ patch: Presentation.Patch?) throws -> String {
    String(decoding: try Line.encode(#require(patch)).dropLast(), as: UTF8.self)
  }

  @Test func whatChangedIsSaidAndNothingElse() throws {
    let rows = (0..<100).map { number in
      Element(
        id: "l[\(number)]", kind: .row,
        children: [
          Element(id: "l[\(number)].t", kind: .toggle, label: "Row \(number)", value: "off"),
          Element(id: "l[\(number)].b", kind: .button, label: "Delete", detail: "why"),
        ])
    }
    let list = Element(id: "l", kind: .list, children: rows)
    let old = Self.screen([list])
    var new = Self.screen([list], revision: 2)
    new.layers[0].elements[0].children[50].children[0].value = "on"
    new.layers[0].elements[0].children[50].children[1].detail = nil
    #expect(
      try text(new.patch(from: old))
        == #"{"base":1,"revision":2,"screens":[{"node":2,"set":[{"id":"l[50].t","value":"on"},"#
        + #"{"id":"l[50].b","unset":["detail"]}]}]}"#)
    new = Self.screen([list], revision: 2)
    new.layers[0].elements[0].children.remove(at: 3)
    let moved = new.layers[0].elements[0].children.remove(at: 90)
    new.layers[0].elements[0].children.insert(moved, at: 1)
    new.layers[0].elements[0].children.append(Element(id: "n", kind: .row, label: "New"))
    #expect(
      try text(new.patch(from: old))
        == #"{"base":1,"revision":2,"screens":[{"insert":[{"at":99,"elements":"#
        + #"[{"id":"n","kind":"row","label":"New"}],"parent":"l"}],"#
        + #""move":[{"at":1,"id":"l[91]"}],"node":2,"remove":["l[3]"]}]}"#)
    new = old
    new.revision = 2
    new.activity = "loading"
    #expect(try text(new.patch(from: old)) == #"{"activity":"loading","base":1,"revision":2}"#)
    var elsewhere = new
    elsewhere.url = "gangway://todos/7"
    #expect(try text(elsewhere.patch(from: new)) == #"{"base":2,"revision":2,"url":"gangway://todos/7"}"#)
    #expect(try text(new.patch(from: elsewhere)) == #"{"base":2,"revision":2,"url":null}"#)
    var guarded = new
    guarded.asksBeforeLeaving = true
    #expect(try text(guarded.patch(from: new)) == #"{"asksBeforeLeaving":true,"base":2,"revision":2}"#)
    #expect(try text(new.patch(from: guarded)) == #"{"asksBeforeLeaving":false,"base":2,"revision":2}"#)
    #expect(try text(old.patch(from: new)) == #"{"activity":null,"base":2,"revision":1}"#)
    var deeper = new
    deeper.path.append(.init(node: 3, title: "B"))
    #expect(
      try text(deeper.patch(from: new)) == #"{"base":2,"path":[{"node":3,"title":"B"}],"pathFrom":1,"revision":2}"#)
    #expect(try text(new.patch(from: deeper)) == #"{"base":2,"path":[],"pathFrom":1,"revision":2}"#)
    deeper.path = [.init(node: 4, title: "C")]
    #expect(try text(deeper.patch(from: new)) == #"{"base":2,"path":[{"node":4,"title":"C"}],"revision":2}"#)
  }

  @Test func aScreenThatIsMostlyNewIsWhole() throws {
    let old = Self.screen((0..<10).map { Element(id: "\($0)", kind: .text) })
    let new = Self.screen((5..<20).map { Element(id: "\($0)", kind: .text) }, revision: 2)
    let patch = try #require(new.patch(from: old))
    #expect(patch.screens.first?.elements?.count == 15 && !patch.isWorthwhile)
    #expect(try old.applying(patch) == new)
  }

  @Test func aPatchThatLeavesOutALongPathIsWorthwhile() throws {
    var old = Self.screen([Element(id: "a", kind: .text)])
    old.path = (0..<8).map { .init(node: NodeID(rawValue: $0 + 10), title: "A") }
    var new = Self.screen((5..<20).map { Element(id: "\($0)", kind: .text) }, revision: 2)
    new.path = old.path + [.init(node: 2, title: "B")]
    let patch = try #require(new.patch(from: old))
    #expect(patch.screens.first?.elements?.count == 15 && patch.isWorthwhile)
    #expect(try old.applying(patch) == new)
  }

  @Test(arguments: [
    #"{"base":2,"revision":3}"#,
    #"{"base":1,"revision":3,"path":[],"pathFrom":2}"#,
    #"{"base":1,"revision":3,"path":[],"pathFrom":-1}"#,
    #"{"base":1,"revision":3,"screens":[{"node":9,"remove":["a"]}]}"#,
    #"{"base":1,"revision":3,"screens":[{"node":2,"remove":["b"]}]}"#,
    #"{"base":1,"revision":3,"screens":[{"node":2,"set":[{"id":"b","value":"x"}]}]}"#,
    #"{"base":1,"revision":3,"screens":[{"node":2,"move":[{"id":"b","at":0}]}]}"#,
    #"{"base":1,"revision":3,"screens":[{"node":2,"insert":[{"parent":"b","at":0,"elements":[]}]}]}"#,
    #"{"base":1,"revision":3,"screens":[{"node":2,"insert":[{"at":5,"elements":[{"id":"x","kind":"text"}]}]}]}"#,
    #"{"base":1,"revision":3,"screens":[{"node":2,"insert":[{"at":-1,"elements":[{"id":"x","kind":"text"}]}]}]}"#,
    #"{"base":1,"revision":3,"screens":[{"node":2,"move":[{"id":"a","at":9223372036854775807}]}]}"#,
    #"{"base":1,"revision":3,"screens":[{"node":2,"move":[{"id":"a","at":-9223372036854775808}]}]}"#,
    #"{"base":1,"revision":3,"screens":[{"node":2,"insert":[{"at":0,"elements":[{"id":"x","kind":"text"}]}],"move":[{"id":"a","at":-9223372036854775808}]}]}"#,
    #"{"base":1,"revision":3,"screens":[{"node":2,"insert":[{"at":1,"elements":[{"id":"x","kind":"text"}]},{"at":9223372036854775807,"elements":[]}]}]}"#,
    #"{"base":1,"revision":3,"layers":[]}"#,
  ])
  func whatDoesNotFitIsRefused(line: String) throws {
    let old = Self.screen([Element(id: "a", kind: .text)])
    let patch = try Line.decode(Presentation.Patch.self, from: line.utf8)
    #expect(throws: Presentation.PatchMismatch.self) { try old.applying(patch) }
  }

  @Test func aFieldOfALaterVersionIsPassedOver() throws {
    let line =
      #"{"base":1,"revision":3,"screens":[{"node":2,"set":[{"id":"a","sparkle":1,"label":"b","unset":["glow","detail"]}]}]}"#
    let patch = try Line.decode(Presentation.Patch.self, from: line.utf8)
    let new = try Self.screen([Element(id: "a", kind: .text, label: "a", detail: "x")]).applying(patch)
    #expect(new.layers[0].elements == [Element(id: "a", kind: .text, label: "b")])
  }
}
