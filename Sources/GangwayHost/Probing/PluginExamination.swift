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
  private let policy: LibraryPolicy
  private let framework: String
  private let forgets: Bool
  private var contract: Result<PluginContract, Refusal>?
  /// Folders without links, or the reasons why they are not trusted. Each is checked once.
  private var folders: [String: Result<String, Refusal>] = [:]

  /// Makes an examination.
  ///
  /// - Parameters:
  ///   - launch: the rule about libraries, and whether to ignore the results of earlier runs.
  ///   - folder: the folder of the results; nil to store none.
  init(_ launch: HostLaunch, folder: String?, probe: ProbeRun, framework: String = PluginLibrary.frameworkPath) {
    policy = LibraryPolicy(launch)
    cache = PluginCache(folder: folder, framework: framework, policy: policy.fingerprint)
    self.probe = probe
    self.framework = framework
    forgets = launch.rescans
  }

  /// The plugins in the lock; nil without a readable lock.
  var locked: [PluginLock.Member]? { policy.locked }

  /// A file for the probe.
  private struct Candidate {
    let file: String
    let identity: FileIdentity
    let hash: UInt64
    /// The start of its examination, in nanoseconds since 1970.
    let moment: Int
    let helpers: [String: PluginCache.Helper]
  }

  /// Examines files and stores the results.
  ///
  /// - Returns: a finding for each file, in order, and the reason if the results could not be stored.
  mutating func examine(_ files: [String]) -> (findings: [Finding], problem: String?) {
    var findings: [String: Finding] = [:]
    var candidates: [Candidate] = []
    for file in files where findings[file] == nil {
      do throws(Refusal) {
        if let known = try known(file) {
          findings[file] = known
        } else {
          let (finding, candidate) = try inspect(file)
          findings[file] = finding
          candidates += candidate.map { [$0] } ?? []
        }
      } catch {
        findings[file] = Finding(file: file, identity: nil, verdict: .refused(error))
      }
    }
    let verdicts = candidates.isEmpty ? [:] : probe.run(candidates.map(\.file))
    for candidate in candidates { findings[candidate.file] = take(verdicts[candidate.file], of: candidate) }
    return (files.compactMap { findings[$0] }, cache.save())
  }

  /// Checks a file without running its code.
  ///
  /// - Returns: the finding, if the file is not a plugin; otherwise what to probe.
  private mutating func inspect(_ file: String) throws(Refusal) -> (finding: Finding?, candidate: Candidate?) {
    let moment = PluginCache.now
    let trusted = try TrustedFile(file)
    let identity = trusted.identity
    let image: ELFFile
    do throws(Refusal) {
      image = try check(trusted)
    } catch {
      // A large file that is not a plugin is not hashed. It takes less time to read its headers again.
      if identity.size <= Self.hashedAtMost {
        let hash = PluginCache.hash(ofFile: file)
        cache.note(.refused(error), of: ProcessIO.absolute(file), identity, hash: hash, moment: moment)
      }
      return (Finding(file: file, identity: identity, verdict: .refused(error)), nil)
    }
    // These refusals are not stored, because the lock, the keys and the signature may change.
    try policy.check(trusted)
    // The owners of these libraries may change without a change of the file, so this check runs each time.
    var helpers: [String: PluginCache.Helper] = [:]
    for (path, identity) in try HelperLibraries(of: image, at: trusted.path).identities {
      helpers[path] = PluginCache.Helper(identity: identity, hash: PluginCache.hash(ofFile: path))
      try check(helper: path)
    }
    let hash = PluginCache.hash(ofFile: file)
    return (nil, Candidate(file: file, identity: identity, hash: hash, moment: moment, helpers: helpers))
  }

  /// Stores the verdict of a probe, unless the next one may differ for the same file.
  private mutating func take(_ probed: PluginVerdict?, of candidate: Candidate) -> Finding {
    var verdict =
      probed
      ?? .refused(
        Refusal(.probe, .notProbed, "the probe returned no result for the file", advice: "Start with --rescan."))
    if case .accepted(let manifest, _) = verdict {
      do throws(Refusal) {
        try policy.check(manifest, of: candidate.file)
      } catch {
        verdict = .refused(error)
      }
    }
    var isFinal = true
    // A missing library may be there next time, and the lock may change.
    if case .refused(let refusal) = verdict { isFinal = ![.notProbed, .loadFailed, .notLocked].contains(refusal.code) }
    if isFinal {
      cache.note(
        verdict, of: ProcessIO.absolute(candidate.file), candidate.identity, hash: candidate.hash,
        moment: candidate.moment, helpers: candidate.helpers)
    }
    return Finding(
      file: candidate.file, identity: candidate.identity, verdict: verdict,
      helpers: candidate.helpers.mapValues(\.identity))
  }

  /// Checks a library that a plugin brings along against the rule about libraries.
  private func check(helper path: String) throws(Refusal) {
    do throws(Refusal) {
      try policy.check(try TrustedFile(path))
    } catch {
      let name = path.split(separator: "/").last ?? ""
      throw Refusal(error.step, error.code, "it needs '\(name)': \(error.reason)", advice: error.advice)
    }
  }

  /// Forgets a file, so that it is examined again.
  mutating func forget(_ file: String) {
    cache.forget(ProcessIO.absolute(file))
    _ = cache.save()
  }

  /// Returns the verdict of an earlier run if the file is unchanged and no other user can change the path to it.
  private mutating func known(_ file: String) throws(Refusal) -> Finding? {
    guard !forgets, !policy.isBroken, let identity = FileIdentity(ofFile: file),
      let verdict = cache.verdict(of: ProcessIO.absolute(file), identity)
    else {
      return nil
    }
    let helpers = cache.entries[ProcessIO.absolute(file)]?.helpers.mapValues(\.identity) ?? [:]
    for path in [file] + helpers.keys.sorted() { try checkWay(to: path) }
    // The loader may find a library now that it did not find before.
    if !policy.isEmpty, case .accepted = verdict {
      let trusted = try TrustedFile(file)
      guard try HelperLibraries(of: ELFFile(trusted), at: trusted.path).identities == helpers else { return nil }
    }
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
    options.launch, folder: options.cacheFolder,
    probe: ProbeRun(executable: host, deadline: options.launch.probeDeadline, willProbe: willProbe))
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

  /// The plugins in the lock; nil without a readable lock.
  var locked: [PluginLock.Member]? { examination.locked }

  /// Examines files and stores the results.
  func examine(_ files: [String]) -> (findings: [PluginExamination.Finding], problem: String?) {
    examination.examine(files)
  }

  /// Forgets a file, so that it is examined again.
  func forget(_ file: String) { examination.forget(file) }
}
