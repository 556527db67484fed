import Foundation
@_spi(FrontEnd) import GangwayHost

extension Animal {
  /// Libraries that are not built like plugins.
  static let linkage: [Animal] = [
    Animal("no entry", .contract, .notAPlugin, "it exports no 'gangway_plugin'") {
      [try Zoo.c("int nothing(void) { return 0; }", as: "Bad", in: $0)]
    },
    Animal("without the framework", .contract, .missingLibrary, "is not linked to 'libGangway.so' (it is linked to") {
      [try Zoo.c("void *gangway_plugin(void) { return 0; }", as: "Bad", in: $0)]
    },
    Animal("static standard library", .contract, .missingLibrary, "it is not linked to 'libswiftCore.so'") {
      [
        try Zoo.c(
          "void *gangway_plugin(void) { return 0; }", as: "Bad", in: $0,
          ["-Wl,--no-as-needed", "-L", BuiltHost.folder, "-lGangway"])
      ]
    },
    Animal(
      "another's name", .contract, .malformed, "its DT_SONAME is '/somewhere/libOther.so', but its file is"
    ) {
      [
        try Zoo.contracted(
          "void *gangway_plugin(void) { MARK; return 0; }", as: "Bad", in: $0,
          ["-Wl,-soname=/somewhere/libOther.so"])
      ]
    },
    Animal("executable stack", .file, .malformed, "it asks for an executable stack") {
      [try Zoo.contracted("void *gangway_plugin(void) { MARK; return 0; }", as: "Bad", in: $0, ["-Wl,-z,execstack"])]
    },
    Animal("written and run", .file, .malformed, "it asks for memory that is both writable and executable") { scratch in
      let library = try Zoo.contracted("void *gangway_plugin(void) { MARK; return 0; }", as: "Bad", in: scratch)
      return [try Zoo.patchProgramHeader(of: library, type: 1, field: 0) { $0 | 7 << 32 }]
    },
    Animal("two dynamic sections", .file, .malformed, "its dynamic section is at offset") { scratch in
      let library = try Zoo.contracted("void *gangway_plugin(void) { MARK; return 0; }", as: "Bad", in: scratch)
      return [try Zoo.patchProgramHeader(of: library, type: 2, field: 16) { $0 + 16 }]
    },
    Animal("strings without end", .file, .malformed, "its string table has 1500000000 bytes") { scratch in
      let library = try Zoo.contracted("void *gangway_plugin(void) { MARK; return 0; }", as: "Bad", in: scratch)
      return [try Zoo.patchDynamic(of: library, tag: 10, 1_500_000_000)]
    },
    Animal("two entries", .contract, .severalEntries, "it exports 'gangway_plugin' 2 times") { scratch in
      [try Zoo.twoEntries(in: scratch)]
    },
    Animal("stripped markers", .contract, .missingMarker, "it does not refer to an ABI marker") {
      [try Zoo.contracted("void *gangway_plugin(void) { return 0; }", as: "Bad", in: $0, markers: false)]
    },
    Animal("another ABI", .contract, .otherABI, "it is built against gangway_abi_00, but this host has \(Zoo.marker)") {
      [try $0.file("libBad.so", Zoo.patch(Zoo.good, Zoo.marker, "gangway_abi_00")).path]
    },
    Animal(
      "another compiler", .contract, .otherCompiler,
      "it is built with gangway_compiler_swift_5_9, but this host with gangway_compiler_swift_6_3"
    ) {
      [
        try $0.file(
          "libBad.so", Zoo.patch(Zoo.good, "gangway_compiler_swift_6_3", "gangway_compiler_swift_5_9")
        ).path
      ]
    },
    Animal(
      "a newer framework", .contract, .missingDeclarations,
      "it uses what the framework of this host does not have: 'Router.glide() -> ()', 'String.sails.getter : Bool'"
    ) {
      [
        try Zoo.contracted(
          """
          void glide(void) __asm__("$s7Gangway6RouterC5glideyyF");
          void sails(void) __asm__("$sSS7GangwayE5sailsSbvg");
          void *gangway_plugin(void) { MARK; glide(); sails(); return 0; }
          """, as: "Bad", in: $0)
      ]
    },
    Animal("a library that extends the framework", .load, .emptyEntry, "its entry 'gangway_plugin' returned nothing") {
      scratch in
      let declarations = """
        void glide(void) __asm__("$s7Gangway6RouterC8ContractE5glideyyF");
        void sails(void) __asm__("$s7Gangway6RouterC8Contract7SailingADWP");

        """
      let other = try Zoo.c("\(declarations) void glide(void) {} void sails(void) {}", as: "Contract", in: scratch)
      return [
        try Zoo.contracted(
          "\(declarations) void *gangway_plugin(void) { MARK; glide(); sails(); return 0; }", as: "Bad", in: scratch,
          [other, "-Wl,-rpath,$ORIGIN"])
      ]
    },
    Animal("the framework inside", .contract, .containsFramework, "it defines 'gangway_") {
      [
        try Zoo.c(
          """
          void \(Zoo.marker)(void) {} void gangway_compiler_swift_6_3(void) {}
          void *gangway_plugin(void) { return 0; }
          """, as: "Bad", in: $0)
      ]
    },
    Animal("missing symbol", .load, .loadFailed, "undefined symbol: nobody_defines_this") {
      [
        try Zoo.contracted(
          "void nobody_defines_this(void); void *gangway_plugin(void) { MARK; nobody_defines_this(); return 0; }",
          as: "Bad", in: $0)
      ]
    },
    Animal("missing library", .load, .loadFailed, "libNowhere.so: cannot open shared object file") { scratch in
      let other = try Zoo.c("void nowhere(void) {}", as: "Nowhere", in: scratch, ["-Wl,-soname,libNowhere.so"])
      let bad = try Zoo.contracted(
        "void nowhere(void); void *gangway_plugin(void) { MARK; nowhere(); return 0; }", as: "Bad", in: scratch,
        ["-L", scratch.folder.path, "-lNowhere"])
      try FileManager.default.removeItem(atPath: other)
      return [bad]
    },
    Animal("an entry that returns nothing", .load, .emptyEntry, "its entry 'gangway_plugin' returned nothing") {
      [try Zoo.contracted("void *gangway_plugin(void) { MARK; return 0; }", as: "Bad", in: $0)]
    },
  ]

  /// Libraries that do something before any call.
  static let constructors: [Animal] = [
    constructor("abort();", "aborts", .crashed, "by signal 6 (SIGABRT), while it was loading"),
    constructor("*(volatile int *)0 = 1;", "segfaults", .crashed, "by signal 11 (SIGSEGV), while it was loading"),
    constructor("exit(0);", "exits with 0", .exited, "with exit code 0, while it was loading"),
    constructor("_exit(3);", "exits with 3", .exited, "with exit code 3, while it was loading"),
    constructor(
      "for (;;) {}", "loops for ever", .timedOut, "it took more than 2.0 seconds while it was loading"),
    constructor(
      "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
      "deadlocks", .timedOut, "while it was loading"),
    constructor(
      "if (fork() == 0) { sleep(600); } else { abort(); }", "forks and aborts", .crashed,
      "by signal 6 (SIGABRT), while it was loading"),
    constructor(
      "for (int i = 0; i < 64; i++) close(i);", "closes descriptors", .exited, "while it was loading"),
    constructor("kill(getpid(), SIGKILL);", "kills itself", .crashed, "by signal 9 (SIGKILL), while it was loading"),
  ]

  private static func constructor(
    _ code: String, _ name: String, _ cause: Refusal.Code, _ reason: String
  ) -> Animal {
    Animal("a constructor that \(name)", .probe, cause, reason) { [try Zoo.constructor(code, as: "Bad", in: $0)] }
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

  /// The marker of the framework's binary interface: the name of its record.
  static let marker: String = {
    let records = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../script/abi")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: records.standardized.path)) ?? []
    let record = names.first { $0.hasPrefix("gangway_abi_") } ?? "there is no record in script/abi"
    return record.replacingOccurrences(of: ".txt", with: "")
  }()

  /// Builds a library in C that needs the same as a plugin. `MARK` in its source names the markers.
  static func contracted(
    _ source: String, as name: String, in scratch: Scratch, _ options: [String] = [], markers: Bool = true
  ) throws -> String {
    let mark =
      markers
      ? """
      void \(Zoo.marker)(void); void gangway_compiler_swift_6_3(void);
      #define MARK \(Zoo.marker)(), gangway_compiler_swift_6_3()

      """ : ""
    return try c(
      mark + source, as: name, in: scratch,
      options + ["-Wl,--no-as-needed", "-L", BuiltHost.folder, "-lGangway", "-L", swiftLibraries, "-lswiftCore"])
  }

  /// Builds a plugin that does something as soon as it loads.
  static func constructor(_ code: String, as name: String, in scratch: Scratch) throws -> String {
    try contracted(
      """
      #include <stdlib.h>
      #include <stdio.h>
      #include <string.h>
      #include <signal.h>
      #include <unistd.h>
      #include <pthread.h>
      __attribute__((constructor)) static void boom(void) { \(code) }
      void *gangway_plugin(void) { MARK; return 0; }
      """, as: name, in: scratch)
  }

  /// Builds a library that exports the entry twice, in two versions.
  static func twoEntries(in scratch: Scratch) throws -> String {
    let versions = try scratch.file("versions", Data("ONE { global: *; }; TWO { global: *; } ONE;\n".utf8))
    return try contracted(
      """
      void *first(void) { MARK; return 0; } void *second(void) { return 0; }
      __asm__(".symver first,gangway_plugin@ONE"); __asm__(".symver second,gangway_plugin@@TWO");
      """, as: "Twice", in: scratch, ["-Wl,--version-script=\(versions.path)"])
  }

  private static func number(_ data: Data, _ offset: Int) -> Int {
    data[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func set(_ data: inout Data, _ offset: Int, _ value: Int) {
    for index in 0..<8 { data[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  /// Returns the offsets of the program headers of a type in a file.
  private static func programHeaders(_ data: Data, _ type: UInt8) -> [Int] {
    let (start, count) = (number(data, 32), Int(data[56]))
    return (0..<count).map { start + $0 * 56 }.filter { data[$0] == type && data[$0 + 1] == 0 }
  }

  /// Changes a field of the program headers of a type.
  static func patchProgramHeader(of library: String, type: UInt8, field: Int, _ change: (Int) -> Int) throws -> String {
    var data = try Data(contentsOf: URL(fileURLWithPath: library))
    for header in programHeaders(data, type) { set(&data, header + field, change(number(data, header + field))) }
    try data.write(to: URL(fileURLWithPath: library))
    return library
  }

  /// Changes an entry of the dynamic section.
  static func patchDynamic(of library: String, tag: Int, _ value: Int) throws -> String {
    var data = try Data(contentsOf: URL(fileURLWithPath: library))
    for header in programHeaders(data, 2) {
      let (start, size) = (number(data, header + 8), number(data, header + 32))
      for entry in stride(from: start, to: start + size, by: 16) where number(data, entry) == tag {
        set(&data, entry + 8, value)
      }
    }
    try data.write(to: URL(fileURLWithPath: library))
    return library
  }
}
