import Foundation
@_spi(FrontEnd) import GangwayHost

extension Animal {
  /// Plugins that do something bad in `register(in:)`. One library does everything, and the name of its file selects
  /// what.
  static let registering: [Animal] = [
    registrar("throws", .register, .registration, "its registration failed: Trouble()"),
    registrar("traps", .probe, .crashed, "(SIGILL), in register(in:) of the plugin traps"),
    registrar("hangs", .probe, .timedOut, "in register(in:) of the plugin hangs"),
    registrar("exits", .probe, .exited, "with exit code 0, in register(in:) of the plugin exits"),
    registrar("reenters", .probe, .crashed, "in register(in:) of the plugin reenters"),
    registrar("floods", .register, .registration, "has more than 10000 contributions"),
    registrar("Uppercase", .register, .registration, "has the id 'Uppercase', which is not valid"),
    registrar("oldversion", .register, .registration, "has the version 'old', which is not a version like 1.2.3"),
    registrar("twotabs", .register, .registration, "registers the tab twotabs.main twice, as 'One' and 'Two'"),
    registrar(
      "twolinks", .register, .registration, "registers the links same/:a and same/:b, which match the same URLs"),
    registrar("badlink", .register, .registration, "which is not a valid pattern"),
    registrar("badname", .register, .registration, "registers the tab 'No Name', whose name does not match"),
    registrar("twodependencies", .register, .registration, "depends on scenes twice"),
    registrar(
      "baddependency", .register, .registration, "depends on scenes from 'soon', which is not a version like 1.2.3"),
  ]

  /// Plugins that do not work together with others.
  static let together: [Animal] = [
    several(
      "duplicate id", "one-a", "one-b", .duplicateID, "its id 'one' is also the id of", "libone-a.so",
      "this file has version 1.0.0"),
    several(
      "duplicate link", "links-a", "links-b", .conflict, "the plugin links-b registers the link here/:second",
      "matches the same URLs as here/:first of the plugin links-a"),
    several("missing dependency", "needs-nobody", .missingDependency, "it needs the plugin nobody", "was found"),
    several(
      "unsatisfied dependency", "base", "needs-newer", .unsatisfiedDependency,
      "it needs the plugin base 2.0.0 or later, and 1.0.0 is installed"),
    several("depends on itself", "needs-self", .dependencyCycle, "it depends on itself"),
  ]

  private static func registrar(
    _ name: String, _ step: Refusal.Step, _ code: Refusal.Code, _ reason: String
  ) -> Animal {
    Animal("register(in:) \(name)", step, code, reason) { [try Zoo.chameleon(name, in: $0)] }
  }

  private static func several(
    _ name: String, _ names: String..., code: Refusal.Code = .missing, reasons: [String] = []
  ) -> Animal {
    Animal(name: name, step: .plan, code: code, reasons: reasons) { scratch in
      try names.map { try Zoo.chameleon($0, in: scratch) }
    }
  }

  private static func several(
    _ name: String, _ first: String, _ code: Refusal.Code, _ reasons: String...
  ) -> Animal {
    several(name, first, code: code, reasons: reasons)
  }

  private static func several(
    _ name: String, _ first: String, _ second: String, _ code: Refusal.Code, _ reasons: String...
  ) -> Animal {
    several(name, first, second, code: code, reasons: reasons)
  }
}

extension Zoo {
  /// Makes a plugin that takes its id, its version and its behavior from the name of its file.
  static func chameleon(_ name: String, in scratch: Scratch) throws -> String {
    let path = scratch.path("lib\(name).so")
    try FileManager.default.copyItem(atPath: chameleonLibrary.get(), toPath: path)
    return path
  }

  private static let home = Result { try Scratch() }

  /// Built once for all tests.
  private static let chameleonLibrary = Result {
    try swift(chameleonSource, as: "Chameleon", in: home.get())
  }

  private static let chameleonSource = """
    import Gangway
    import Glibc

    /// The file that this code is mapped from.
    private func fileName() -> String {
      let entry: @convention(c) () -> UnsafeMutableRawPointer = { gangwayPlugin() }
      let address = UInt(bitPattern: unsafeBitCast(entry, to: UnsafeRawPointer.self))
      guard let maps = fopen("/proc/self/maps", "r") else { return "" }
      defer { fclose(maps) }
      var buffer = [CChar](repeating: 0, count: 5000)
      while fgets(&buffer, 5000, maps) != nil {
        let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard range.count == 2, address >= range[0], address < range[1] else { continue }
        let name = line.split(separator: "/").last?.prefix { !$0.isNewline } ?? ""
        return String(name.dropFirst(3).dropLast(3))
      }
      return ""
    }

    private let isProbing = CommandLine.arguments.contains("--probe")

    final class Chameleon: Plugin {
      static let file = fileName()
      static let id = file.hasPrefix("one-") ? "one" : file
      static let version = file == "oldversion" ? "old" : "1.0.0"
      func register(in registry: Registrar) throws {
        switch Self.file {
        case "throws": throw Trouble()
        case "traps": let none: [Int] = []; _ = none[1]
        case "hangs": while true { usleep(1000) }
        case "exits": exit(0)
        case "bomb": if !isProbing { let none: [Int] = []; _ = none[1] }
        case "fickle": registry.tab(isProbing ? "first" : "second", title: "Fickle") { _ in Empty() }
        case "unwilling":
          registry.tab("main", title: "Unwilling") { _ in Empty() }
          if !isProbing { throw Trouble() }
        case "slow":
          registry.tab("main", title: "Slow") { _ in Empty() }
          if !isProbing { usleep(400_000) }
        case "reenters": _ = try Registry(plugins: [Chameleon.self])
        case "floods": for number in 0..<100_000 { registry.place("c\\(number)") { (_: Int) in Empty() } }
        case "twotabs":
          registry.tab("main", title: "One") { _ in Empty() }
          registry.tab("main", title: "Two") { _ in Empty() }
        case "twolinks":
          registry.tab("main", title: "One") { _ in Empty() }
          registry.link("same/:a") { (_: Int) in Empty.Route.start }
          registry.link("same/:b") { (_: Int) in Empty.Route.start }
        case "badlink": registry.link("a//b", tab: "main")
        case "badname": registry.tab("No Name", title: "One") { _ in Empty() }
        case "links-a", "links-b":
          registry.tab("main", title: "One") { _ in Empty() }
          registry.link(Self.file == "links-a" ? "here/:first" : "here/:second") { (_: Int) in Empty.Route.start }
        case "twodependencies": registry.depends(on: "scenes"); registry.depends(on: "scenes")
        case "baddependency": registry.depends(on: "scenes", from: "soon")
        case "needs-nobody": registry.depends(on: "nobody")
        case "needs-newer": registry.depends(on: "base", from: "2.0.0")
        case "needs-self": registry.depends(on: "needs-self")
        case "needs-base", "needs-unwilling":
          registry.tab("main", title: Self.file) { _ in Empty() }
          registry.depends(on: .init(rawValue: String(Self.file.dropFirst(6))))
        default: registry.tab("main", title: Self.file) { _ in Empty() }
        }
      }
    }
    struct Trouble: Error {}
    final class Empty: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      func destination(for route: Route) -> Destination { .screen { Nothing() } }
    }
    struct Nothing: Screen { var body: some Content { Text("Nothing") } }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Chameleon.self) }
    """
}
