@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// An examination of files: trust, format and contract, then the known results or a probe.
///
/// No code of a file runs in this process.
struct PluginExamination {
  /// The result for a file.
  struct Finding: Sendable {
    let file: String
    let identity: FileIdentity?
    let verdict: PluginVerdict
    /// The libraries that the plugin brings along, by path.
    var helpers: [String: FileIdentity] = [:]

    var manifest: PluginManifest? {
      if case .accepted(let manifest, _) = verdict { manifest } else { nil }
    }

    /// Whether the library needs Foundation.
    var needsFoundation: Bool {
      if case .accepted(_, let needsFoundation) = verdict { needsFoundation } else { false }
    }

    var refusal: Refusal? {
      if case .refused(let refusal) = verdict { refusal } else { nil }
    }
  }

  private(set) var cache: PluginCache
  private let probe: ProbeRun
  private let framework: String
  private let forgets: Bool
  private var contract: Result<PluginContract, Refusal>?
  /// Folders without links, or the reasons why they are not trusted. Each is checked once.
  private var folders: [String: Result<String, Refusal>] = [:]

  /// Makes an examination.
  ///
  /// - Parameter forgets: whether to ignore the results of earlier runs.
  init(cache: PluginCache, probe: ProbeRun, framework: String, forgets: Bool) {
    self.cache = cache
    self.probe = probe
    self.framework = framework
    self.forgets = forgets
  }

  /// Examines files and stores the results.
  ///
  /// - Returns: a finding for each file, in order, and the reason if the results could not be stored.
  mutating func examine(_ files: [String]) -> (findings: [Finding], problem: String?) {
    var findings: [String: Finding] = [:]
    var unknown:
      [(file: String, identity: FileIdentity, hash: UInt64, moment: Int, helpers: [String: PluginCache.Helper])] =
        []
    for file in files where findings[file] == nil {
      do throws(Refusal) {
        if let known = try known(file) {
          findings[file] = known
          continue
        }
        let moment = PluginCache.now
        let trusted = try TrustedFile(file)
        let identity = trusted.identity
        let image: ELFFile
        do throws(Refusal) {
          image = try check(trusted)
        } catch {
          findings[file] = Finding(file: file, identity: identity, verdict: .refused(error))
          // A large file that is not a plugin is not hashed. It takes less time to read its headers again.
          guard identity.size <= Self.hashedAtMost else { continue }
          cache.note(
            .refused(error), of: ProcessIO.absolute(file), identity, hash: PluginCache.hash(ofFile: file),
            moment: moment)
          continue
        }
        // The owners of these libraries may change without a change of the file, so this check runs each time.
        var helpers: [String: PluginCache.Helper] = [:]
        for (path, identity) in try HelperLibraries(of: image, at: trusted.path).identities {
          helpers[path] = PluginCache.Helper(identity: identity, hash: PluginCache.hash(ofFile: path))
        }
        unknown.append((file, identity, PluginCache.hash(ofFile: file), moment, helpers))
      } catch {
        findings[file] = Finding(file: file, identity: nil, verdict: .refused(error))
      }
    }
    let verdicts = unknown.isEmpty ? [:] : probe.run(unknown.map(\.file))
    for item in unknown {
      let verdict =
        verdicts[item.file]
        ?? .refused(
          Refusal(.probe, .notProbed, "the probe returned no result for the file", advice: "Start with --rescan."))
      findings[item.file] = Finding(
        file: item.file, identity: item.identity, verdict: verdict, helpers: item.helpers.mapValues(\.identity))
      // A missing library may be there next time.
      if case .refused(let refusal) = verdict, [.notProbed, .loadFailed].contains(refusal.code) { continue }
      cache.note(
        verdict, of: ProcessIO.absolute(item.file), item.identity, hash: item.hash, moment: item.moment,
        helpers: item.helpers)
    }
    return (files.compactMap { findings[$0] }, cache.save())
  }

  /// Forgets a file, so that it is examined again.
  mutating func forget(_ file: String) {
    cache.forget(ProcessIO.absolute(file))
    _ = cache.save()
  }

  /// Returns the verdict of an earlier run if the file is unchanged and no other user can change the path to it.
  private mutating func known(_ file: String) throws(Refusal) -> Finding? {
    guard !forgets, let identity = FileIdentity(ofFile: file),
      let verdict = cache.verdict(of: ProcessIO.absolute(file), identity)
    else {
      return nil
    }
    let helpers = cache.entries[ProcessIO.absolute(file)]?.helpers.mapValues(\.identity) ?? [:]
    for path in [file] + helpers.keys.sorted() { try checkWay(to: path) }
    return Finding(file: file, identity: identity, verdict: verdict, helpers: helpers)
  }

  /// Checks that no other user can change the path to a file.
  private mutating func checkWay(to file: String) throws(Refusal) {
    guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")), slash > file.startIndex else {
      _ = try TrustedPath(file)
      return
    }
    let folder = String(file[..<slash])
    let found = folders[folder] ?? Result { () throws(Refusal) in try TrustedPath(folder, isFolder: true).resolved }
    folders[folder] = found
    var status = stat()
    guard lstat(try found.get() + file[slash...], &status) == 0, status.st_mode & S_IFMT != S_IFLNK else {
      _ = try TrustedPath(file)
      return
    }
  }

  /// The largest refused file that is hashed, and the largest file that is accepted, in bytes.
  private static let hashedAtMost = 64 << 20
  private static let maximumSize = 2 << 30

  private mutating func check(_ file: borrowing TrustedFile) throws(Refusal) -> ELFFile {
    if contract == nil {
      do throws(Refusal) {
        contract = .success(try PluginContract(frameworkPath: framework))
      } catch {
        contract = .failure(error)
      }
    }
    let image = try ELFFile(file)
    try contract?.get().check(image, at: file.path)
    guard file.identity.size <= Self.maximumSize else {
      throw Refusal(
        .file, .malformed, "it has \(file.identity.size) bytes; the maximum is \(Self.maximumSize)",
        advice: "Move large data into separate files.")
    }
    return image
  }
}

/// An actor that examines files. The main actor stays free meanwhile, because a probe may take seconds.
actor PluginExaminer {
  private lazy var examination = PluginExamination(
    cache: PluginCache(folder: options.cacheFolder, framework: PluginLibrary.frameworkPath),
    probe: ProbeRun(executable: host, deadline: options.launch.probeDeadline, willProbe: willProbe),
    framework: PluginLibrary.frameworkPath, forgets: options.launch.rescans)
  private let options: HostOptions
  private let host: String
  private let willProbe: @Sendable (String) -> Void

  /// Makes an examiner, which starts to read the results of earlier runs.
  ///
  /// - Parameters:
  ///   - options: the folder of stored results, and the time limit of a probe.
  ///   - host: the executable to run with `--probe`.
  ///   - willProbe: called on any thread before a new process loads a file to find its contributions.
  init(_ options: HostOptions, host: String, willProbe: @escaping @Sendable (String) -> Void) {
    self.options = options
    self.host = host
    self.willProbe = willProbe
    // Read the results of hundreds of plugins while the host does other things first.
    Task.detached(priority: .userInitiated) { await self.cacheProblem }
  }

  /// The reason why the results of earlier runs were not used.
  var cacheProblem: String? { examination.cache.problem }

  /// Examines files and stores the results.
  func examine(_ files: [String]) -> (findings: [PluginExamination.Finding], problem: String?) {
    examination.examine(files)
  }

  /// Forgets a file, so that it is examined again.
  func forget(_ file: String) { examination.forget(file) }
}
