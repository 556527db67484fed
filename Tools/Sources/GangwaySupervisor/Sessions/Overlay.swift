@_spi(FrontEnd) import GangwayProtocol

/// The progress of some work on a feature, such as a build.
@_spi(FrontEnd) public struct WorkProgress: Hashable, Sendable {
  let title: String
  let done: Int
  let count: Int

  /// Creates a progress value.
  ///
  /// - Parameters:
  ///   - title: the title of the work.
  ///   - done: the number of finished steps.
  ///   - count: the number of all steps known so far.
  public init(_ title: String, _ done: Int, of count: Int) {
    (self.title, self.done, self.count) = (title, done, count)
  }

  var element: Element {
    var element = Element(
      id: "gangway.building", kind: .progress, label: Words.Session.progress(title, done: done, of: count))
    element.value = "\(Double(done) / Double(max(count, 1)))"
    return element
  }
}

/// The supervisor's own part of a presentation, which any front end can draw.
///
/// It contains banners and progress on a feature's screens, and a question about a feature that does not answer.
package struct Overlay {
  /// The node of the supervisor's own elements, which no host uses.
  package static let node: NodeID = 0
  package static let wait: ElementID = "gangway.wait"
  package static let restart: ElementID = "gangway.restart"

  /// The open question: its text and an explanation.
  var question: (text: String, detail: String)?
  /// The banner lines on all screens of a plugin, by its id; nil stands for all screens.
  var banners: [PluginID?: [String]] = [:]
  /// The progress of work on a plugin, by its id.
  var progress: [PluginID: WorkProgress] = [:]

  /// Returns a presentation with the overlay added.
  func applied(to presentation: Presentation, plugin: (NodeID) -> PluginID?) -> Presentation {
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
        Element(id: Self.wait, kind: .button, label: Words.Question.wait, role: .cancel),
        Element(id: Self.restart, kind: .button, label: Words.Question.restart, role: .destructive),
      ]
      presentation.layers.append(
        .init(node: Self.node, style: .modal, title: question.text, isDismissible: false, elements: [alert]))
    }
    return presentation
  }
}
