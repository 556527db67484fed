import Gangway
import Glibc
import Observation

/// The state of the machine, read again and again while a screen is visible.
@MainActor @Observable final class Monitor {
  /// The most samples, for two minutes.
  static let mostSamples = 60
  /// The time between two samples.
  static let interval: Duration = .seconds(2)
  /// The time between the first two readings.
  static let firstInterval: Duration = .milliseconds(30)

  private(set) var samples: [Sample] = []
  private(set) var reading = SystemReading()
  private(set) var volumes: [Volume] = []
  private(set) var rows: [ProcessRow] = []

  @ObservationIgnored let proc: ProcFolder
  @ObservationIgnored private var before: (reading: SystemReading, at: ContinuousClock.Instant)?
  @ObservationIgnored private var ticks: [Int32: (start: UInt64, ticks: UInt64)] = [:]
  @ObservationIgnored private var ticksAt: ContinuousClock.Instant?
  @ObservationIgnored private var names: [UInt32: String] = [:]
  @ObservationIgnored private var count = 0

  init(_ proc: ProcFolder = ProcFolder()) { self.proc = proc }

  /// Takes samples until the task is cancelled. It is work of a screen, so nothing is read without a visible screen.
  func watch() async {
    // The first sample needs two readings. They are some processor ticks apart, and close enough that the user does not
    // wait.
    if before == nil {
      await takeSample()
      try? await Task.sleep(for: Self.firstInterval)
    }
    while !Task.isCancelled {
      await takeSample()
      try? await Task.sleep(for: Self.interval)
    }
  }

  /// Reads the processes in the same way.
  func watchProcesses() async {
    if ticksAt == nil {
      await takeProcesses()
      try? await Task.sleep(for: Self.firstInterval)
    }
    while !Task.isCancelled {
      await takeProcesses()
      try? await Task.sleep(for: Self.interval)
    }
  }

  func takeSample() async {
    let (reading, volumes) = await Self.read(proc)
    let now = ContinuousClock.now
    if let before {
      count += 1
      let seconds = (now - before.at) / .seconds(1)
      samples.append(Sample(count, from: before.reading, to: reading, seconds: seconds))
      if samples.count > Self.mostSamples { samples.removeFirst(samples.count - Self.mostSamples) }
    }
    before = (reading, now)
    self.reading = reading
    if self.volumes != volumes { self.volumes = volumes }
  }

  @concurrent private nonisolated static func read(_ proc: ProcFolder) async -> (SystemReading, [Volume]) {
    (SystemReading(proc), Volume.all(proc))
  }

  func takeProcesses() async {
    let (readings, owners) = await Self.readProcesses(proc)
    let now = ContinuousClock.now
    let seconds = ticksAt.map { (now - $0) / .seconds(1) } ?? 0
    let perSecond = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    rows = readings.map { process in
      var processor = 0.0
      // Ticks before belong to the process only if its start is the same. Otherwise, another process had the number.
      if seconds > 0, let last = ticks[process.id], last.start == process.start {
        processor = 100 * Sample.rise(last.ticks, process.ticks) / perSecond / seconds
      }
      return ProcessRow(
        id: process.id, start: process.start, name: process.name, user: name(of: owners[process.id]),
        state: process.state, processor: processor, memory: process.memory)
    }
    // If the user sorts by nothing else, the busiest processes come first.
    .sorted { ($0.processor, $0.memory, $1.id) > ($1.processor, $1.memory, $0.id) }
    ticks = readings.reduce(into: [:]) { $0[$1.id] = ($1.start, $1.ticks) }
    ticksAt = now
  }

  @concurrent private nonisolated static func readProcesses(
    _ proc: ProcFolder
  ) async -> ([ProcessReading], [Int32: UInt32]) {
    let readings = ProcessReading.all(proc)
    return (readings, readings.reduce(into: [:]) { $0[$1.id] = proc.owner(of: $1.id) })
  }

  private func name(of user: UInt32?) -> String {
    guard let user else { return "?" }
    if let name = names[user] { return name }
    let name = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    names[user] = name
    return name
  }

  /// Returns the command line of a process, or its name if there is none.
  func command(of row: ProcessRow) -> String {
    let words = (proc.text("\(row.id)/cmdline") ?? "").split(separator: "\0")
    return words.isEmpty ? "[\(row.name)]" : words.joined(separator: " ")
  }
}
