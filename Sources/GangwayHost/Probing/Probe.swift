import Gangway
import GangwayProtocol
import Glibc

/// Says what each file is, in a process that may die of it: `gangway-host --probe FILE...`.
@MainActor enum Probe {
  /// Announces and then loads each file by itself; lines of JSON before and after.
  static func run(_ files: [String], _ console: Console) -> Int32 {
    func send(_ message: ProbeMessage) {
      if let line = try? Line.encode(message) { _ = console.write(line) }
    }
    let contract = Result { () throws(Refusal) in try PluginContract(frameworkPath: PluginLibrary.frameworkPath) }
    for file in files {
      let path = file.contains("/") ? file : "./" + file
      do {
        let trusted = try TrustedFile(path)
        let image = try ELFFile(trusted)
        try contract.get().check(image, at: trusted.path)
        _ = try HelperLibraries(of: image, at: trusted.path)
        send(.loading(file: file))
        let hadFoundation = FoundationLibrary.isOpen
        let plugin = try PluginLibrary.load(trusted)
        send(.registering(file: file, plugin: plugin.id))
        let manifest = try manifest(of: plugin)
        // Of the only file it is known at once: opening it has opened what it needs.
        let needsFoundation = hadFoundation ? FoundationLibrary.isNeeded(by: path) : FoundationLibrary.isOpen
        send(.accepted(file: file, manifest, needsFoundation: needsFoundation))
      } catch {
        send(
          .refused(
            file: file, step: error.step, code: error.code.rawValue, reason: error.reason, advice: error.advice))
      }
    }
    // Threads that plugins started, and what they left to be done at the end, are nobody's concern.
    _exit(0)
  }

  private static func manifest(of plugin: any Plugin.Type) throws(Refusal) -> PluginManifest {
    do {
      return try Registry().manifest(of: plugin)
    } catch {
      throw Refusal(
        .register, .registration, "it did not register: \(error)",
        advice: "Correct its register(in:) and build it again.")
    }
  }
}
