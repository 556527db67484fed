import Foundation
import Testing

@_spi(FrontEnd) @testable import GangwayHost

/// A plugin's changes of the process do not affect the next plugin.
@Suite struct ProcessStateTests {
  /// Builds a plugin that changes the process, and one that creates files and shows the state.
  private func plugins(_ scratch: Scratch) throws -> [String] {
    let rude = try Zoo.swift(
      Zoo.plugin(
        "Rude",
        register: """
          umask(0o777)
          chdir("/")
          setlocale(LC_ALL, "C.UTF-8")
          var limit = rlimit(rlim_cur: 20, rlim_max: 0)
          var now = rlimit()
          getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &now)
          limit.rlim_max = now.rlim_max
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          registry.tab("main", title: "Rude", order: 50) { _ in RudeFlow() }
          """,
        extra: Zoo.flow("Rude", showing: "Text(\"Rude is here\")")), as: "Rude", in: scratch)
    let modest = try Zoo.swift(
      Zoo.plugin(
        "Modest", register: "registry.tab(\"main\", title: \"Modest\", order: 90) { _ in ModestFlow() }",
        extra: Zoo.flow(
          "Modest",
          showing: """
            let mask = umask(0o22)
            let folder = getcwd(nil, 0)!
            var limit = rlimit()
            let asked = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            Text("mask \\(String(mask, radix: 8)) folder \\(String(cString: folder)) files \
            \\(asked + Int32(limit.rlim_cur))")
            Text("locale \\(String(cString: setlocale(LC_ALL, nil)))")
            """)), as: "Modest", in: scratch)
    return [rude, modest]
  }

  @Test func whatAPluginChangesForAllIsPutBackAndTold() throws {
    let scratch = try Scratch()
    let plugins = try plugins(scratch)
    let folder = FileManager.default.currentDirectoryPath
    let mask = umask(0o22)
    umask(mask)
    let result = try BuiltHost.run(
      plugins.flatMap { ["--plugin", $0] } + ["--file-limit", "300", "--script", "-"],
      input: """
        tab Rude
        expect Rude is here
        tab Modest
        expect mask \(String(mask, radix: 8)) folder \(folder) files 300
        expect locale C
        """)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.errors.contains(
        "The plugin rude changed settings of the whole app when it was loaded: the file mode mask (umask), from"),
      "\(result.errors)")
    #expect(result.errors.contains("the working folder, from '\(folder)' to '/'"), "\(result.errors)")
    #expect(result.errors.contains("the limit of open files, from 300 to 20"), "\(result.errors)")
  }

  /// A plugin's thread loads a library that never returns, and so holds the system's loader. The next plugin to load
  /// gets no blame.
  @Test func whoWaitsForTheLoaderIsNotBlamed() throws {
    let scratch = try Scratch()
    let stone = try Zoo.constructor("for (;;) pause();", as: "Stone", in: scratch)
    let holder = try Zoo.swift(
      "import Foundation\n"
        + Zoo.plugin(
          "Holder",
          register: """
            registry.tab("main", title: "Holder", order: -50) { _ in HolderFlow() }
            if CommandLine.arguments.contains("--probe") { return }
            Thread.detachNewThread { _ = dlopen("\(stone)", RTLD_NOW) }
            usleep(100_000)
            """,
          extra: Zoo.flow("Holder", showing: "Text(\"Holding\")")), as: "Holder", in: scratch)
    let result = try BuiltHost.run(
      ["--plugin", holder, "--plugin", "clock", "--load-timeout", "0.5", "--script", "-"],
      input: """
        tab Holder
        expect Holding
        tab Clock
        expand Details
        expect it could not be loaded within 0.5 seconds: other code in this process blocks the loading of libraries
        tab Holder
        expect Holding
        """)
    #expect(result.status == 0, "\(result)")
  }
}
