import Foundation
import Glibc
import Subprocess
@_spi(FrontEnd) import TestSupport

/// The feature Todos with 100,000 todos of a user who is signed in.
///
/// The title of each todo begins with a word of six letters. Neighbors have no letter in common, so that a drawn row
/// has the whole word of its todo.
@MainActor struct ManyTodos {
  static let count = 100_000
  let words: [String]
  /// The folder with the data of features.
  let dataFolder: String
  /// The plugins: Todos, and a double of Account that never signs out.
  let plugins: [String]
  private let workshop: Workshop

  init() async throws {
    var random = SeededGenerator(seed: 7)
    words = (0..<Self.count).map { number in
      // Nothing else has these words, to which a list jumps.
      if number == 0 { return "FIRSTS" }
      if number == Self.count - 1 { return "LATEST" }
      return String((0..<6).map { _ in Self.letters[number % 2].randomElement(using: &random) ?? "a" })
    }
    workshop = try Workshop()
    plugins = [Workshop.built + "/libTodos.so", try await workshop.plugin("AccountDouble", accountDouble)]
    dataFolder = workshop.path("data")
    try await fill()
  }

  private static let letters = [Array("nopqrstuvwxyz"), Array("abcdefghijklm")]

  /// Makes the file of the feature by a start of the app, and stores the todos in it.
  private func fill() async throws {
    let script = workshop.path("make.txt")
    try "open gangway://todos/lists/all\nexpect New todo\n".write(toFile: script, atomically: true, encoding: .utf8)
    let arguments = ["run", "--fresh", "--script", script] + options
    try await run(Workshop.built + "/gangway", arguments)
    try await fill("\(dataFolder)/gangway/todos/bench.sqlite")
  }

  private func fill(_ file: String) async throws {
    guard FileManager.default.fileExists(atPath: file) else { throw Failed(description: "Todos made no file \(file)") }
    let titles = workshop.path("titles.txt")
    try words.joined(separator: "\n").write(toFile: titles, atomically: true, encoding: .utf8)
    try await run("/usr/bin/python3", ["-c", Self.filling, file, titles])
  }

  /// The options of `gangway run` for the two plugins.
  var options: [String] { plugins.flatMap { ["--plugin", $0] } }
  var environment: [Environment.Key: String?] {
    ["XDG_STATE_HOME": workshop.path("state"), "XDG_DATA_HOME": dataFolder, "XDG_CONFIG_HOME": "/nonexistent"]
  }

  private func run(_ program: String, _ arguments: [String]) async throws {
    let result = try await Subprocess.run(
      .path(.init(program)), arguments: Arguments(arguments), environment: .inherit.updating(environment),
      output: .string(limit: 1 << 16), error: .combinedWithOutput)
    guard case .exited(0) = result.terminationStatus else {
      throw Failed(description: "\(program) \(arguments): \(result.standardOutput)")
    }
  }

  private static let filling = """
    import sqlite3, sys
    database = sqlite3.connect(sys.argv[1])
    words = open(sys.argv[2]).read().split()
    database.executemany(
      "INSERT INTO todo(key, title, note, isFavourite, isDone, position) VALUES(?, ?, '', 0, 0, ?)",
      ((f"key {n}", f"{word} {n}", n) for n, word in enumerate(words, 1)))
    database.commit()
    """

  /// A search: what the user types, letter by letter, and texts that are drawn after each letter.
  ///
  /// The texts are of rows that were not visible before. The terminal does not draw letters that stay the same, so
  /// one of the texts is enough.
  struct Search {
    let letters: String
    let results: [[String]]
  }

  /// Returns some searches.
  ///
  /// - Parameter count: the number of searches.
  func searches(_ count: Int) -> [Search] {
    var found: [Substring: [String]] = ["": Array(words.prefix(60))]
    for word in words {
      for length in 1...3 where found[word.prefix(length), default: []].count < 60 {
        found[word.prefix(length), default: []].append(word)
      }
    }
    return (0..<count).map { number in
      let typed = words[501 + 997 * number].prefix(3)
      let results = (1...3).map { length in
        let before = Set(found[typed.prefix(length - 1)] ?? [])
        return (found[typed.prefix(length)] ?? []).prefix(25).filter { !before.contains($0) }
          .map { String($0.dropFirst(length)) }
      }
      return Search(letters: String(typed), results: results)
    }
  }
}

struct Failed: Error, CustomStringConvertible { let description: String }

/// A generator of the same numbers in each run.
///
/// Source: S. Vigna, splitmix64, 2015.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

private let accountDouble = """
  import Gangway
  import Observation

  @MainActor final class SignedIn {}

  @MainActor final class AccountDouble: Plugin {
    static let id = "account"
    static let version = "1.0.0"
    func register(in registry: Registrar) {
      registry.service("session") { _ in SignedIn() } operations: { contract in
        contract.operation("user") { (_: SignedIn, _: NoPayload) in Optional("bench") }
        contract.changes("user") { (_: SignedIn) in Observations { Optional("bench") } }
      }
      registry.place("sign-in") { (_: NoPayload, _) in SignIn() }
    }
  }

  @Observable final class SignIn: StackCoordinator {
    typealias Output = String
    enum Route: NavigationRoute { case only }
    let start = Route.only
    func destination(for route: Route) -> Destination { .screen { _ in SignInScreen() } }
  }

  struct SignInScreen: Screen { var body: some Content { Text("You are signed in.") } }

  @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(AccountDouble.self) }
  """
