@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// Forms: problems appear beside the input when the user can fix them, and no typed text is lost.
@MainActor @Suite struct FormTests {
  struct TooShort: Error, CustomStringConvertible {
    var description: String { "At least three letters." }
  }

  @Observable @MainActor final class Model {
    var name = ""
    var mail = ""
    var agrees = false
    var nick = "ada"
    var saved: [String] = []
  }

  private let model = Model()

  private func flow() async throws -> FlowTester<ShownContent> {
    try await ShownContent.flow { [model] in
      let bound = Bindable(wrappedValue: model)
      Form(submit: "Save") {
        TextField("Name", text: bound.name).required()
        TextField("Mail", text: bound.mail, style: .email)
          .rule(model.mail.contains("@") ? nil : "An address has an @.")
        Toggle("I agree", isOn: bound.agrees).required("Agree to it.")
      } onSubmit: {
        model.saved.append(model.name)
      }
    }
  }

  @Test func nothingIsSaidBeforeThePersonHasBeenThere() async throws {
    let flow = try await flow()
    #expect(flow.lines == ["Name: [] (required)", "Mail: []", "I agree: off (required)", "Save"])
    try await flow.type("x", into: "Mail")
    #expect(flow.lines[1] == "Mail: [x]", "while they are typing")
    try await flow.type("Ada", into: "Name")
    #expect(flow.lines[1] == "Mail: [x] (problem: An address has an @.)", "they have left it")
    #expect(flow.lines[3] == "Save", "and can try")
  }

  @Test func aCancelButtonStandsAfterTheSubmitButton() async throws {
    let model = model
    let flow = try await ShownContent.flow {
      Form(submit: "Save") {
        Button("Clear") { model.saved = [] }
        TextField("Name", text: Bindable(wrappedValue: model).name)
        Button("Cancel", role: .cancel) { model.saved.append("cancelled") }
      } onSubmit: {
        model.saved.append(model.name)
      }
    }
    #expect(flow.lines == ["Clear", "Name: []", "Save", "Cancel"])
    try await flow.tap("Cancel")
    try await flow.type("Ada", into: "Name")
    try await flow.submit()
    #expect(model.saved == ["cancelled", "Ada"])
  }

  @Test func aFormWithProblemsIsNotSubmittedAndSaysWhy() async throws {
    let flow = try await flow()
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Save") }
    #expect(failure?.description.contains("The form was not submitted: Fill in 'Name'.") == true)
    #expect(model.saved.isEmpty)
    #expect(
      flow.lines == [
        "Name: [] (required) (problem: Fill in 'Name'.)", "Mail: [] (problem: An address has an @.)",
        "I agree: off (required) (problem: Agree to it.)", "Save (unavailable: Fill in 'Name'.)",
      ])
    let name = flow.presentation.reachable.first { $0.label == "Name" }
    #expect(flow.presentation.top?.focus == name?.id, "the first problem has the keyboard")
    try await flow.type("Ada", into: "Name")
    #expect(flow.lines[3] == "Save (unavailable: An address has an @.)")
    await #expect(throws: FlowFailure.self, "a test learns that nothing was submitted") { try await flow.submit() }
    let mail = flow.presentation.reachable.first { $0.label == "Mail" }
    #expect(flow.presentation.top?.focus == mail?.id, "Enter leads to what is next")
    try await flow.restart()
    #expect(flow.lines[3] == "Save (unavailable: An address has an @.)", "after a crash it stands as it stood")
    try await flow.type("ada@example.org", into: "Mail")
    try await flow.toggle("I agree")
    #expect(flow.lines[3] == "Save")
    try await flow.submit()
    #expect(model.saved == ["Ada"])
  }

  /// Each press, and not only the second one on the button that is then disabled.
  @Test func aScriptFailsWhereAFormIsNotSubmitted() async throws {
    let flow = try await flow()
    for line in ["tap Save", "tap Save", "submit"] {
      await #expect(throws: FlowFailure.self) { try await flow.run(script: line) }
    }
    try await flow.run(script: "fails tap Save\nexpect Fill in 'Name'.\nset Name = Ada")
    try await flow.run(script: "set Mail = ada@example.org\ntap I agree\ntap Save")
    #expect(model.saved == ["Ada"])
  }

  @Test func whatABindingRefusesStaysInTheFieldWithTheReason() async throws {
    let flow = try await ShownContent.flow { [model] in
      let nick = Binding<String>(
        get: { model.nick },
        set: {
          guard $0.count >= 3 else { throw TooShort() }
          model.nick = $0
        })
      Form(submit: "Save") {
        TextField("Nick", text: nick)
      } onSubmit: {
        model.saved.append(model.nick)
      }
    }
    try await flow.type("x", into: "Nick")
    #expect(flow.lines[0] == "Nick: [x] (problem: At least three letters.)")
    #expect(model.nick == "ada")
    await #expect(throws: FlowFailure.self) { try await flow.tap("Save") }
    #expect(model.saved.isEmpty)
    try await flow.restart()
    #expect(flow.lines[0] == "Nick: [x] (problem: At least three letters.)")
    try await flow.type("grace", into: "Nick")
    #expect(flow.lines[0] == "Nick: [grace]" && model.nick == "grace")
    try await flow.tap("Save")
    #expect(model.saved == ["grace"])
  }

  @Test func aSecretThatIsRefusedIsNotKept() async throws {
    let flow = try await ShownContent.flow {
      TextField("Password", text: Binding(get: { "" }, set: { _ in throw TooShort() }), style: .secure)
    }
    try await flow.type("hunter2", into: "Password")
    #expect(flow.lines == ["Password: [] (problem: At least three letters.)"])
    #expect(!"\(flow.checkpoint)".contains("hunter2"))
  }
}
