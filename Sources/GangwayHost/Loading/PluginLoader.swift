@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A loader that loads plugins on first use, each after its dependencies.
///
/// Each library opens on its own thread, one after another, because the system's loader admits only one at a time. A
/// library that misses its deadline gets the blame. The loader still tries the libraries after it, and each of them
/// names the library that it waits for.
@MainActor final class PluginLoader: PluginSource {
  private final class Job {
    let plugin: PluginID
    /// The plugins left to load, the requested one last.
    var rest: [PluginPlan.Member]
    let finished: @MainActor (String?) -> Void

    init(plugin: PluginID, rest: [PluginPlan.Member], finished: @escaping @MainActor (String?) -> Void) {
      self.plugin = plugin
      self.rest = rest
      self.finished = finished
    }
  }

  private unowned let catalog: PluginCatalog
  private var jobs: [Job] = []
  /// The library that is opening now.
  private var opening: (member: PluginPlan.Member, library: LibraryOpening)?
  /// Libraries that missed their deadline, by plugin. If one returns after all, it need not be opened again.
  private var overdue: [PluginID: LibraryOpening] = [:]

  /// The state of the process before the current library; nil until the library is open.
  private var before: ProcessState?

  /// The time for which the main actor waits for a library before it continues. Most libraries open within this time.
  private static let moment: Duration = .milliseconds(2)

  init(_ catalog: PluginCatalog) {
    self.catalog = catalog
    SystemLoader.prepare()
  }

  func load(_ plugin: PluginID, finished: @escaping @MainActor (String?) -> Void) {
    jobs.append(Job(plugin: plugin, rest: chain(plugin), finished: finished))
    drive(patience: Self.moment)
  }

  /// Returns the plugins to load for a plugin, in order, itself last.
  private func chain(_ plugin: PluginID) -> [PluginPlan.Member] {
    var needed: Set<PluginID> = [plugin]
    var queue = [plugin]
    while let next = queue.popLast() {
      for dependency in catalog.member(next)?.manifest.dependencies ?? []
      where catalog.member(dependency.plugin) != nil && needed.insert(dependency.plugin).inserted {
        queue.append(dependency.plugin)
      }
    }
    // Do not search hundreds of plugins for one without dependencies.
    if needed.count == 1 { return catalog.member(plugin).map { [$0] } ?? [] }
    // The plan has the plugins in order, dependencies first.
    return catalog.accepted.filter { needed.contains($0.id) }
  }

  /// Processes the jobs until all are done or a library needs more time.
  private func drive(patience: Duration) {
    let deadline = ContinuousClock.now + patience
    while opening == nil, let job = jobs.first {
      guard let member = job.rest.first else {
        finish(nil)
        continue
      }
      if catalog.registry.isLoaded(member.id) {
        job.rest.removeFirst()
        continue
      }
      if let problem = hindrance(to: member, job) {
        if let problem = problem.reason { finish(problem) } else { job.rest.removeFirst() }
        continue
      }
      let late = overdue[member.id]
      // Foundation may change the state of the process, so the thread saves the state after it.
      let thread = late == nil && !member.needsFoundation ? LoaderThread() : nil
      let file: String
      do throws(Refusal) {
        file = try announce(member)
      } catch {
        fail(member, error)
        continue
      }
      if member.needsFoundation { FoundationLibrary.openOnMainActor() }
      before = late == nil ? nil : ProcessState()
      overdue[member.id] = nil
      let library = late ?? LibraryOpening(file, on: thread ?? LoaderThread())
      if let outcome = library.outcome(within: deadline - .now) {
        take(outcome, member, library)
      } else {
        opening = (member, library)
        follow(member, library)
      }
    }
  }

  /// Continues when a slow library has opened or missed its deadline.
  private func follow(_ member: PluginPlan.Member, _ library: LibraryOpening) {
    let alarm = Task { [weak self, deadline = catalog.options.launch.loadDeadline] in
      repeat { try await Task.sleep(for: deadline) } while Debugger.isAttached(to: getpid())
      self?.giveUp(member, library)
    }
    Task {
      let outcome = await library.outcome()
      alarm.cancel()
      guard opening?.library === library else { return }
      opening = nil
      take(outcome, member, library)
      drive(patience: .zero)
    }
  }

  /// Refuses a library that missed its deadline, and continues with the others.
  private func giveUp(_ member: PluginPlan.Member, _ library: LibraryOpening) {
    guard opening?.library === library, library.outcome == nil else { return }
    opening = nil
    let others = overdue.values.filter { $0.outcome == nil }.map { "'\($0.path)'" }.sorted()
    overdue[member.id] = library
    // The next try saves the state again.
    _ = library.takeStateBefore()
    let limit = catalog.options.launch.loadDeadline
    let isIn = SystemLoader.has(library.path)
    if others.isEmpty, !isIn {
      fail(
        member,
        Refusal(
          .load, .heldUp,
          "it could not be loaded within \(limit): other code in this process blocks the loading of libraries",
          advice: "Choose Try again, or restart the app without the plugin whose code loads libraries."))
    } else if others.isEmpty {
      fail(
        member,
        Refusal(
          .load, .timedOut, "its code ran for more than \(limit) during loading, and blocked every other library",
          advice: "Rebuild \(member.id) so that loading it runs no code, and restart the app. Or start the "
            + "app with --without \(member.id)."))
    } else {
      fail(
        member,
        Refusal(
          .load, .heldUp,
          "it could not be loaded within \(limit): the loading of \(others.joined(separator: ", ")) has not ended and "
            + "blocks other libraries",
          advice: "Restart the app without the plugin that is still loading."))
    }
    drive(patience: .zero)
  }

  /// Returns the effect of a dependency that cannot load; nil if the dependency may load.
  ///
  /// A reason ends the job. Without a reason, the job continues without the dependency.
  private func hindrance(to member: PluginPlan.Member, _ job: Job) -> (reason: String?, Void)? {
    guard member.id != job.plugin, let status = catalog.status(of: member.id),
      [.failed, .quarantined, .disabled, .refused].contains(status.state)
    else { return nil }
    let isNeeded = job.rest.contains { other in
      other.manifest.dependencies.contains { $0.plugin == member.id && !$0.isOptional }
    }
    guard isNeeded else { return (nil, ()) }
    return ("it needs the plugin \(member.id), whose state is '\(status.state.rawValue)': \(status.refusal ?? "")", ())
  }

  /// Checks again that the file is the examined one, and announces its load.
  ///
  /// The file's times cover its owner and mode. So the trusted file is still trusted, as long as the path to it is.
  ///
  /// - Returns: the path to load, without links.
  private func announce(_ member: PluginPlan.Member) throws(Refusal) -> String {
    let file = try requireUnchanged(member.file, member.identity, "the file", member)
    for (path, identity) in member.helpers.sorted(by: { $0.key < $1.key }) {
      try requireUnchanged(path, identity, "'\(path)', which it needs,", member)
    }
    catalog.willLoad(member.file)
    catalog.note(.loading, member)
    return file
  }

  @discardableResult private func requireUnchanged(
    _ path: String, _ identity: FileIdentity?, _ what: String, _ member: PluginPlan.Member
  ) throws(Refusal) -> String {
    var place: String?
    do throws(Refusal) {
      place = try TrustedPath(path).resolved
    } catch  where error.step != .find {
      throw error
    } catch {}
    let now = place.flatMap(FileIdentity.init(ofFile:))
    guard let place, let now, now == identity else {
      let change: String
      if let now {
        let before = identity?.size ?? 0
        let difference = now.size == before ? "same size, different times" : "\(before) bytes then, \(now.size) now"
        change = "changed after it was checked (\(difference))"
      } else {
        change = "removed after it was checked"
      }
      throw Refusal(
        .load, .changed, "\(what) was \(change)",
        advice: "Reload it with `gangway reload \(member.id)`, or restart the app.")
    }
    return place
  }

  private func take(_ outcome: LibraryOpening.Outcome, _ member: PluginPlan.Member, _ library: LibraryOpening) {
    if before == nil { before = library.takeStateBefore() }
    defer { putBack(member) }
    do throws(Refusal) {
      let plugin = try PluginLibrary.plugin(of: outcome.get())
      try register(plugin, member)
      catalog.note(.active, member)
      jobs.first?.rest.removeFirst()
    } catch {
      fail(member, error)
    }
  }

  /// Restores the state of the process from before the load, and reports the plugin's changes.
  private func putBack(_ member: PluginPlan.Member) {
    let changes = before?.putBack() ?? []
    before = nil
    guard !changes.isEmpty else { return }
    catalog.didNotice(
      "The plugin \(member.id) changed settings of the whole app when it was loaded: "
        + "\(changes.joined(separator: "; ")). "
        + "They were restored as far as possible. Plugins must not change them.")
  }

  private func register(_ plugin: any Plugin.Type, _ member: PluginPlan.Member) throws(Refusal) {
    guard plugin.pluginID == member.id else {
      throw Refusal(
        .register, .otherID, "its id was '\(member.id)' when it was probed, and is '\(plugin.id)' now",
        advice: "Give it an id that never changes.")
    }
    do {
      try catalog.registry.register(plugin)
    } catch let error as ContributionsChanged {
      throw Refusal(
        .register, .changedContributions, "it registers other contributions than when it was probed: \(error)",
        advice: "Register the same contributions each time. The plugin is probed again at the next start.")
    } catch {
      throw Refusal(
        .register, .registration, "its registration failed: \(error)",
        advice: "Fix its register(in:) and rebuild it.")
    }
  }

  /// Ends the load of a plugin, and of the plugins that need it.
  private func fail(_ member: PluginPlan.Member, _ refusal: Refusal) {
    catalog.note(.failed, member, refusal)
    guard let job = jobs.first else { return }
    if job.plugin == member.id { return finish(refusal.description) }
    catalog.registry.setAbsent(member.id, because: refusal.description)
    // The loop decides whether the job continues without the plugin.
  }

  private func finish(_ failure: String?) {
    let job = jobs.removeFirst()
    if let failure, let member = catalog.member(job.plugin), catalog.status(of: job.plugin)?.state != .failed {
      catalog.note(
        .failed, member,
        Refusal(.load, .failedDependency, failure, advice: "Fix that plugin first, then choose Try again."))
    }
    job.finished(failure)
  }
}
