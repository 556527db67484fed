@_spi(FrontEnd) import GangwayProtocol
import Testing

@Suite struct ElementLookupTests {
  private let presentation = Presentation(
    revision: 1, tabBars: [], path: [], canGoBack: false,
    layers: [
      .init(node: 1, style: .base, title: "below", elements: [Element(id: "x", kind: .button, label: "Below")]),
      .init(
        node: 2, style: .modal, title: "top",
        elements: [
          Element(id: "s", kind: .button, label: "Save"),
          Element(
            id: "l", kind: .list,
            children: [
              Element(id: "l.0", kind: .button, label: "Open"), Element(id: "l.1", kind: .button, label: "Open"),
            ]), Element(id: "n", kind: .field, label: "Name"),
          Element(id: "h", kind: .button, label: "Item #2"), Element(id: "g", kind: .button, label: "#tag"),
        ]),
    ])

  @Test(arguments: [
    ("Save", "s"), ("#s", "s"), ("Open #1", "l.0"), ("Open #2", "l.1"), ("#l.1", "l.1"), ("Item #2", "h"),
    ("#tag", "g"),
  ])
  func anElementIsFound(_ name: String, _ id: String) throws {
    #expect(try ElementLookup(name, kinds: [.button]).find(in: presentation).id == ElementID(rawValue: id))
  }

  @Test(arguments: [
    ("Open", "'Open' is ambiguous: 2 elements have that label. Use 'Open #1' (id #l.0) or 'Open #2' (id #l.1)."),
    ("Open #3", "'Open' matches 2 elements, so there is no #3."),
    (
      "Sve", "There is no 'Sve' on the screen. Did you mean 'Save'? Visible: 'Save', 'Open', 'Open', 'Item #2', '#tag'."
    ),
    (
      "Name",
      "The field 'Name' does not support this action. Elements that do: 'Save', 'Open', 'Open', 'Item #2', '#tag'."
    ),
    ("Below", "There is no 'Below' on the screen. Visible: 'Save', 'Open', 'Open', 'Item #2', '#tag'."),
  ])
  func whatIsNotFoundIsExplained(_ name: String, _ message: String) {
    let failure = #expect(throws: ElementLookup.Failure.self) {
      _ = try ElementLookup(name, kinds: [.button]).find(in: presentation)
    }
    #expect(failure?.description == message)
  }

  @Test func theNearestOfManyWordsIsTheSame() {
    let words = ["Scenes", "scene", "Clock", "Äpfel", "Apfel", "clocks", "sign12", "sign21", "", "a", "b"]
    var many = NearestMatch.Words()
    for word in words { many.append(word) }
    for word in words + ["Scnees", "Weather", "clokc", "apfle", "ÄPFEL", "sing11", "c", "xyz", "SCENE", "signs112"] {
      #expect(many.nearest(to: word) == NearestMatch.of(word, among: words.sorted()), "\(word)")
    }
  }

  @Test func theNearestMatchIsASlipAway() {
    #expect(NearestMatch.of("Scnees", among: ["Clock", "Scenes"]) == "Scenes")
    #expect(NearestMatch.of("Weather", among: ["Clock", "Scenes"]) == nil)
    #expect(NearestMatch.of("", among: []) == nil)
  }
}
