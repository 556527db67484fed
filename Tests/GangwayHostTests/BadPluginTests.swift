import Foundation
import Testing

/// Libraries that would be plugins but for one thing: refused with that reason, and the others run.
@Suite struct BadPluginTests {
  private func refusal(of paths: String...) throws -> String {
    let result = try BuiltHost.run(
      paths.flatMap { ["--plugin", $0] } + ["--plugin", "scenes", "--script", "-"], input: "expect Scene 1\n")
    #expect(result.status == 0, "\(result.errors)")
    return result.errors
  }

  @Test func aLibraryWithoutAnEntryIsNoPlugin() throws {
    let scratch = try Scratch()
    let path = try Zoo.c("int nothing(void) { return 0; }", as: "Bad", in: scratch)
    #expect(try refusal(of: path).contains("it exports no 'gangway_plugin'"))
  }

  @Test func aLibraryThatMerelyLiesThereIsPassedOver() throws {
    let scratch = try Scratch()
    _ = try Zoo.c("int nothing(void) { return 0; }", as: "Bystander", in: scratch)
    let result = try BuiltHost.run(["--plugins-dir", scratch.folder.path, "--script", "-"], input: "expect Scene 1\n")
    #expect(result.status == 0)
    #expect(!result.errors.contains("refused"))
  }

  @Test func aPluginWithoutTheFrameworkIsRefused() throws {
    let scratch = try Scratch()
    let path = try Zoo.c("void *gangway_plugin(void) { return 0; }", as: "Bad", in: scratch)
    #expect(try refusal(of: path).contains("it does not need 'libGangway.so' (it needs"))
  }

  @Test func aPluginWithoutMarkersIsRefused() throws {
    let scratch = try Scratch()
    let path = try Zoo.c(
      "void *gangway_plugin(void) { return 0; }", as: "Bad", in: scratch,
      ["-Wl,--no-as-needed", "-L", BuiltHost.folder, "-lGangway", "-L", Zoo.swiftLibraries, "-lswiftCore"])
    #expect(try refusal(of: path).contains("it names no ABI marker"))
  }

  @Test func anotherABIMarkerIsRefusedWithBoth() throws {
    let scratch = try Scratch()
    try scratch.file("libBad.so", Zoo.patch(Zoo.good, "gangway_abi_2", "gangway_abi_9"))
    let errors = try refusal(of: scratch.path("libBad.so"))
    #expect(errors.contains("it is built against gangway_abi_9, this host has gangway_abi_2"), "\(errors)")
  }

  @Test func anotherCompilerIsRefusedWithBoth() throws {
    let scratch = try Scratch()
    try scratch.file(
      "libBad.so", Zoo.patch(Zoo.good, "gangway_compiler_swift_6_3", "gangway_compiler_swift_5_9"))
    let errors = try refusal(of: scratch.path("libBad.so"))
    #expect(
      errors.contains("it is built with gangway_compiler_swift_5_9, this host with gangway_compiler_swift_6_3"),
      "\(errors)")
  }

  @Test func aStaticCopyOfTheFrameworkIsRefused() throws {
    let scratch = try Scratch()
    let path = try Zoo.c(
      "void gangway_abi_2(void) {} void gangway_compiler_swift_6_3(void) {} void *gangway_plugin(void) { return 0; }",
      as: "Bad", in: scratch)
    let errors = try refusal(of: path)
    #expect(errors.contains("it contains a copy of the framework: it defines 'gangway_"), "\(errors)")
  }

  @Test func aMissingSymbolIsRefusedWithTheLoadersWords() throws {
    let scratch = try Scratch()
    let path = try Zoo.swift(
      Zoo.plugin(
        "Bad", register: "missing()", extra: "@_extern(c, \"nobody_defines_this\") func missing()"),
      as: "Bad", in: scratch, ["-enable-experimental-feature", "Extern"])
    #expect(try refusal(of: path).contains("undefined symbol: nobody_defines_this"))
  }

  @Test func anEntryThatReturnsNothingIsRefused() throws {
    let scratch = try Scratch()
    let path = try Zoo.c(
      """
      void gangway_abi_2(void); void gangway_compiler_swift_6_3(void);
      void *gangway_plugin(void) { gangway_abi_2(); gangway_compiler_swift_6_3(); return 0; }
      """, as: "Bad", in: scratch,
      ["-Wl,--no-as-needed", "-L", BuiltHost.folder, "-lGangway", "-L", Zoo.swiftLibraries, "-lswiftCore"])
    #expect(try refusal(of: path).contains("its entry 'gangway_plugin' returned nothing"))
  }

  @Test func aPluginThatDoesNotRegisterIsRefusedWithItsReason() throws {
    let scratch = try Scratch()
    let path = try Zoo.swift(
      Zoo.plugin("Bad", register: "throw Trouble()", extra: "struct Trouble: Error {}"), as: "Bad", in: scratch)
    #expect(try refusal(of: path).contains("it did not register: Trouble()"))
  }

  @Test func twoPluginsOfOneIDAreOneAndARefusalNamingBoth() throws {
    let scratch = try Scratch()
    let first = try Zoo.swift(Zoo.plugin("One", id: "same"), as: "One", in: scratch)
    let second = try Zoo.swift(Zoo.plugin("Two", id: "same"), as: "Two", in: scratch)
    let errors = try refusal(of: first, second)
    #expect(errors.contains("\(second) was refused: its id 'same' is that of '\(first)' too"), "\(errors)")
  }

  @Test func aPluginThatIsNotWhatItsFileSaysIsRefused() throws {
    let scratch = try Scratch()
    _ = try Zoo.swift(Zoo.plugin("Mask", id: "other"), as: "Mask", in: scratch)
    let result = try BuiltHost.run(
      ["--plugins-dir", scratch.folder.path, "--plugin", "mask", "--plugin", "scenes", "--script", "-"],
      input: "expect Scene 1\n")
    #expect(result.status == 0)
    #expect(result.errors.contains("it was looked for as 'mask', and calls itself 'other'"), "\(result.errors)")
  }

  @Test func aConstructorThatAbortsIsNamed() throws {
    let scratch = try Scratch()
    let path = try Zoo.aborting(in: scratch)
    let result = try BuiltHost.run(["--plugin", path, "--script", "-"])
    #expect(result.status == -6)
    #expect(
      result.errors.contains("it stopped while loading '\(path)'. Start with --without '\(path)'"), "\(result.errors)")
    let without = try BuiltHost.run(
      ["--plugins-dir", scratch.folder.path, "--without", path, "--script", "-"], input: "expect Scene 1\n")
    #expect(without.status == 0, "\(without.errors)")
  }

  @Test func whatAPluginPrintsDoesNotReachTheScreen() throws {
    let scratch = try Scratch()
    let path = try Zoo.swift(
      Zoo.plugin("Loud", register: "print(\"NOISE\"); fflush(nil)"), as: "Loud", in: scratch)
    let result = try BuiltHost.run(["--plugin", path, "--plugin", "scenes", "--script", "-"], input: "screen\n")
    #expect(!result.output.contains("NOISE"))
    #expect(result.errors.contains("NOISE"))
  }
}

extension Zoo {
  /// The folder of the Swift runtime's libraries.
  static let swiftLibraries: String = {
    // A file of /proc has no size, so it is read to its end.
    let bytes = try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd()
    let maps = String(decoding: bytes ?? Data(), as: UTF8.self)
    let line = maps.split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
    let path = line.flatMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } } ?? ""
    return URL(fileURLWithPath: path).deletingLastPathComponent().path
  }()

  /// A plugin whose constructor aborts as soon as it is loaded.
  static func aborting(in scratch: Scratch) throws -> String {
    try c(
      """
      #include <stdlib.h>
      void gangway_abi_2(void); void gangway_compiler_swift_6_3(void);
      __attribute__((constructor)) static void boom(void) { abort(); }
      void *gangway_plugin(void) { gangway_abi_2(); gangway_compiler_swift_6_3(); return 0; }
      """, as: "Bomb", in: scratch,
      ["-Wl,--no-as-needed", "-L", BuiltHost.folder, "-lGangway", "-L", swiftLibraries, "-lswiftCore"])
  }
}
