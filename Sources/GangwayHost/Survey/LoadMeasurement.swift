@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// Measurements of a plugin's load for the benchmarks, and of its cost without the framework.
@_spi(Measuring) @MainActor public enum LoadMeasurement {
  /// Loads and registers a plugin as a host does on first use.
  ///
  /// - Parameters:
  ///   - file: a plugin that this process has not opened yet. It is examined before the measurement.
  ///   - host: the host's executable, which probes the file.
  /// - Returns: the time from the request until the plugin is active; nil if it is refused.
  public static func load(_ file: String, host: String) async -> Duration? {
    guard let catalog = await prepared(file, host), let id = catalog.plan.accepted.first?.id else { return nil }
    let clock = ContinuousClock()
    let start = clock.now
    let failure = await catalog.registry.load(id)
    return failure == nil ? clock.now - start : nil
  }

  private static func prepared(_ file: String, _ host: String) async -> PluginCatalog? {
    guard var options = try? HostOptions([]) else { return nil }
    options.launch.plugins = [file]
    // If the results were stored, the system would also write the file itself to disk at the same time.
    options.cacheFolder = nil
    let catalog = PluginCatalog(options, host: host)
    return (try? await catalog.prepare()) == nil ? nil : catalog
  }

  /// Opens a library and looks up its entry, after the same preparations.
  ///
  /// A process that has just started another one, such as a probe, takes twice as long to open a library.
  public static func open(_ file: String, host: String) async -> Duration? {
    guard await prepared(file, host) != nil else { return nil }
    let clock = ContinuousClock()
    let start = clock.now
    guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL), dlsym(handle, PluginContract.entry) != nil else {
      return nil
    }
    return clock.now - start
  }

  /// Checks trust, format and contract of a file many times.
  ///
  /// - Returns: the average time of one check, and the number of dynamic symbols; nil if the file is refused.
  public static func check(_ file: String, times: Int) -> (each: Duration, symbols: Int)? {
    guard let contract = try? PluginContract(frameworkPath: PluginLibrary.frameworkPath) else { return nil }
    var symbols = 0
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<times {
      do throws(Refusal) {
        let image = try ELFFile(TrustedFile(file))
        try contract.check(image, at: file)
        symbols = image.symbols.count
      } catch {
        return nil
      }
    }
    return ((clock.now - start) / times, symbols)
  }
}
