import Gangway

/// The content of scenes 2 and 3.
@MainActor protocol TextModeling: AnyObject {
  var line: String { get }
}

final class TextModel: TextModeling {
  private let text: String
  init(text: String) { self.text = text }
  var line: String { text.isEmpty ? "Nothing was typed" : "You typed: \(text)" }
}

struct TextScene<Model: TextModeling>: Screen {
  let model: Model
  var body: some Content { Text(model.line) }
}
