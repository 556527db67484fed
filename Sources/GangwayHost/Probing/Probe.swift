@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The probe of files, in a process that may crash: `gangway-host --probe FILE...`.
@MainActor enum Probe {
  /// Loads each file by itself, and prints a JSON line before and after.
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
        send(.registering(file: file, plugin: plugin.pluginID))
        let manifest = try manifest(of: plugin)
        // If Foundation was not open before, it is open now only if the file needs it.
        let needsFoundation = hadFoundation ? FoundationLibrary.isNeeded(by: path) : FoundationLibrary.isOpen
        send(.accepted(file: file, manifest, needsFoundation: needsFoundation))
      } catch {
        send(
          .refused(
            file: file, step: error.step, code: error.code, reason: error.reason, advice: error.advice))
      }
    }
    // Threads that plugins started, and their exit handlers, do not matter.
    _exit(0)
  }

  private static func manifest(of plugin: any Plugin.Type) throws(Refusal) -> PluginManifest {
    do {
      return try Registry().manifest(of: plugin)
    } catch {
      throw Refusal(
        .register, .registration, "its registration failed: \(error)",
        advice: "Fix its register(in:) and rebuild it.")
    }
  }
}
