import Foundation
import Testing

/// Files that are no plugin, in one way each: refused with that reason, and the others run.
@Suite struct BadFileTests {
  /// Runs the host with a bad file and Hello, and checks that Hello is there.
  private func refusal(of path: String) throws -> String {
    let result = try BuiltHost.run(
      ["--plugin", path, "--plugin", "scenes", "--script", "-"], input: "expect Scene 1\n")
    #expect(result.status == 0, "\(result.errors)")
    return result.errors
  }

  @Test(arguments: [
    ("empty", 0, "it is empty"), ("text", 0, "it is no ELF file"), ("cut", 63, "its header ends beyond the file"),
    ("cut", 64, "its program headers ends beyond the file"), ("cut", 200, "its program headers ends beyond the file"),
    ("part", 8, "ends beyond the file"),
  ])
  func aFileThatIsNoLibraryIsRefused(_ kind: String, _ size: Int, _ reason: String) throws {
    let scratch = try Scratch()
    let good = try Zoo.good
    let data =
      switch kind {
      case "empty": Data()
      case "text": Data("not a library\n".utf8)
      case "part": good.prefix(good.count / size)
      default: good.prefix(size)
      }
    try scratch.file("libBad.so", data)
    let errors = try refusal(of: scratch.path("libBad.so"))
    #expect(errors.contains(reason), "\(errors)")
  }

  @Test(arguments: [
    (4, UInt8(1), "it is a 32-bit file"), (5, 2, "it is big-endian"),
    (16, 2, "it is an executable, not a shared object"),
    (16, 1, "it is a relocatable object"), (16, 4, "it is a core dump"), (18, 3, "it is built for i386"),
    (56, 0, "it has no program headers"), (39, 0x7f, "ends beyond the file"),
  ])
  func aHeaderThatDoesNotFitIsRefused(_ offset: Int, _ byte: UInt8, _ reason: String) throws {
    let scratch = try Scratch()
    var data = try Zoo.good
    data[offset] = byte
    try scratch.file("libBad.so", data)
    let errors = try refusal(of: scratch.path("libBad.so"))
    #expect(errors.contains(reason), "\(errors)")
  }

  @Test func aMissingFileIsRefused() throws {
    #expect(try refusal(of: "/nowhere/libBad.so").contains("there is no file '/nowhere/libBad.so'"))
  }

  @Test func aFolderIsRefused() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(atPath: scratch.path("libBad.so"), withIntermediateDirectories: true)
    #expect(try refusal(of: scratch.path("libBad.so")).contains("is a folder, not a regular file"))
  }

  @Test func aFIFOIsRefusedWithoutWaiting() throws {
    let scratch = try Scratch()
    #expect(mkfifo(scratch.path("libBad.so"), 0o600) == 0)
    #expect(try refusal(of: scratch.path("libBad.so")).contains("is a FIFO, not a regular file"))
  }

  @Test(arguments: ["/dev/zero", "dangling", "loop"])
  func whatIsNoFileIsRefused(_ kind: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("libBad.so")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: kind == "loop" ? path : kind == "dangling" ? "/nowhere" : kind)
    let errors = try refusal(of: path)
    #expect(errors.contains("libBad.so was refused:"), "\(errors)")
  }

  @Test(arguments: [(0o666, 0o700, "the file"), (0o644, 0o777, "its folder")])
  func whatOthersCanWriteIsRefused(_ mode: Int, _ folderMode: Int, _ what: String) throws {
    let scratch = try Scratch()
    let folder = scratch.path("open")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: nil)
    chmod(folder, mode_t(folderMode))
    try scratch.file("open/libBad.so", Zoo.good, mode: mode)
    let errors = try refusal(of: folder + "/libBad.so")
    #expect(errors.contains(what) && errors.contains("can be written by others"), "\(errors)")
  }

  @Test func manyFlippedBytesNeverHarmTheHostBeforeLoading() throws {
    let scratch = try Scratch()
    let good = try Zoo.good
    var random = SeededRandom(seed: 1)
    var folderFiles: [String] = []
    for number in 0..<60 {
      var data = good
      // In the headers, where the checks look; what lies beyond them is the probe's concern.
      let offset = Int.random(in: 0..<1024, using: &random)
      data[offset] ^= UInt8.random(in: 1...255, using: &random)
      try scratch.file("lib\(number).so", data)
      folderFiles.append(scratch.path("lib\(number).so"))
    }
    // Each by itself: loading one that passes the checks may end its process, which is then the announced one's fault.
    for file in folderFiles {
      let result = try BuiltHost.run(["--probe", file])
      #expect(result.status == 0 || result.output.contains("\"loading\""), "\(file): \(result.errors)")
    }
  }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
