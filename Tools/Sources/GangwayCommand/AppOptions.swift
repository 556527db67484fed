import ArgumentParser
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

/// The options of `gangway run` and `gangway dev`.
package struct AppOptions: ParsableArguments {
  @Option(
    name: .customLong("plugin"), help: ArgumentHelp("Load only this plugin; repeatable.", valueName: "id|file"),
    completion: Completion.plugins)
  var plugins: [String] = []

  @OptionGroup package var search: PluginOptions

  @OptionGroup package var shown: FrontEndOptions

  @Option(
    help: ArgumentHelp("Run commands from a file, or - for standard input.", valueName: "file"),
    completion: .file())
  var script: String?

  @Option(
    help: ArgumentHelp(
      "Store the session in this file. By default, a file under XDG_STATE_HOME; with --script, none.",
      valueName: "file"),
    completion: .file())
  var state: String?

  @Option(
    help: ArgumentHelp("Read the configuration from this file: tabs, links, settings of plugins.", valueName: "file"),
    completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Open this link after the start. Exit 1 if it cannot be opened.", valueName: "url"),
    completion: Completion.links)
  var open: String?

  @Option(
    help: ArgumentHelp("Record the session in this file, for `gangway replay`.", valueName: "file"),
    completion: .file())
  var record: String?

  @Flag(help: "Start a new session, and rename the file of the stored one.")
  var fresh = false

  @Flag(name: .customLong("safe-mode"), help: "Show the installed plugins. Load a plugin only when you open it.")
  var safeMode = false

  @Flag(name: .customLong("wait-for-debugger"), help: "Make hosts wait for a debugger before they load anything.")
  var waitForDebugger = false

  @Option(
    name: .customLong("memory-limit"),
    help: ArgumentHelp(
      "Limit the address space of a host; 0 for no limit. A host above the limit crashes; its report names the plugin.",
      valueName: "MB"))
  var memoryLimit = 8_192

  @Option(
    name: .customLong("file-limit"),
    help: ArgumentHelp("Limit the open files of a host; 0 for no limit.", valueName: "count"))
  var fileLimit = 4_096

  @Option(
    name: .customLong("process-limit"),
    help: ArgumentHelp(
      "Limit how many processes and threads the user may add after the start of a host; 0 for no limit.",
      valueName: "count"))
  var processLimit = 4_096

  @Flag(
    name: .customLong("no-spare"),
    help: "Keep no spare host. Saves memory, but the restart after a crash takes longer.")
  var noSpare = false

  @Option(
    help: ArgumentHelp(
      "Ask the user whether to wait longer if the app does not answer for this time; 0 to never ask.",
      valueName: "seconds"))
  var patience: Double = 5

  package init() {}

  /// The supervisor's configuration according to the options.
  package var supervisorOptions: SupervisorOptions {
    var options = SupervisorOptions(host: search.executable, logFolder: Locations.state)
    options.launch = search.launch
    options.launch.plugins = plugins
    options.stateFile = state ?? (script == nil ? Locations.state + "/session.json" : nil)
    options.isFresh = fresh
    options.launch.configuration = config
    options.recording = record
    options.launch.isSafe = safeMode
    options.launch.waitsForDebugger = waitForDebugger
    options.launch.limits.memory = memoryLimit > 0 ? memoryLimit : nil
    options.launch.limits.files = fileLimit > 0 ? fileLimit : nil
    options.launch.limits.processes = processLimit > 0 ? processLimit : nil
    options.keepsSpare = !noSpare
    options.patience = patience > 0 ? .seconds(patience) : nil
    return options
  }

  package func validate() throws {
    if shown.frontend == .web, script != nil {
      throw ValidationError(Words.Usage.scriptInBrowser)
    }
    if let state { try Mistake.check(written: state, of: "--state") }
    if let record { try Mistake.check(written: record, of: "--record") }
  }
}
