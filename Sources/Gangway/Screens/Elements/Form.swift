import GangwayProtocol

/// Inputs that are submitted together, with the button that does it.
///
/// What is wrong is said beside an input (``Content/rule(_:)``, ``Content/required(_:)``) once the person has left it, or has tried
/// to submit. A form with something wrong in it is not submitted: the first input that is wrong gets the keyboard, and the button
/// says why it cannot be pressed until that is mended.
public struct Form: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let button: String
  let content: () -> ContentGroup
  let submit: @MainActor () async throws -> Void

  /// Makes a form.
  ///
  /// - Parameters:
  ///   - label: what it is for, for those who do not see it; may be empty.
  ///   - button: what stands on the button that submits it, which Enter in its inputs presses too.
  ///   - content: the inputs, and what stands between them.
  ///   - submit: runs on the main actor when nothing is wrong; what it throws is told to the person.
  public init(
    _ label: String = "", submit button: String, @ContentBuilder content: @escaping () -> ContentGroup,
    onSubmit submit: @escaping @MainActor () async throws -> Void
  ) {
    self.label = label
    self.button = button
    self.content = content
    self.submit = submit
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    var id: ElementID = ""
    var isSubmitted = false
    renderer.add(
      .form, label,
      configure: { element in
        id = element.id
        isSubmitted = renderer.state[id, .submitted] == "yes"
        // It can be acted on before it is known what is wrong in it.
        renderer.handle(id, .submit {})
      },
      children: {
        renderer.forms.append(FormDraft(id: id, isSubmitted: isSubmitted))
        renderer.descend("content") { content()._render(into: renderer) }
        let problems = renderer.forms.removeLast().problems
        let (state, wantFocus, submit) = (renderer.state, renderer.wantFocus, submit)
        let action: @MainActor () async throws -> Void = {
          guard let first = problems.first else {
            state[id, .submitted] = nil
            return try await submit()
          }
          state[id, .submitted] = "yes"
          wantFocus(first.element)
        }
        renderer.handle(id, .submit(action))
        renderer.descend("submit") {
          let reason = isSubmitted ? problems.first?.text : nil
          renderer.add(.button, button, handler: .action(action)) { element in
            element.role = .submit
            guard let reason else { return }
            element.isEnabled = false
            element.detail = reason
          }
        }
      })
  }
}

extension Content {
  /// Says what an input must hold.
  ///
  /// The problem is shown once the person has left the input or tried to submit the form, and keeps the form from being submitted.
  ///
  /// - Parameter problem: what is wrong with what the input holds now; nil where nothing is.
  public func rule(_ problem: String?) -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.amend(content) { renderer.apply(problem, to: &$0) }
    }
  }

  /// Says that an input must not be left empty.
  ///
  /// - Parameter problem: what is said where it is; nil stands for "Fill in 'LABEL'.".
  public func required(_ problem: String? = nil) -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.amend(content) { element in
        element.isRequired = true
        let isEmpty =
          element.kind == .toggle
          ? element.value != "on" : element.value?.allSatisfy(\.isWhitespace) ?? true
        if isEmpty { renderer.apply(problem ?? "Fill in '\(element.label)'.", to: &element) }
      }
    }
  }

  /// Does something when Enter is pressed in a field of one line.
  ///
  /// - Parameter action: runs on the main actor; what it throws is told to the person.
  public func onSubmit(_ action: @escaping @MainActor () async throws -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.amend(content) { element in
        guard element.kind.isEdited else { return }
        element.submits = true
        renderer.handle(element.id, .submit(action))
      }
    }
  }
}

extension ContentRenderer {
  /// Applies what a rule says of an input.
  fileprivate func apply(_ problem: String?, to element: inout Element) {
    guard let problem else { return }
    note(problem, of: element.id)
    let isShown = forms.last?.isSubmitted == true || state[element.id, .visited] == "yes"
    if isShown, element.problem == nil { element.problem = problem }
  }
}
