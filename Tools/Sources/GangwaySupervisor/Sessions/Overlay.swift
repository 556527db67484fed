import GangwayProtocol

/// What the supervisor itself has to say, drawn by any front end as part of the presentation: what stands on a feature's
/// screens, and a question about one that does not answer.
struct Overlay {
  /// The node that the supervisor's own elements belong to; no host has it.
  static let node: NodeID = 0
  static let wait: ElementID = "gangway.wait"
  static let restart: ElementID = "gangway.restart"

  /// A question that waits for an answer: its text, and what explains it.
  var question: (text: String, detail: String)?
  /// What is said on all screens of a plugin, by its id.
  var banners: [String: [String]] = [:]

  /// A presentation with what there is to say.
  func applied(to presentation: Presentation, plugin: (NodeID) -> String?) -> Presentation {
    guard question != nil || !banners.isEmpty, !presentation.layers.isEmpty else { return presentation }
    var presentation = presentation
    for index in presentation.layers.indices {
      guard let lines = plugin(presentation.layers[index].node).flatMap({ banners[$0] }) else { continue }
      let texts = lines.enumerated().map { number, line in
        Element(id: "gangway.banner.\(number)", kind: .text, label: line, role: .problem)
      }
      presentation.layers[index].elements.insert(contentsOf: texts, at: 0)
    }
    if let question {
      var alert = Element(id: "gangway.question", kind: .alert, label: question.text)
      alert.detail = question.detail
      alert.children = [
        Element(id: Self.wait, kind: .button, label: "Wait", role: .cancel),
        Element(id: Self.restart, kind: .button, label: "Restart", role: .destructive),
      ]
      presentation.layers.append(
        .init(node: Self.node, style: .modal, title: question.text, isDismissible: false, elements: [alert]))
    }
    return presentation
  }
}
