import Foundation

/// A feature that keeps a file open, writes to it from several threads, and reads it back each time.
enum LedgerPlugin {
  /// The number of lines that one press writes.
  static let linesOfAPress = 4

  /// Returns the damage in the files that hosts wrote to a folder, and the total number of lines.
  static func check(_ folder: String) throws -> (damage: [String], lines: Int) {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    var (damage, lines) = ([String](), 0)
    for path in paths {
      let name = URL(fileURLWithPath: path).lastPathComponent
      guard name.hasPrefix("ledger-") else { continue }
      let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
      let count = text.utf8.count { $0 == UInt8(ascii: "\n") }
      lines += count
      if text != (1...max(count, 1)).map({ "line \($0) of \(name)\n" }).joined() {
        damage.append("\(name) is not lines 1 to \(count) but: \(text.suffix(400))")
      }
    }
    return (damage, lines)
  }

  static let source = """
    import Foundation
    import Gangway
    import Observation

    final class LedgerFile: @unchecked Sendable {
      private let url: URL
      private let name: String
      private let lock = NSLock()
      private var file: FileHandle?
      private var expected = Data()
      private var count = 0
      init(folder: URL) {
        name = "ledger-\\(getpid())-\\(UUID().uuidString)"
        url = folder.appending(path: name)
      }
      /// Writes a line; what is wrong with the file then, or nil.
      func write() -> String? {
        lock.withLock {
          do {
            if file == nil {
              try Data().write(to: url)
              file = try FileHandle(forUpdating: url)
            }
            count += 1
            let line = Data("line \\(count) of \\(name)\\n".utf8)
            expected += line
            try file?.write(contentsOf: line)
            try file?.synchronize()
            let read = try Data(contentsOf: url)
            return read == expected ? nil : "\\(expected.count) bytes were written, and \\(read.count) are there"
          } catch { return "\\(error)" }
        }
      }
      func writeInAQueue() async -> String? {
        await withCheckedContinuation { done in DispatchQueue.global().async { done.resume(returning: self.write()) } }
      }
    }
    @Observable final class Ledger: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      var state = 0
      var said = ""
      @ObservationIgnored let file: LedgerFile
      init(_ file: LedgerFile) { self.file = file }
      func destination(for route: Route) -> Destination { .screen { LedgerScreen(ledger: self) } }
      func press() async {
        let file = file
        async let one = Task.detached { file.write() }.value
        async let two = Task.detached { file.write() }.value
        async let three = file.writeInAQueue()
        let last = file.write()
        let damage = await [one, two, three, last].compactMap(\\.self)
        state += 1
        said = damage.first ?? "intact"
      }
    }
    struct LedgerScreen: Screen {
      let ledger: Ledger
      var body: some Content {
        Text("Press \\(ledger.state) was \\(ledger.said)")
        Button("Write lines") { await ledger.press() }
      }
    }
    final class LedgerPlugin: Plugin {
      static let id = "ledger", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.service(scope: .host) { context in LedgerFile(folder: context.dataFolder) }
        registry.tab("main", title: "Ledger", order: 90) { context in Ledger(try context.service()) }
        registry.link("ledger", tab: "main")
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(LedgerPlugin.self) }
    """
}
