import GangwayProtocol

/// How far something is that a feature's screens are about, such as its being built.
public struct WorkProgress: Hashable, Sendable {
  let title: String
  let done: Int
  let count: Int

  /// Makes one.
  ///
  /// - Parameters:
  ///   - title: what goes on.
  ///   - done: how many steps of it have ended.
  ///   - count: how many it has, as far as is known.
  public init(_ title: String, _ done: Int, of count: Int) {
    (self.title, self.done, self.count) = (title, done, count)
  }

  var element: Element {
    var element = Element(id: "gangway.building", kind: .progress, label: "\(title) (\(done) of \(count))")
    element.value = "\(Double(done) / Double(max(count, 1)))"
    return element
  }
}

/// What the supervisor itself has to say, drawn by any front end as part of the presentation: what stands on a feature's
/// screens, and a question about one that does not answer.
struct Overlay {
  /// The node that the supervisor's own elements belong to; no host has it.
  static let node: NodeID = 0
  static let wait: ElementID = "gangway.wait"
  static let restart: ElementID = "gangway.restart"

  /// A question that waits for an answer: its text, and what explains it.
  var question: (text: String, detail: String)?
  /// What is said on all screens of a plugin, by its id; on all screens there are for nil.
  var banners: [String?: [String]] = [:]
  /// What goes on that a plugin's screens are about, by its id.
  var progress: [String: WorkProgress] = [:]

  /// A presentation with what there is to say.
  func applied(to presentation: Presentation, plugin: (NodeID) -> String?) -> Presentation {
    guard question != nil || !banners.isEmpty || !progress.isEmpty, !presentation.layers.isEmpty else {
      return presentation
    }
    var presentation = presentation
    for index in presentation.layers.indices {
      let plugin = plugin(presentation.layers[index].node)
      let lines = (banners[.none] ?? []) + (plugin.flatMap { banners[$0] } ?? [])
      var said = lines.enumerated().map { number, line in
        Element(id: "gangway.banner.\(number)", kind: .text, label: line, role: .problem)
      }
      if let progress = plugin.flatMap({ progress[$0] }) { said.insert(progress.element, at: 0) }
      presentation.layers[index].elements.insert(contentsOf: said, at: 0)
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
