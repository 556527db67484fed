import Gangway

struct MachineScreen: Screen {
  let monitor: Monitor
  let router: Router<MonitorCoordinator>

  var body: some Content {
    let samples = monitor.samples
    if let last = samples.last {
      LabeledContent("Processor", value: "\(Words.percent(last.processor)) of \(monitor.reading.processors)")
      LabeledContent("Load", value: Words.rounded(monitor.reading.load, 2))
      LabeledContent("Memory", value: Words.used(monitor.reading.memory, free: monitor.reading.availableMemory))
      if monitor.reading.swap > 0 {
        LabeledContent("Swap", value: Words.used(monitor.reading.swap, free: monitor.reading.freeSwap))
      }
      LabeledContent("Uptime", value: Words.duration(monitor.reading.uptime))
      Chart(
        "Processor and memory, %", style: .area, axis: "s",
        series: [
          series("processor", samples, \.processor), series("memory", samples, \.memory),
        ])
      Chart(
        "Network, kB/s", axis: "s",
        series: [
          series("in", samples, \.received, per: 1_000), series("out", samples, \.sent, per: 1_000),
        ])
      Chart(
        "Disks, kB/s", axis: "s",
        series: [
          series("read", samples, \.read, per: 1_000), series("written", samples, \.written, per: 1_000),
        ])
      Section("File systems") {
        for volume in monitor.volumes {
          Progress("\(volume.id): \(Words.used(volume.size, free: volume.free))", fraction: volume.used).id(volume.id)
        }
      }
    } else {
      Progress("Reading")
    }
    Button("Processes") { try await router.show(.processes) }.keyboardShortcut("o")
      .task { await monitor.watch() }
  }

  /// Returns a line of samples, with the newest at 0 seconds.
  private func series(
    _ name: String, _ samples: [Sample], _ value: KeyPath<Sample, Double>, per unit: Double = 1
  ) -> ChartSeries {
    let last = samples.last?.number ?? 0
    return ChartSeries(name, samples, x: { 2 * ($0.number - last) }, y: { ($0[keyPath: value] / unit).rounded() })
  }
}
