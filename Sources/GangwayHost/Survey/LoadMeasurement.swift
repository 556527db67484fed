import Gangway
import Glibc

/// What the benchmarks measure of the way from a file to a plugin, beside what it would cost without.
@_spi(Measuring) @MainActor public enum LoadMeasurement {
  /// Loads and registers a plugin as a host does when it is first needed.
  ///
  /// - Parameters:
  ///   - file: a plugin that this process has not opened yet; it is looked into before time is taken.
  ///   - host: the host's executable, which asks it what it contributes.
  /// - Returns: how long that took, from the demand to the plugin being active; nil if it is refused.
  public static func load(_ file: String, host: String) async -> Duration? {
    guard let catalog = await prepared(file, host), let id = catalog.plan.accepted.first?.id else { return nil }
    let clock = ContinuousClock()
    let start = clock.now
    let failure = await catalog.registry.load(id)
    return failure == nil ? clock.now - start : nil
  }

  private static func prepared(_ file: String, _ host: String) async -> PluginCatalog? {
    guard var options = try? HostOptions([]) else { return nil }
    options.plugins = [file]
    // Storing what was found out makes the system write the file itself to disk at the same time.
    options.cacheFolder = nil
    let catalog = PluginCatalog(options, host: host)
    return (try? await catalog.prepare()) == nil ? nil : catalog
  }

  /// Opens a library and looks its entry up, and no more, after the same preparations: a process that has just started
  /// another, as a probe is, takes twice as long to open a library as one that has not.
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
  /// - Returns: how long one check took on the average, and how many dynamic symbols the file has; nil if it is refused.
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
