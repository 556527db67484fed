import Gangway
import GangwayProtocol

/// Loads plugins when they are needed, one after the other, each after what it depends on.
@MainActor final class PluginLoader: PluginSource {
  private struct Job {
    let plugin: String
    /// What it takes, itself last.
    var rest: [PluginPlan.Member]
    let finished: @MainActor (String?) -> Void
  }

  private unowned let catalog: PluginCatalog
  private var jobs: [Job] = []
  private var opening: (plugin: String, LibraryOpening)?
  /// Whether somebody waits for the library that is being opened, and goes on when it is.
  private var isFollowed = false

  init(_ catalog: PluginCatalog) { self.catalog = catalog }

  func load(_ plugin: String, patience: Duration, finished: @escaping @MainActor (String?) -> Void) {
    jobs.append(Job(plugin: plugin, rest: chain(plugin), finished: finished))
    drive(until: .now + patience)
  }

  /// What has to be loaded for a plugin, in order, itself last.
  private func chain(_ plugin: String) -> [PluginPlan.Member] {
    var needed: Set<String> = [plugin]
    var queue = [plugin]
    while let next = queue.popLast() {
      for dependency in catalog.member(next)?.manifest.dependencies ?? []
      where catalog.member(dependency.plugin) != nil && needed.insert(dependency.plugin).inserted {
        queue.append(dependency.plugin)
      }
    }
    // The plan has them in an order in which each comes after what it needs.
    return catalog.plan.accepted.filter { needed.contains($0.id) }
  }

  /// Goes on with the jobs until all are done or the time is up.
  private func drive(until deadline: ContinuousClock.Instant) {
    while let job = jobs.first {
      guard let member = job.rest.first else {
        finish(nil)
        continue
      }
      if catalog.registry.isLoaded(member.id) {
        jobs[0].rest.removeFirst()
        continue
      }
      if let problem = hindrance(to: member, job) {
        if let problem = problem.reason { finish(problem) } else { jobs[0].rest.removeFirst() }
        continue
      }
      if opening == nil, member.opening < Self.quick {
        openHere(member)
        continue
      }
      let library: LibraryOpening
      if let opening, opening.plugin == member.id {
        library = opening.1
      } else {
        do throws(Refusal) {
          library = try begin(member)
        } catch {
          fail(member, error)
          continue
        }
      }
      guard let outcome = library.outcome(within: deadline - .now) else { return follow(library) }
      opening = nil
      take(outcome, member)
    }
  }

  /// Goes on when a library that takes its time has been opened.
  private func follow(_ library: LibraryOpening) {
    guard !isFollowed else { return }
    isFollowed = true
    Task {
      _ = await library.outcome()
      isFollowed = false
      drive(until: .now)
    }
  }

  /// Whether something that is needed cannot be had: a reason to give up, or nil inside to go on without it.
  private func hindrance(to member: PluginPlan.Member, _ job: Job) -> (reason: String?, Void)? {
    guard member.id != job.plugin, let status = catalog.status(of: member.id),
      [.failed, .quarantined, .disabled, .refused].contains(status.state)
    else { return nil }
    let isNeeded = job.rest.contains { other in
      other.manifest.dependencies.contains { $0.plugin == member.id && !$0.isOptional }
    }
    guard isNeeded else { return (nil, ()) }
    return ("it needs the plugin \(member.id), which is \(status.state.rawValue): \(status.refusal ?? "")", ())
  }

  /// How long a library may have taken in the probe, in microseconds, to be opened by the thread that navigates: another
  /// one costs as much as a small library. What takes longer is given one of its own, so that the screen can say so.
  private static let quick = 20_000

  /// Opens a library that was quick to be opened before.
  private func openHere(_ member: PluginPlan.Member) {
    do throws(Refusal) {
      try announce(member)
      take(.success(try PluginLibrary.open(member.file)), member)
    } catch {
      fail(member, error)
    }
  }

  /// Checks once more that the file is what was looked into, and says that it is about to be loaded.
  ///
  /// Its times cover its owner and mode, so what was trusted then is trusted now, as long as its folder is.
  private func announce(_ member: PluginPlan.Member) throws(Refusal) {
    let now = FileIdentity(ofFile: member.file)
    guard let now, now == member.identity else {
      throw Refusal(
        .load, .changed,
        "the file was replaced since it was looked into: it had \(member.identity?.size ?? 0) bytes then, and "
          + (now.map { "has \($0.size) now" } ?? "is gone now"),
        advice: "Reload it with `gangway reload \(member.id)`, or start again.")
    }
    let folder = member.file.lastIndex(of: "/").map { String(member.file[..<$0]) } ?? "."
    try TrustedFile.checkFolder(folder.isEmpty ? "/" : folder)
    catalog.willLoad(member.file)
    catalog.note(.loading, member)
  }

  /// Begins to open a library on a thread of its own.
  private func begin(_ member: PluginPlan.Member) throws(Refusal) -> LibraryOpening {
    try announce(member)
    let library = LibraryOpening(member.file)
    opening = (member.id, library)
    return library
  }

  private func take(_ outcome: LibraryOpening.Outcome, _ member: PluginPlan.Member) {
    do throws(Refusal) {
      let plugin = try PluginLibrary.plugin(of: outcome.get())
      try register(plugin, member)
      catalog.note(.active, member)
      jobs[0].rest.removeFirst()
    } catch {
      fail(member, error)
    }
  }

  private func register(_ plugin: any Plugin.Type, _ member: PluginPlan.Member) throws(Refusal) {
    guard plugin.id == member.id else {
      throw Refusal(
        .register, .otherID, "it called itself '\(member.id)' when it was probed, and '\(plugin.id)' now",
        advice: "Give it one id, always the same.")
    }
    do {
      try catalog.registry.register(plugin)
    } catch let error as ContributionsChanged {
      throw Refusal(
        .register, .changedContributions, "it registers something else than when it was probed: \(error)",
        advice: "Make its register(in:) say the same each time. It is probed again at the next start.")
    } catch {
      throw Refusal(
        .register, .registration, "it did not register: \(error)",
        advice: "Correct its register(in:) and build it again.")
    }
  }

  /// Ends a plugin's loading, and that of those which cannot do without it.
  private func fail(_ member: PluginPlan.Member, _ refusal: Refusal) {
    catalog.note(.failed, member, refusal)
    guard let job = jobs.first else { return }
    if job.plugin == member.id { return finish(refusal.description) }
    catalog.registry.setAbsent(member.id, because: refusal.description)
    // The loop finds out whether it can be done without.
  }

  private func finish(_ failure: String?) {
    let job = jobs.removeFirst()
    if let failure, let member = catalog.member(job.plugin), catalog.status(of: job.plugin)?.state != .failed {
      catalog.note(
        .failed, member,
        Refusal(.load, .failedDependency, failure, advice: "Mend that one first, then choose Try again."))
    }
    job.finished(failure)
  }
}
