/// The forms of a screen that ask before the user leaves them with changes.
@MainActor final class UnsavedForms {
  /// Returns whether a form has changes now; one for each form of the last render that asks.
  var checks: [@MainActor () -> Bool] = []
  /// Renders the screen again.
  var didChange: @MainActor () -> Void = {}
  /// Whether the user sees the screen, and so a question on it.
  var isShown = false
  private var question: PendingAnswer<GuardVerdict>?
  private var submissions = 0

  /// Whether leaving the screen would lose changes. While a form is submitted, its action may leave the screen.
  var isAny: Bool { submissions == 0 && hasChanges }

  /// Whether a form has changes, also while it is submitted.
  var hasChanges: Bool { checks.contains { $0() } }

  /// Returns the guard that asks the user; nil if nothing would be lost.
  ///
  /// - Parameter title: the title of the screen.
  func leaveGuard(title: String?) -> NavigationGuard? {
    guard isAny else { return nil }
    return NavigationGuard("unsaved changes", timeout: nil) { [self] _ in
      guard isShown else {
        return .deny("\(title.map { "'\($0)'" } ?? "A form") has changes that are not saved. Go back to it first.")
      }
      let question = PendingAnswer<GuardVerdict>()
      self.question = question
      didChange()
      defer {
        if self.question === question {
          self.question = nil
          didChange()
        }
      }
      return try await question.value()
    }
  }

  /// Returns the guard of a screen that may not be shown, and whose changes are kept.
  ///
  /// - Parameter title: the title of the screen.
  static func refusal(_ title: String) -> NavigationGuard {
    NavigationGuard("unsaved changes") { _ in
      .deny("'\(title)' has changes that are not saved. To leave without saving, choose 'Discard changes' there.")
    }
  }

  /// The question to the user; nil if there is none.
  var alert: Alert? {
    question.map { question in
      Alert(
        "Discard your changes?", message: "They have not been saved.", isPresented: .constant(true)
      ) {
        Button("Discard", role: .destructive) { question.give(.allow) }
        Button("Keep editing", role: .cancel) { question.give(.deny()) }
      }
    }
  }

  /// Runs the action of a form, which may leave the screen.
  func submit(_ action: @MainActor () async throws -> Void) async throws {
    submissions += 1
    defer { submissions -= 1 }
    try await action()
  }
}
