// Makes presentations that no sane host would send, and passes them to front ends and the supervisor. They are drawn in
// the terminal at any size, printed, and answered with any key. The supervisor's own questions cover them, and they are
// sent and read again. None may trap or take long: script/check-fuzz.
//   presentation-fuzz COUNT SEED
@_spi(FrontEnd) import GangwayProtocol
import Glibc

nonisolated(unsafe) var random = Generator(state: UInt64(CommandLine.arguments.dropFirst(2).first ?? "1") ?? 1)
let count = Int(CommandLine.arguments.dropFirst().first ?? "10000") ?? 10_000
/// The most time for one presentation: a noticeable delay for users, times five for a busy machine. A presentation of
/// megabytes may take as long as encoding it ten times.
let patience: Duration = .milliseconds(500)

let kinds = Element.Kind.allCases
let roles = [
  "destructive", "cancel", "multiline", "secure", "confirmation", "problem", "item", "quote", "code", "button",
  "actions",
  "decorative", "submit", "warning", "unheard of",
].map(
  Element.Role.init(rawValue:))
let letters = Array("aZ 09\t\n\r\u{0}\u{1b}[31m\u{7f}é漢字👩‍👩‍👧‍👦🇩🇪e\u{301}\u{200b}\u{202e}\u{feff}\u{fffd}İ─█")
let values = [
  "nan", "-nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "0x1p1023", "", "-0", "0.5", "1", "2", "true", "false",
  "9223372036854775807", "-9223372036854775808", "x", "0,0", "1,1", "99999999999999999999,1",
]

func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
func number() -> Int {
  chance(3) ? Int(truncatingIfNeeded: random.next()) : pick([0, 1, 2, 3, -1, Int.max, Int.min, Int.max - 1])
}
func word() -> String {
  let length = chance(20_000) ? 20_000 : chance(100) ? 200 : Int.random(in: 0...12, using: &random)
  return String((0..<length).map { _ in pick(letters) })
}
func id() -> String { chance(20) ? word() : pick(["a", "b", "c", "d", "e", "gangway.wait", "gangway.question"]) }
func elementID() -> ElementID { ElementID(rawValue: id()) }
func several(_ most: Int) -> Range<Int> { 0..<(chance(4_000) ? 500 : Int.random(in: 0...most, using: &random)) }

func element(_ depth: Int) -> Element {
  var made = Element(
    id: elementID(), kind: pick(kinds), label: word(), value: chance(2) ? pick(values) : chance(2) ? word() : nil,
    role: chance(3) ? pick(roles) : nil, isEnabled: !chance(4), detail: chance(4) ? word() : nil)
  if chance(4) { made.options = several(4).map { _ in .init(id: id(), title: word()) } }
  if depth > 0, chance(3) { made.children = several(3).map { _ in element(depth - 1) } }
  if made.kind == .grid || chance(20) {
    // Rows of any lengths, even empty ones.
    made.cells = several(4).map { _ in
      several(4).map { _ in .init(text: word(), isEnabled: !chance(3), tint: chance(2) ? word() : nil) }
    }
  }
  if chance(2) { made.attributes = attributes() }
  return made
}

func flag() -> Bool? { chance(2) ? nil : chance(2) }
func words(_ most: Int) -> [String] { several(most).map { _ in chance(2) ? id() : word() } }
/// Returns a number that JSON can hold.
func real() -> Double {
  pick([0, -0.0, 1, -1, 0.5, 1e-320, 1e308, -1e308, 1.7976931348623157e308, 3, Double(number())])
}

/// Returns attributes that do not fit each other.
func attributes() -> Element.Attributes {
  var made = Element.Attributes()
  if chance(4) { made.symbol = word() }
  if chance(4) { made.badge = word() }
  if chance(8) { made.help = word() }
  if chance(8) { made.shortcut = pick(["ctrl+s", "alt+a", "f5", "", "+", word()]) }
  if chance(4) { made.problem = word() }
  made.isRequired = chance(4)
  made.submits = chance(4)
  made.isExpanded = flag()
  if chance(2) { made.level = number() }
  if chance(2) { made.key = id() }
  if chance(4) { (made.minimum, made.maximum, made.step) = (pick(values), pick(values), pick(values)) }
  if chance(2) { made.selects = pick([.one, .several, .init(rawValue: "all")]) }
  if chance(2) { made.selection = words(3) }
  if chance(3) { made.keys = words(4) }
  if chance(4) { (made.rowCount, made.firstRow) = (number(), number()) }
  if chance(3) {
    made.columns = several(4).map { _ in
      .init(
        id: id(), title: word(), isSortable: flag(), order: pick([nil, .ascending, .descending]), isTrailing: flag())
    }
  }
  if chance(4) {
    let styles = ["bold", "italic", "code", "struck", "odd"].map(Element.Run.Style.init(rawValue:))
    made.runs = several(4).map { _ in .init(word(), [pick(styles)], url: chance(2) ? word() : nil) }
  }
  if chance(4) { made.lines = words(20) }
  if chance(8) {
    made.image = .init(type: chance(2) ? "image/png" : word(), width: number(), height: number(), base64: word())
  }
  if chance(3) {
    // Labels, positions and values in different numbers.
    made.chart = .init(
      style: pick([.line, .bar, .area, .pie]), title: word(), labels: words(5),
      positions: chance(2) ? several(5).map { _ in real() } : nil,
      series: several(3).map { _ in
        .init(name: word(), values: several(6).map { _ in chance(4) ? nil : real() })
      })
  }
  if chance(3) { made.paths = several(3).map { _ in path() } }
  if chance(3) {
    made.board = .init(
      shape: chance(2) ? .hexagon : .init(rawValue: word()), top: chance(2) ? word() : nil,
      bottom: chance(2) ? "red" : nil, leading: chance(2) ? word() : nil, trailing: chance(2) ? "blue" : nil)
  }
  return made
}

func path() -> Element.Path {
  let commands = ["M", "L", "Q", "C", "Z", "m", "A", "", "NaN"]
  let data = several(8).map { _ in
    ([pick(commands)] + several(6).map { _ in chance(6) ? pick(values) : "\(real())" }).joined(separator: " ")
  }
  return .init(
    d: data.joined(separator: " "), stroke: chance(2) ? word() : nil, fill: chance(2) ? "red" : nil,
    width: chance(2) ? real() : nil)
}

/// Returns a chain of elements as deep as a line of the protocol can hold.
func deep() -> Element {
  var inner = element(0)
  for _ in 0..<Int.random(in: 50...200, using: &random) {
    var outer = element(0)
    outer.children = [inner]
    inner = outer
  }
  return inner
}
func elements() -> [Element] { chance(1_000) ? [deep()] : several(5).map { _ in element(2) } }

func presentation() -> Presentation {
  let nodes = [number(), number(), 0, 1, 2].map(NodeID.init(rawValue:))
  let layers = several(3).map { _ in
    var layer = Presentation.Layer(
      node: pick(nodes), style: pick([.base, .modal, .fullScreen]), title: word(), isDismissible: chance(2),
      elements: elements(), focus: chance(2) ? elementID() : nil, scroll: chance(2) ? number() : nil)
    if chance(3) {
      layer.appearance = .init(hidesBar: chance(2), hidesBackButton: chance(2), tint: chance(2) ? word() : nil)
    }
    if chance(4) {
      layer.panes = several(3).map { _ in
        .init(node: pick(nodes), title: word(), elements: elements(), focus: elementID(), scroll: number())
      }
      layer.activePane = pick(nodes)
    }
    return layer
  }
  return Presentation(
    revision: Revision(rawValue: number()),
    tabBars: several(2).map { _ in
      several(5).map { _ in
        .init(
          node: pick(nodes), title: word(), symbol: chance(2) ? word() : nil, group: chance(2) ? word() : nil,
          badge: chance(4) ? word() : nil, isSelected: chance(2))
      }
    }, path: several(4).map { _ in .init(node: pick(nodes), title: word()) }, canGoBack: chance(2), layers: layers,
    activity: chance(3) ? word() : nil)
}

func key(_ view: TerminalView) -> Key {
  switch Int.random(in: 0..<6, using: &random) {
  case 0: .character(pick(letters))
  // Keys that open lists, filters and questions, and input for them.
  case 5:
    pick([
      .control("p"), .character("?"), .character("/"), .character("m"), .character("r"), .character("["), .control("w"),
      .control("u"), .control("k"), .control("_"), .alt("a"), .alt("_"), .deleteWordBefore, .wordLeft, .selectRight,
      .selectHome, .paste(word(), isWhole: chance(2)), .doublePress(row: 3, column: 5), .background(isDark: chance(2)),
      .character("'"), .character("!"), .press(row: Int.random(in: 3...22, using: &random), column: 79), .release,
      .drag(row: Int.random(in: -9...99, using: &random), column: Int.random(in: -9...99, using: &random)),
    ])
  case 1: .alt(pick(letters))
  case 2 where chance(4): .control(pick(["s", "a", "q"]))
  case 2: .press(row: Int.random(in: -1...60, using: &random), column: Int.random(in: -1...220, using: &random))
  default:
    pick([
      .enter, .escape, .tab, .backTab, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .backspace, .delete,
      .nextPane, .wheelUp, .wheelDown,
    ])
  }
}

/// Passes a presentation to everything.
func take(_ presentation: Presentation, after last: Presentation, _ controller: inout Controller) {
  _ = presentation.plainText
  _ = SpokenScreen(presentation).changes(from: SpokenScreen(last))
  _ = try? ElementLookup(presentation.reachable.first?.label ?? "a", kinds: [.button, .field]).find(in: presentation)
  _ = try? RowLookup(id()).find(in: presentation)
  _ = presentation.plainText
  for element in presentation.reachable where element.kind == .number {
    _ = element.stepped(by: pick([1, -1, Int.max]))
  }
  // The patch from the previous presentation gives the same one, or there is no patch. A chart may have a value that is
  // not a number, which equals nothing.
  if presentation == presentation, let patch = presentation.patch(from: last),
    (try? last.applying(patch)) != presentation
  {
    fail("The patch from the one before makes another of it.", presentation)
  }
  controller.update(presentation)
  for _ in 0..<2 {
    let (columns, rows) =
      chance(8) ? (Int.random(in: 0...300, using: &random), Int.random(in: 0...100, using: &random)) : (80, 24)
    var glyphs = chance(4) ? Glyphs.ascii : Glyphs()
    glyphs.hasPictures = chance(2)
    let view = TerminalView(presentation, controller.state, columns: columns, rows: rows, glyphs: glyphs)
    for (id, picture) in view.canvas.pictures { _ = picture.transmission(as: id) }
    _ = view.hit(row: Int.random(in: -1...40, using: &random), column: Int.random(in: -1...90, using: &random))
    controller.state = view.state
    if chance(20) { controller.state.overlay = .text(word(), title: word(), scroll: abs(number() % 10_000)) }
    if chance(20) { controller.state.links = several(5).map { _ in word() } }
    controller.state.frame = abs(number() % 1_000)
    _ = controller.handle(key(view), view)
  }
  var notices: [Update.Notice] = (0..<several(3).count).map { _ in .init(.information, word()) }
  for index in notices.indices where chance(2) { notices[index].undo = NoticeID(rawValue: number()) }
  controller.tell(notices)
  var overlay = Overlay()
  if chance(2) { overlay.question = (word(), word()) }
  for _ in several(2) { overlay.banners[pick(["a", "b"])] = [word()] }
  if chance(2) { overlay.progress["a"] = .init(word(), number(), of: number()) }
  _ = overlay.applied(to: presentation) { _ in pick(["a", "b", nil]) }
  // A sent presentation is read again unchanged. Numbers that JSON cannot hold are texts.
  guard chance(50), let line = try? Line.encode(presentation) else { return }
  guard let again = try? Line.decode(Presentation.self, from: line.dropLast()), again == presentation else {
    fail("It is not read as it was sent.", presentation)
  }
}

func fail(_ what: String, _ presentation: Presentation) -> Never {
  print(what)
  print((try? Line.encode(presentation)).map { String(decoding: $0, as: UTF8.self) } ?? "it cannot be encoded")
  exit(1)
}

func processorTime(of work: () -> Void) -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let before = now()
  work()
  return now() - before
}

// The width of a character depends on the locale.
setlocale(LC_ALL, "C.UTF-8")
var slowest: Duration = .zero
var last = Presentation(revision: 0, tabBars: [], path: [], canGoBack: false, layers: [])
var controller = Controller(isStored: true)
for number in 0..<count {
  if number % 50 == 0 { controller = Controller(isStored: chance(2)) }
  let presentation = presentation()
  let time = processorTime { take(presentation, after: last, &controller) }
  last = presentation
  slowest = max(slowest, time)
  guard time > patience else { continue }
  let encoding = processorTime { _ = try? Line.encode(presentation) }
  if time > encoding * 10 { fail("It took \(time), and encoding it \(encoding).", presentation) }
}
print("\(count) presentations, the slowest in \(slowest / .milliseconds(1)) ms")
