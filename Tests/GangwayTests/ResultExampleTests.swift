import Foundation
import Gangway
import Testing

/// Declared results are compared in the direction in which the values go. The type that takes a result must accept what
/// the other plugin returns.
@MainActor @Suite struct ResultExampleTests {
  /// The result has fields that the plugin does not take, and lacks one that its type requires.
  @Test func aMissingFieldIsFoundAndAFurtherOneIsFine() throws {
    let registry = Registry()
    try registry.register(Approver.self)
    try registry.register(Spender.self)
    #expect(
      registry.misfits(of: "approver") == [
        #"The plugin approver expects Array<Urgent> from spender.ledger.waiting, but the plugin spender returns "#
          + #"Array<Waiting>, such as [{"amount":0,"day":"#
          + #"0,"id":"1","note":"","page":"https://example.org"}]: it lacks 'isUrgent'."#,
        #"The plugin approver expects Array<Renamed> from spender.ledger.waiting, but the plugin spender returns "#
          + #"Array<Waiting>, such as [{"amount":0,"day":"#
          + #"0,"id":"1","note":"","page":"https://example.org"}]: it lacks 'price'."#,
        #"The plugin approver expects Array<Texts> from spender.ledger.waiting, but the plugin spender returns "#
          + #"Array<Waiting>, such as [{"amount":0,"day":"#
          + #"0,"id":"1","note":"","page":"https://example.org"}]: String was expected for 'amount'."#,
      ])
    #expect(
      registry.uncheckedResults(of: "approver") == ["spender.ledger.waiting", "spender.ledger.choosy"])
    // A running app invents nothing, because the code of a plugin would run with it.
    #expect(registry.problems == [])
  }

  @Test func aMissingServiceIsReportedOnceForAllItsOperations() throws {
    let registry = Registry()
    try registry.register(Approver.self)
    #expect(registry.misfits(of: "approver").count == 1)
    #expect(registry.problems.count == 1, "\(registry.problems)")
  }

  /// Takes what another plugin returns, with types of its own.
  final class Approver: Plugin {
    static let id = "approver", version = "1.0.0"
    struct Fewer: Codable { var id = "1" }
    struct Urgent: Codable { var id = "1", isUrgent = true }
    struct Renamed: Codable { var id = "1", price = 1.0 }
    struct Texts: Codable { var id = "1", amount = "1" }
    /// An invented note is none of these, and a real one may be.
    struct Picky: Codable {
      enum Note: String, Codable { case urgent, late }
      var id = "1"
      var note: Note?
    }
    func register(in registry: Registrar) {
      registry.uses(service: "spender.ledger", operation: "waiting", returning: [Fewer()])
      registry.uses(service: "spender.ledger", operation: "waiting", returning: [Urgent()])
      registry.uses(service: "spender.ledger", operation: "waiting", returning: [Renamed()])
      registry.uses(service: "spender.ledger", operation: "waiting", returning: [Texts()])
      registry.uses(service: "spender.ledger", operation: "waiting", returning: [Picky()])
      registry.uses(service: "spender.ledger", operation: "choosy", returning: Fewer())
    }
  }

  final class Spender: Plugin {
    static let id = "spender", version = "1.0.0"
    final class Ledger {}
    struct Waiting: Codable {
      let id: String, amount: Double, note: String
      let day: Date, page: URL
      let receipt: String?
    }
    /// A value that cannot be made from an example.
    struct Choosy: Codable {
      let id: String
      init(from decoder: any Decoder) throws {
        id = try decoder.singleValueContainer().decode(String.self)
        guard id == "open sesame" else {
          throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no"))
        }
      }
    }
    func register(in registry: Registrar) {
      registry.service("ledger") { _ in
        Ledger()
      } operations: { contract in
        contract.operation("waiting") { (_: Ledger, _: NoPayload) in [Waiting]() }
        contract.operation("choosy") { (_: Ledger, _: NoPayload) -> Choosy in throw CancellationError() }
      }
    }
  }
}
