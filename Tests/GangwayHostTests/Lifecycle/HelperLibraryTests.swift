import Foundation
import Testing

@_spi(FrontEnd) @testable import GangwayHost

/// The libraries that plugins bring along.
@Suite struct HelperLibraryTests {
  private let scratch: Scratch
  /// The environment of this test's hosts, with their own cache.
  private var environment: [String: String] { ["XDG_CACHE_HOME": scratch.path("cache")] }

  init() throws { scratch = try Scratch() }

  /// Builds a plugin whose tab shows the text of its helper.
  private func plugin(searching folder: String) throws -> String {
    try helper("one", in: scratch)
    return try Zoo.swift(
      Zoo.plugin(
        "Leaning", register: "registry.tab(\"main\", title: \"Leaning\") { _ in LeaningFlow() }",
        extra: "@_silgen_name(\"helper_word\") func helperWord() -> UnsafePointer<CChar>\n"
          + Zoo.flow("Leaning", showing: "Text(\"Says \\(String(cString: helperWord()))\")")), as: "Leaning",
      in: scratch,
      ["-L", scratch.folder.path, "-lAid", "-Xlinker", "-rpath", "-Xlinker", folder])
  }

  /// Builds a helper and renames it into place, as an installation does.
  private func helper(_ word: String, in scratch: Scratch) throws {
    let built = try Zoo.c(
      "const char *helper_word(void) { return \"\(word)\"; }", as: "AidNew", in: scratch, ["-Wl,-soname,libAid.so"])
    rename(built, scratch.path("libAid.so"))
  }

  private func run(_ plugin: String, _ lines: String) throws -> BuiltHost.Result {
    try BuiltHost.run(["--plugin", plugin, "--script", "-"], input: lines, environment: environment)
  }

  @Test func aHelperThatOthersCanWriteIsRefusedAndOneMendedIsNot() throws {
    let plugin = try plugin(searching: "$ORIGIN")
    chmod(scratch.path("libAid.so"), 0o666)
    let refused = try run(plugin, "expect Says one\n")
    #expect(
      (refused.output + refused.errors).contains(
        "it needs 'libAid.so': the file '\(scratch.path("libAid.so"))' is writable by other users (mode 666)"),
      "\(refused)")
    chmod(scratch.path("libAid.so"), 0o644)
    let taken = try run(plugin, "expect Says one\n")
    #expect(taken.status == 0, "\(taken)")
  }

  @Test func aHelperInAFolderThatAnyoneFillsIsRefused() throws {
    let open = scratch.path("open")
    let plugin = try plugin(searching: open + "/none:" + scratch.folder.path)
    mkdir(open, 0o777)
    chmod(open, 0o1777)
    let result = try run(plugin, "expect Says one\n")
    #expect(
      (result.output + result.errors).contains(
        "it needs 'libAid.so', which is searched for in '\(open)/none', but other users can write to '\(open)'"),
      "\(result)")
    chmod(open, 0o755)
    #expect(try run(plugin, "expect Says one\n").status == 0)
  }

  @Test func aHelperThatWasReplacedHasItsPluginLookedIntoAgain() throws {
    let plugin = try plugin(searching: scratch.folder.path)
    #expect(try run(plugin, "expect Says one\n").status == 0)
    try helper("two", in: scratch)
    #expect(try run(plugin, "expect Says two\n").status == 0)
    // This helper breaks the load of its plugin, until the next helper replaces it.
    _ = try Zoo.c("int other;", as: "AidNew", in: scratch, ["-Wl,-soname,libAid.so"])
    rename(scratch.path("libAidNew.so"), scratch.path("libAid.so"))
    let broken = try run(plugin, "expect Says two\n")
    #expect((broken.output + broken.errors).contains("undefined symbol: helper_word"), "\(broken)")
    try helper("three", in: scratch)
    #expect(try run(plugin, "expect Says three\n").status == 0)
  }

  @Test func aHelperThatIsMissingAndComesIsFound() throws {
    let plugin = try plugin(searching: "${ORIGIN}/.")
    rename(scratch.path("libAid.so"), scratch.path("libAside.so"))
    let result = try run(plugin, "expect Says one\n")
    #expect((result.output + result.errors).contains("libAid.so: cannot open shared object file"), "\(result)")
    rename(scratch.path("libAside.so"), scratch.path("libAid.so"))
    #expect(try run(plugin, "expect Says one\n").status == 0)
  }
}
