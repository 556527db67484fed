import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// The walk of `gangway validate` fills forms as a user does, and finds a button beside many rows.
@MainActor @Suite struct FormWalkTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test(arguments: [1, 2, 3]) func aFormBesideManyRowsIsFilledAndSubmitted(_ seed: Int) async throws {
    let path = try await workshop.plugin("Expenses", Self.source)
    let result = try await workshop.gangway(["validate", path, "--steps", "120", "--seed", "\(seed)"])
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("Fatal error: the expense was added"), "\(result.output)")
  }

  private static let source = """
    import Gangway
    import Observation

    final class Expenses: StackCoordinator {
      enum Route: NavigationRoute { case list, one(Int), add }
      let start = Route.list
      func destination(for route: Route) -> Destination {
        switch route {
        case .list: .screen { router in All(router: router) }
        case .one(let number): .screen { One(number: number) }
        case .add: .screen { router in Add(router: router) }
        }
      }
    }
    struct Entry: Identifiable { let id: Int }
    struct All: Screen {
      let router: Router<Expenses>
      var body: some Content {
        List((1...64).map(Entry.init)) { entry in
          Row("Expense \\(entry.id)") { try await router.show(.one(entry.id)) }
        }
        Button("Add") { try await router.show(.add) }
      }
    }
    struct One: Screen {
      let number: Int
      var body: some Content { Text("Expense \\(number)") }
    }
    @MainActor @Observable final class Draft {
      var what = ""
      var amount = ""
      var receipt = ""
      var kind: String? = nil
      var agrees = false
    }
    struct Add: Screen {
      let router: Router<Expenses>
      @Bindable var draft = Draft()
      var body: some Content {
        Form("Expense", submit: "Save") {
          TextField("What", text: $draft.what).required()
          TextField("Amount", text: $draft.amount).rule(
            (Double(draft.amount) ?? 0) > 0 ? nil : "Enter an amount above 0.")
          TextField("Receipt to", text: $draft.receipt).rule(
            draft.receipt.contains("@") ? nil : "Enter an address.")
          Picker("Kind", selection: $draft.kind, options: [nil, "Travel", "Food"]) { $0 ?? "none" }
            .rule(draft.kind == nil ? "Choose one." : nil)
          Toggle("I have the receipt", isOn: $draft.agrees).required()
        } onSubmit: {
          fatalError("the expense was added")
        }
      }
    }
    final class ExpensesPlugin: Plugin {
      static let id = "expenses", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Expenses") { _ in Expenses() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ExpensesPlugin.self) }
    """
}
