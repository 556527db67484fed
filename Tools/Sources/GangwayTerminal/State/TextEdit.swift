/// A text being edited, ahead of the host's answers.
struct TextEdit: Equatable {
  /// A text and where the cursor was in it.
  struct Step: Equatable {
    let text: String
    let cursor: Int
  }

  private(set) var text: String
  /// Counts characters from the beginning.
  private(set) var cursor: Int
  /// Where the selection began; it ends at the cursor.
  private(set) var anchor: Int?
  /// Edits that the host has not answered.
  var unanswered = 0
  /// What can be undone and done again, the nearest last.
  private var undoable: [Step] = []
  private var redoable: [Step] = []
  /// Whether letters go on being typed, which are undone together.
  private var isTyping = false

  /// How much is kept for undoing, in steps and in characters.
  private static let maximumSteps = 200
  private static let maximumKept = 1_000_000

  init(text: String, cursor: Int) {
    self.text = text
    self.cursor = min(max(cursor, 0), text.count)
  }

  static func == (first: TextEdit, second: TextEdit) -> Bool {
    first.text == second.text && first.cursor == second.cursor && first.anchor == second.anchor
      && first.unanswered == second.unanswered
  }

  /// What is selected, in characters; nil where nothing is.
  var selection: Range<Int>? {
    guard let anchor, anchor != cursor else { return nil }
    return min(anchor, cursor)..<max(anchor, cursor)
  }

  /// The text that is selected.
  var selected: String? {
    selection.map { String(text.dropFirst($0.lowerBound).prefix($0.count)) }
  }

  /// Takes over what the host says; what was undoable was so in another text.
  mutating func replace(_ text: String) {
    self = TextEdit(text: text, cursor: min(cursor, text.count))
  }

  // MARK: Changing

  /// Puts text in the place of what is selected, or at the cursor.
  ///
  /// - Parameter isTyped: whether it is a letter among letters, which are undone together.
  mutating func insert(_ inserted: String, isTyped: Bool = false) {
    let goesOn = isTyped && isTyping && selection == nil && inserted != " "
    change(selection ?? cursor..<cursor, to: inserted, isOneStep: goesOn)
    isTyping = isTyped
  }

  /// Deletes what is selected, or else a part of the text beside the cursor; nothing where there is none.
  mutating func delete(_ part: Range<Int>) {
    let part = selection ?? part.clamped(to: 0..<text.count)
    guard !part.isEmpty else { return }
    change(part, to: "", isOneStep: false)
    isTyping = false
  }

  /// Puts another text in the place of all of it.
  mutating func set(_ new: String) {
    change(0..<text.count, to: new, isOneStep: false)
    isTyping = false
  }

  mutating func undo() {
    guard let step = undoable.popLast() else { return }
    redoable.append(Step(text: text, cursor: cursor))
    (text, cursor, anchor, isTyping) = (step.text, step.cursor, nil, false)
  }

  mutating func redo() {
    guard let step = redoable.popLast() else { return }
    undoable.append(Step(text: text, cursor: cursor))
    (text, cursor, anchor, isTyping) = (step.text, step.cursor, nil, false)
  }

  private mutating func change(_ part: Range<Int>, to new: String, isOneStep: Bool) {
    if !isOneStep { keep(Step(text: text, cursor: cursor)) }
    redoable = []
    let start = text.index(text.startIndex, offsetBy: part.lowerBound)
    let before = text[..<start] + new
    // What combines with its neighbour makes fewer characters than were put in.
    let after = text[text.index(start, offsetBy: part.count)...]
    cursor = before.count
    text = String(before) + after
    cursor = min(cursor, text.count)
    anchor = nil
  }

  private mutating func keep(_ step: Step) {
    undoable.append(step)
    var kept = 0
    let first = undoable.lastIndex { step in
      kept += step.text.utf8.count
      return kept > Self.maximumKept
    }
    undoable.removeFirst(max(first.map { $0 + 1 } ?? 0, undoable.count - Self.maximumSteps))
  }

  // MARK: Moving

  /// Moves the cursor; what is passed is selected or no longer.
  mutating func move(to place: Int, selects: Bool = false) {
    anchor = selects ? anchor ?? cursor : nil
    cursor = min(max(place, 0), text.count)
    isTyping = false
  }

  /// Selects all.
  mutating func selectAll() {
    (anchor, cursor, isTyping) = (0, text.count, false)
  }

  /// Where the word before the cursor begins.
  var wordStart: Int {
    let characters = Array(text.prefix(cursor))
    var at = characters.count
    while at > 0, !Self.isOfWord(characters[at - 1]) { at -= 1 }
    while at > 0, Self.isOfWord(characters[at - 1]) { at -= 1 }
    return at
  }

  /// Where the word after the cursor ends.
  var wordEnd: Int {
    let characters = Array(text)
    var at = cursor
    while at < characters.count, !Self.isOfWord(characters[at]) { at += 1 }
    while at < characters.count, Self.isOfWord(characters[at]) { at += 1 }
    return at
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// Where the cursor's line begins.
  var lineStart: Int { cursor - text.prefix(cursor).reversed().prefix { $0 != "\n" }.count }

  /// Where the cursor's line ends.
  var lineEnd: Int { cursor + text.dropFirst(cursor).prefix { $0 != "\n" }.count }

  /// The same column in the line above or below; nil where there is none.
  func lineMoved(_ step: Int) -> Int? {
    var starts = [0]
    for (index, character) in text.enumerated() where character == "\n" { starts.append(index + 1) }
    let line = starts.lastIndex { $0 <= cursor } ?? 0
    guard starts.indices.contains(line + step) else { return nil }
    let target = starts[line + step]
    let end = starts.indices.contains(line + step + 1) ? starts[line + step + 1] - 1 : text.count
    return min(target + cursor - starts[line], end)
  }
}
