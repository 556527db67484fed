/// A text being edited, ahead of the host's answers.
struct TextEdit: Equatable {
  /// A text and its cursor position, for undo.
  struct Step: Equatable {
    let text: String
    let cursor: Int
  }

  private(set) var text: String
  /// The cursor position, in characters from the beginning.
  private(set) var cursor: Int
  /// The other end of the selection, which ends at the cursor; nil if nothing is selected.
  private(set) var anchor: Int?
  /// The number of edits that the host has not answered yet.
  var unanswered = 0
  /// Whether the app does not have the text, and the next action sends it.
  var isHeld = false
  /// Whether the same text was held before.
  var wasHeld = false
  /// Steps to undo and to redo, the most recent last.
  private var undoable: [Step] = []
  private var redoable: [Step] = []
  /// Whether the user is typing letters, which are undone together.
  private var isTyping = false

  /// The limits of the undo history, in steps and in UTF-8 bytes.
  private static let maximumSteps = 200
  private static let maximumKept = 1_000_000

  init(text: String, cursor: Int) {
    self.text = text
    self.cursor = min(max(cursor, 0), text.characterCount)
  }

  static func == (first: TextEdit, second: TextEdit) -> Bool {
    first.text == second.text && first.cursor == second.cursor && first.anchor == second.anchor
      && first.unanswered == second.unanswered && first.isHeld == second.isHeld
  }

  /// The selection, in characters; nil if nothing is selected.
  var selection: Range<Int>? {
    guard let anchor, anchor != cursor else { return nil }
    return min(anchor, cursor)..<max(anchor, cursor)
  }

  /// The selected text; nil if nothing is selected.
  var selected: String? {
    selection.map { String(text[text.index(ofCharacter: $0.lowerBound)..<text.index(ofCharacter: $0.upperBound)]) }
  }

  /// Replaces the text with the host's text, and clears the undo history.
  mutating func replace(_ text: String) {
    self = TextEdit(text: text, cursor: cursor)
  }

  // MARK: Changing

  /// Replaces the selection with text, or inserts text at the cursor.
  ///
  /// - Parameter isTyped: whether the text is a typed letter; letters typed in a row are undone together.
  mutating func insert(_ inserted: String, isTyped: Bool = false) {
    let goesOn = isTyped && isTyping && selection == nil && inserted != " "
    change(selection ?? cursor..<cursor, to: inserted, isOneStep: goesOn)
    isTyping = isTyped
  }

  /// Deletes the selection, or a part of the text if nothing is selected.
  mutating func delete(_ part: Range<Int>) {
    let part = selection ?? part.clamped(to: 0..<text.characterCount)
    guard !part.isEmpty else { return }
    change(part, to: "", isOneStep: false)
    isTyping = false
  }

  /// Replaces the whole text.
  mutating func set(_ new: String) {
    change(0..<text.characterCount, to: new, isOneStep: false)
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
    let before = text[..<text.index(ofCharacter: part.lowerBound)] + new
    // A combining character joins its neighbor, so the text can have fewer characters than were inserted.
    let after = text[text.index(ofCharacter: part.upperBound)...]
    cursor = String(before).characterCount
    text = String(before) + after
    cursor = min(cursor, text.characterCount)
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

  /// Moves the cursor to a place, and extends the selection or clears it.
  mutating func move(to place: Int, selects: Bool = false) {
    anchor = selects ? anchor ?? cursor : nil
    cursor = min(max(place, 0), text.characterCount)
    isTyping = false
  }

  /// Selects the whole text.
  mutating func selectAll() {
    (anchor, cursor, isTyping) = (0, text.characterCount, false)
  }

  /// The start of the word before the cursor.
  var wordStart: Int {
    let characters = Array(text.prefix(cursor))
    var at = characters.count
    while at > 0, !Self.isOfWord(characters[at - 1]) { at -= 1 }
    while at > 0, Self.isOfWord(characters[at - 1]) { at -= 1 }
    return at
  }

  /// The end of the word after the cursor.
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

  /// The start of the cursor's line.
  var lineStart: Int { cursor - text.prefix(cursor).reversed().prefix { $0 != "\n" }.count }

  /// The end of the cursor's line.
  var lineEnd: Int { cursor + text.dropFirst(cursor).prefix { $0 != "\n" }.count }

  /// Returns the same column in the line above or below; nil if there is no such line.
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
