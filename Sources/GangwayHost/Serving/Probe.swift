import Gangway
import GangwayProtocol

/// Says what each file is, in a process that may die of it: `gangway-host --probe FILE...`.
@MainActor enum Probe {
  /// Announces and then loads each file by itself; a line of JSON before and after.
  static func run(_ files: [String], _ console: Console) -> Int32 {
    CrashSignal.install(descriptor: console.rawDescriptor)
    func send(_ message: HostMessage) {
      if let line = try? Line.encode(message) { _ = console.write(line) }
    }
    for file in files {
      guard var options = try? HostOptions([]) else { return 64 }
      options.plugins = [file.contains("/") ? file : "./" + file]
      let catalog = PluginCatalog(options)
      do {
        try catalog.load { send(.loading(file: $0)) }
        send(.ready(catalog.statuses))
      } catch {
        send(.ready([.init(file: file, refusal: "\(error)", cause: Refusal.Code.missing.rawValue)]))
      }
    }
    return 0
  }
}
