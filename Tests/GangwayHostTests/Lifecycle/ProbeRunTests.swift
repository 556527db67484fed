import Foundation
@_spi(FrontEnd) import Gangway
import Synchronization
import Testing

@_spi(FrontEnd) @testable import GangwayHost

/// Each probing process examines one file. Its messages and its end say nothing about other files.
@Suite struct ProbeRunTests {
  private let scratch: Scratch
  private var scenes: String { BuiltHost.folder + "/libScenes.so" }
  private var clock: String { BuiltHost.folder + "/libClock.so" }

  init() throws { scratch = try Scratch() }

  private func run(_ files: [String], deadline: Duration = .seconds(10)) -> [String: PluginVerdict] {
    ProbeRun(executable: BuiltHost.executable, deadline: deadline).run(files)
  }

  private func isAccepted(_ verdict: PluginVerdict?) -> Bool {
    if case .accepted? = verdict { true } else { false }
  }

  /// Finds the pipe to the host among the open descriptors.
  private static let pipes = """
    func pipes() -> [Int32] {
      (Int32(3)..<64).filter { descriptor in
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
      }
    }
    """

  @Test func aLibrarySaysNothingOfOthers() throws {
    let line =
      #"{\"refused\":{\"file\":\"\#(scenes)\",\"step\":\"file\",\"code\":\"empty\","#
      + #"\"reason\":\"r\",\"advice\":\"a\"}}\n"#
    let liar = try Zoo.swift(
      Zoo.plugin(
        "Liar",
        register: """
          let line = Array("\(line)".utf8)
          for descriptor in pipes() { _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
          """, extra: Self.pipes), as: "Liar", in: scratch)
    let verdicts = run([liar, scenes, clock])
    #expect(isAccepted(verdicts[scenes]), "\(String(describing: verdicts[scenes]))")
    #expect(isAccepted(verdicts[clock]))
    #expect(isAccepted(verdicts[liar]))
    #expect(verdicts.count == 3)
  }

  @Test func aDeathIsThatFilesWhichWasLoaded() throws {
    let late = try Zoo.swift(
      Zoo.plugin(
        "Late",
        register: """
          var thread = pthread_t()
          pthread_create(&thread, nil, { _ in
            usleep(30_000)
            abort()
          }, nil)
          """), as: "Late", in: scratch)
    let files =
      [late]
      + Array(repeating: (), count: 20).indices.map { number in
        let copy = scratch.path("libScenes\(number).so")
        try? FileManager.default.copyItem(atPath: scenes, toPath: copy)
        return copy
      }
    let verdicts = run(files)
    for file in files.dropFirst() { #expect(isAccepted(verdicts[file]), "\(file)") }
    #expect(verdicts.count == files.count)
  }

  @Test func whatAFileStartedWhileItWasLookedIntoIsEnded() throws {
    let pid = scratch.path("pid")
    let parent = try Zoo.swift(
      Zoo.plugin(
        "Parent",
        register: """
          var attributes = posix_spawnattr_t()
          posix_spawnattr_init(&attributes)
          posix_spawnattr_setflags(&attributes, 0x80)
          var arguments: [UnsafeMutablePointer<CChar>?] = [
            strdup("/bin/sh"), strdup("-c"), strdup("echo $$ > \(pid); exec sleep 600"), nil,
          ]
          var process: pid_t = 0
          posix_spawn(&process, "/bin/sh", nil, &attributes, &arguments, environ)
          usleep(200_000)
          """), as: "Parent", in: scratch)
    #expect(isAccepted(run([parent])[parent]))
    let child = try #require(pid_t(String(contentsOfFile: pid, encoding: .utf8).dropLast()))
    // The process has ended, or is a zombie that its new parent has not reaped yet.
    let state = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ") Z"
    #expect(state.contains(") Z"), "\(state)")
  }

  @Test func oneByteASecondIsNoProgress() throws {
    let drip = try Zoo.swift(
      Zoo.plugin(
        "Drip",
        register: """
          while true {
            for descriptor in pipes() { _ = write(descriptor, " ", 1) }
            usleep(100_000)
          }
          """, extra: Self.pipes), as: "Drip", in: scratch)
    let start = ContinuousClock.now
    guard case .refused(let refusal)? = run([drip], deadline: .milliseconds(500))[drip] else {
      Issue.record("it was not refused")
      return
    }
    #expect(refusal.code == .timedOut)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func aRelativePathIsTheFileThatItNames() {
    let folder = FileManager.default.currentDirectoryPath
    let relative = String(repeating: "../", count: folder.split(separator: "/").count) + scenes.dropFirst()
    let verdicts = run([relative])
    #expect(isAccepted(verdicts[relative]), "\(verdicts)")
    #expect(verdicts.count == 1)
  }

  @Test func eachFileIsAnnouncedBeforeItIsLoaded() {
    let announced = Mutex<[String]>([])
    var probe = ProbeRun(executable: BuiltHost.executable, deadline: .seconds(10))
    probe.willProbe = { file in announced.withLock { $0.append(file) } }
    _ = probe.run([scenes, clock])
    #expect(announced.withLock { $0.sorted() } == [clock, scenes].sorted())
  }
}
