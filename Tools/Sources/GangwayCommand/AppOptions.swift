import ArgumentParser
import GangwayClient
import GangwaySupervisor

/// The options of `gangway run` and `gangway dev`.
package struct AppOptions: ParsableArguments {
  @Option(
    name: .customLong("plugin"), help: ArgumentHelp("Load this plugin only; may be repeated.", valueName: "id|file"),
    completion: Completion.plugins)
  var plugins: [String] = []

  @Option(
    help: ArgumentHelp("Leave this plugin out; may be repeated.", valueName: "id|file"),
    completion: Completion.plugins)
  var without: [String] = []

  @OptionGroup package var search: PluginOptions

  @OptionGroup package var shown: FrontEndOptions

  @Option(
    help: ArgumentHelp("Run commands from a file, or - for standard input.", valueName: "file"),
    completion: .file())
  var script: String?

  @Option(
    help: ArgumentHelp(
      "Keep the session in this file between runs. Without it, one under XDG_STATE_HOME; with --script, none.",
      valueName: "file"),
    completion: .file())
  var state: String?

  @Option(
    help: ArgumentHelp("Order, group and hide tabs as this file says.", valueName: "file"), completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Go where this link leads once the app has started. Exit 1 if it leads nowhere.", valueName: "url"),
    completion: Completion.links)
  var open: String?

  @Option(
    help: ArgumentHelp("Record the session in this file, for `gangway replay`.", valueName: "file"),
    completion: .file())
  var record: String?

  @Flag(help: "Begin anew; what was stored is set aside.")
  var fresh = false

  @Flag(name: .customLong("safe-mode"), help: "Show what is installed, and load no plugin before you ask for it.")
  var safeMode = false

  @Flag(name: .customLong("wait-for-debugger"), help: "Let hosts wait for a debugger before they load anything.")
  var waitForDebugger = false

  @Option(
    name: .customLong("memory-limit"),
    help: ArgumentHelp(
      "Stop a host that wants more address space than this, and name the plugin; 0 for any.", valueName: "MB"))
  var memoryLimit = 8_192

  @Option(
    name: .customLong("file-limit"),
    help: ArgumentHelp("Let a host have this many files open; 0 for any.", valueName: "count"))
  var fileLimit = 4_096

  @Option(
    name: .customLong("process-limit"),
    help: ArgumentHelp(
      "Let a host start no process or thread when there are this many more than at its start; 0 for any, as for root.",
      valueName: "count"))
  var processLimit = 4_096

  @Flag(
    name: .customLong("no-spare"),
    help: "Keep no other host ready: one that dies is replaced some milliseconds later, and some memory is free.")
  var noSpare = false

  @Option(
    help: ArgumentHelp(
      "Ask whether to go on waiting when an event is not answered within this time; 0 for never.", valueName: "seconds")
  )
  var patience: Double = 5

  package init() {}

  /// The supervisor's configuration according to the options.
  package var supervisorOptions: SupervisorOptions {
    var options = SupervisorOptions(host: search.executable, logFolder: Locations.state)
    options.plugins = plugins
    options.without = without
    options.pluginFolders = search.folders
    options.stateFile = state ?? (script == nil ? Locations.state + "/session.json" : nil)
    options.isFresh = fresh
    options.configuration = config
    options.recording = record
    options.isSafe = safeMode
    options.waitsForDebugger = waitForDebugger
    options.rescans = search.rescan
    options.probeTimeout = search.probeTimeout
    options.memoryLimit = memoryLimit > 0 ? memoryLimit : nil
    options.fileLimit = fileLimit > 0 ? fileLimit : nil
    options.processLimit = processLimit > 0 ? processLimit : nil
    options.keepsSpare = !noSpare
    options.patience = patience > 0 ? .seconds(patience) : nil
    return options
  }

  package func validate() throws {
    if shown.frontend == .web, script != nil {
      throw ValidationError("--frontend web is for a browser: --script is not.")
    }
    if let state { try Mistake.check(written: state, of: "--state") }
    if let record { try Mistake.check(written: record, of: "--record") }
  }
}
