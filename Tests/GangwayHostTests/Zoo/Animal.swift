import Foundation
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
import Testing

/// A bad plugin, and the host's expected message about it.
struct Animal: Sendable, CustomTestStringConvertible {
  let name: String
  let code: Refusal.Code
  let step: Refusal.Step
  /// Parts of the reason, with both values if two disagree.
  let reasons: [String]
  /// Makes the file in a folder, and returns its path, or several paths with the bad file last.
  let make: @Sendable (Scratch) throws -> [String]

  init(
    _ name: String, _ step: Refusal.Step, _ code: Refusal.Code, _ reasons: String...,
    make: @escaping @Sendable (Scratch) throws -> [String]
  ) {
    self.name = name
    self.step = step
    self.code = code
    self.reasons = reasons
    self.make = make
  }

  init(
    name: String, step: Refusal.Step, code: Refusal.Code, reasons: [String],
    make: @escaping @Sendable (Scratch) throws -> [String]
  ) {
    self.name = name
    self.step = step
    self.code = code
    self.reasons = reasons
    self.make = make
  }

  var testDescription: String { name }
}

/// Runs a real host with animals, and with a good plugin beside them.
enum ZooKeeper {
  struct Visit {
    let status: HostMessage.PluginStatus?
    let statuses: [HostMessage.PluginStatus]
    let result: BuiltHost.Result
    let messages: [HostMessage]
    /// The screen of the good plugin.
    let screen: String
    /// Whether the good plugin is still loading.
    let isLoading: Bool
  }

  static let opening =
    #"{"type":"hello","protocol":{"major":1,"minor":0}}"# + "\n" + #"{"type":"open","session":"s"}"# + "\n"

  /// Starts a host with files, the last of which is under test, and with the plugin Scenes.
  ///
  /// A busy host may end with its input before Scenes is loaded. In this case, the visit starts again.
  static func visit(_ paths: [String], options: [String] = [], cache: String? = nil) throws -> Visit {
    var visit = try visitOnce(paths, options, cache)
    for _ in 0..<4 where visit.isLoading { visit = try visitOnce(paths, options, cache) }
    return visit
  }

  private static func visitOnce(_ paths: [String], _ options: [String], _ cache: String?) throws -> Visit {
    let arguments = ["--serve", "--probe-timeout", "2"] + options + (paths + ["scenes"]).flatMap { ["--plugin", $0] }
    let result = try BuiltHost.run(
      arguments, input: opening, environment: cache.map { ["XDG_CACHE_HOME": $0] } ?? [:])
    let messages = result.output.utf8.split(separator: 10).compactMap {
      try? Line.decode(HostMessage.self, from: Array($0))
    }
    let ready =
      messages.compactMap { message -> [HostMessage.PluginStatus]? in
        if case .ready(let statuses) = message { statuses } else { nil }
      }.first ?? []
    let shown = messages.compactMap { message -> Presentation? in
      if case .update(_, let update) = message { update.presentation } else { nil }
    }
    return Visit(
      status: ready.last { $0.file == paths.last }, statuses: ready, result: result, messages: messages,
      screen: shown.last?.plainText ?? "", isLoading: shown.last?.reachable.contains { $0.kind == .progress } ?? false)
  }

  /// Checks that an animal is refused for its one cause, and that everything else runs.
  static func check(_ animal: Animal) throws {
    let scratch = try Scratch()
    let paths = try animal.make(scratch)
    let visit = try visit(paths)
    try #require(visit.result.status == 0, "\(visit.result.errors)")
    #expect(visit.screen.contains("Scene 1"), "\(visit.screen) \(visit.result.errors)")
    #expect(visit.statuses.contains { $0.id == "scenes" && isLetIn($0) })
    let status = try #require(visit.status, "\(visit.statuses)")
    #expect(status.state == .refused)
    #expect(status.cause == animal.code.rawValue, "\(status)")
    #expect(status.step == animal.step.rawValue, "\(status)")
    for reason in animal.reasons { #expect(status.refusal?.contains(reason) == true, "\(status)") }
    for other in visit.statuses where other.file != status.file {
      #expect(isLetIn(other), "\(other)")
    }
  }

  /// Returns whether a plugin is accepted. It may be loaded already, because the first screen comes before the list.
  private static func isLetIn(_ status: HostMessage.PluginStatus) -> Bool {
    [.registered, .loading, .active].contains(status.state)
  }
}
