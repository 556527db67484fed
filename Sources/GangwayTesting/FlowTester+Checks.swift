import Gangway
import GangwayProtocol

/// What must hold after every step.
extension FlowTester {
  func check(_ place: SourcePlace) throws {
    try checkNotices(place)
    guard session.pending.isEmpty else { return }
    if checksLeaks { try checkLeaks(place) }
    let stranded = session.strandedResults
    guard stranded.isEmpty else {
      throw FlowFailure("Somebody waits for the result of flows that are gone: nodes \(stranded).", at: place)
    }
    if checksRestoration { try checkRestoration(place) }
  }

  private func checkLeaks(_ place: SourcePlace) throws {
    let leaked = session.leakedCoordinators
    guard leaked.isEmpty else {
      throw FlowFailure(
        "\(leaked.joined(separator: ", ")) went with its entry, and something still holds it: a closure that captures "
          + "it, a model, a task, or the test itself. Capture it weakly, or set checksLeaks to false.", at: place)
    }
  }

  /// Restores what is stored in a session beside this one, and compares what that one stores.
  private func checkRestoration(_ place: SourcePlace) throws {
    let stored = session.checkpoint
    let twin = twin()
    log.isComparing = true
    defer {
      twin.abandon()
      log.isComparing = false
    }
    do {
      let text = try Line.encode(stored)
      _ = try twin.start(from: try Line.decode(Checkpoint.self, from: text))
    } catch {
      throw FlowFailure("What is stored cannot be restored: \(error)", at: place)
    }
    // A test that hands in one certain coordinator cannot be restored beside itself.
    guard twin.rootCoordinator != nil else { return }
    guard let difference = stored.firstDifference(from: twin.checkpoint) else { return }
    throw FlowFailure(
      "What is stored does not come back as it was: \(difference). What the screens and coordinators are made of must "
        + "follow from routes and state alone, or set checksRestoration to false.", at: place)
  }
}

extension Checkpoint {
  /// The first record that differs, with both versions; nil where all are the same.
  func firstDifference(from other: Checkpoint) -> String? {
    for id in Set(records.keys).union(other.records.keys).sorted() where records[id] != other.records[id] {
      let first = records[id].flatMap { try? Line.encode($0) }.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      let second =
        other.records[id].flatMap { try? Line.encode($0) }.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      return "node \(id) was \(first.trimmedEnd), and comes back as \(second.trimmedEnd)"
    }
    return nil
  }
}

extension String {
  fileprivate var trimmedEnd: Substring { last == "\n" ? dropLast() : self[...] }
}
