@_spi(FrontEnd) import GangwayProtocol

/// Inputs that are submitted together with a button.
///
/// An input shows its problem (``Content/rule(_:)``, ``Content/required(_:)``) once the user has left it, or has tried
/// to submit. A form with a problem is not submitted: the first input with a problem gets the keyboard focus. The
/// button is disabled and shows the reason until the problem is fixed. A button with the role `cancel` at the end of
/// the content stands after the submit button.
public struct Form: PrimitiveContent {
  let label: String
  let button: String
  let content: () -> ContentGroup
  let submit: @MainActor () async throws -> Void
  let isDirty: @MainActor () -> Bool?

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - label: the purpose of the form, for screen readers; may be empty.
  ///   - button: the label of the submit button, which Enter in an input also presses.
  ///   - isDirty: whether leaving the screen would lose changes, such as `draft != saved`. The user is asked first,
  ///     also if an input shows a refused text. The action of `onSubmit` may leave the screen without the question.
  ///     Nil, the default, never asks.
  ///   - content: the inputs, and other content between them.
  ///   - submit: runs on the main actor if there is no problem. The user sees its errors.
  public init(
    _ label: String = "", submit button: String, isDirty: @autoclosure @escaping @MainActor () -> Bool? = nil,
    @ContentBuilder content: @escaping () -> ContentGroup,
    onSubmit submit: @escaping @MainActor () async throws -> Void
  ) {
    self.label = label
    self.button = button
    self.content = content
    self.submit = submit
    self.isDirty = isDirty
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    var id: ElementID = ""
    var isSubmitted = false
    renderer.add(
      .form, label,
      configure: { element in
        id = element.id
        isSubmitted = renderer.state[id, .submitted] == "yes"
        // The handler exists before the form's problems are known.
        renderer.handle(id, .submit {})
      },
      children: {
        renderer.forms.append(FormDraft(id: id, isSubmitted: isSubmitted))
        renderer.descend("content") { content()._render(into: renderer) }
        let problems = renderer.forms.removeLast().problems
        let (state, wantFocus, submit, isDirty) = (renderer.state, renderer.wantFocus, submit, isDirty)
        if isDirty() != nil {
          state.unsaved.checks.append { [weak state] in isDirty() == true || state?.hasRefusals == true }
        }
        let action: @MainActor () async throws -> Void = {
          guard let first = problems.first else {
            state[id, .submitted] = nil
            return try await state.unsaved.submit(submit)
          }
          state[id, .submitted] = "yes"
          wantFocus(first.element)
        }
        renderer.handle(id, .submit(action))
        // A cancel button at the end of the content comes after the submit button, on its line.
        let cancel = renderer.elements.last?.role == .cancel ? renderer.elements.removeLast() : nil
        defer { if let cancel { renderer.elements.append(cancel) } }
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
  /// Adds a rule for the value of an input.
  ///
  /// The problem is shown once the user has left the input or tried to submit the form. It prevents submission.
  ///
  /// - Parameter problem: the problem with the present value; nil for no problem.
  public func rule(_ problem: String?) -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.amend(content) { renderer.apply(problem, to: &$0) }
    }
  }

  /// Marks an input as required.
  ///
  /// - Parameter problem: the message about an empty input; nil stands for "Fill in 'LABEL'.".
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

  /// Runs an action when the user presses Enter in a single-line field.
  ///
  /// - Parameter action: runs on the main actor. The user sees its errors.
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
  /// Applies the problem of a rule to an input.
  fileprivate func apply(_ problem: String?, to element: inout Element) {
    guard let problem else { return }
    note(problem, of: element.id)
    let isShown = forms.last?.isSubmitted == true || state[element.id, .visited] == "yes"
    if isShown, element.problem == nil { element.problem = problem }
  }
}
