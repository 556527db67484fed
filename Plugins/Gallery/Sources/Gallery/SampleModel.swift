import Gangway
import Observation

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The model of samples with inputs.
@MainActor @Observable final class SampleModel {
  var name = ""
  var mail = ""
  var notes = ""
  var secret = ""
  var guests = 2
  var weight = 1.5
  var day = Date(timeIntervalSince1970: 1_795_000_000)
  var size = "medium"
  var isNight = false
  var agrees = false
  var selection: Set<String> = []
  var numbers: Set<Int> = []
  var search = ""
  var isAsking = false
  var isTelling = false
  /// The goods that a screen loads. A real feature would read a file or ask a server.
  let goods = Loadable { Good.all }
  let packing = Work()
  var lines: [String] {
    get { kept.lines }
    set { kept.lines = newValue }
  }
  var count: Int {
    get { kept.count }
    set { kept.count = newValue }
  }
  var letters: Int {
    get { kept.letters }
    set { kept.letters = newValue }
  }
  var cell: String {
    get { kept.cell }
    set { kept.cell = newValue }
  }

  /// The results of actions in a sample. No input has them, so they are part of the coordinator's state.
  struct Kept: Codable {
    var lines = ["Started."]
    var count = 0
    var letters = 3
    var cell = ""
  }
  private var kept: Kept { didSet { keep(kept) } }
  @ObservationIgnored private let keep: (Kept) -> Void

  init(_ kept: Kept, keep: @escaping (Kept) -> Void) {
    self.kept = kept
    self.keep = keep
  }
}

/// An item to list.
struct Good: Identifiable, Sendable {
  let id: String
  let weight: Double
  var parts: [Good]?

  static let all = [
    Good(id: "Milk", weight: 1), Good(id: "Bread", weight: 0.75), Good(id: "Apples", weight: 2.5),
    Good(id: "Box", weight: 4, parts: [Good(id: "Tea", weight: 0.1), Good(id: "Salt", weight: 0.5)]),
  ]
}

/// One of very many rows, made on demand.
struct Number: Identifiable, Sendable {
  let id: Int

  static var all: some RandomAccessCollection<Number> { (1...100_000).lazy.map { Number(id: $0) } }
}
