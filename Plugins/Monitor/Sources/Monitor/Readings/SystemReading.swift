import Glibc

/// The counters and the state of the machine at one moment. Counters only rise, and two readings make a ``Sample``.
struct SystemReading: Sendable, Equatable {
  /// The ticks of all processors since the start.
  var busy: UInt64 = 0
  var idle: UInt64 = 0
  /// The memory and swap space, in bytes.
  var memory: UInt64 = 0
  var availableMemory: UInt64 = 0
  var swap: UInt64 = 0
  var freeSwap: UInt64 = 0
  /// The bytes since the start, over all network devices except the loopback.
  var received: UInt64 = 0
  var sent: UInt64 = 0
  /// The bytes since the start, over all whole disks.
  var read: UInt64 = 0
  var written: UInt64 = 0
  /// The number of processes that want to run, averaged over one minute.
  var load: Double = 0
  /// The seconds since the machine started.
  var uptime: Double = 0
  var processors = 1

  init() {}

  /// Reads the state. Values that the kernel does not report stay 0.
  init(_ proc: ProcFolder) {
    takeProcessors(proc.text("stat") ?? "")
    takeMemory(proc.text("meminfo") ?? "")
    takeNetwork(proc.text("net/dev") ?? "")
    takeDisks(proc.text("diskstats") ?? "")
    load = (proc.text("loadavg") ?? "")[...].columns.first.flatMap { Double($0) } ?? 0
    uptime = (proc.text("uptime") ?? "")[...].columns.first.flatMap { Double($0) } ?? 0
  }

  /// Reads the processors' ticks.
  ///
  /// The fields are as in proc(5): user, nice, system, idle, iowait, irq, softirq, steal. The first two include guests.
  private mutating func takeProcessors(_ text: String) {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("cpu") }
    let numbers = lines.first?.columns.dropFirst().prefix(8).map { UInt64($0) ?? 0 } ?? []
    guard numbers.count >= 5 else { return }
    idle = numbers[3] &+ numbers[4]
    busy = numbers.reduce(0, &+) &- idle
    processors = max(1, lines.count - 1)
  }

  private mutating func takeMemory(_ text: String) {
    for line in text.split(separator: "\n") {
      let columns = line.columns
      guard columns.count >= 2, let kilobytes = UInt64(columns[1]) else { continue }
      switch columns[0] {
      case "MemTotal:": memory = kilobytes << 10
      case "MemAvailable:": availableMemory = kilobytes << 10
      case "SwapTotal:": swap = kilobytes << 10
      case "SwapFree:": freeSwap = kilobytes << 10
      default: break
      }
    }
  }

  private mutating func takeNetwork(_ text: String) {
    for line in text.split(separator: "\n").dropFirst(2) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].columns.first != "lo" else { continue }
      let numbers = parts[1].columns.map { UInt64($0) ?? 0 }
      guard numbers.count >= 9 else { continue }
      received &+= numbers[0]
      sent &+= numbers[8]
    }
  }

  /// Reads the disks without their partitions. A sector counts as 512 bytes, independent of the disk's own sectors.
  private mutating func takeDisks(_ text: String) {
    var disks: [Substring] = []
    for line in text.split(separator: "\n") {
      let columns = line.columns
      guard columns.count >= 10 else { continue }
      let name = columns[2]
      if name.hasPrefix("loop") || name.hasPrefix("ram") || name.hasPrefix("dm-") || name.hasPrefix("zram") { continue }
      if disks.contains(where: { name.hasPrefix($0) && name.count > $0.count }) { continue }
      disks.append(name)
      read &+= (UInt64(columns[5]) ?? 0) &* 512
      written &+= (UInt64(columns[9]) ?? 0) &* 512
    }
  }
}

/// The activity of the machine between two readings.
struct Sample: Sendable, Equatable {
  /// The number of the sample, counting up.
  let number: Int
  /// The use, from 0 to 100.
  let processor: Double
  let memory: Double
  /// The rates, in bytes a second.
  let received: Double
  let sent: Double
  let read: Double
  let written: Double

  /// - Parameter seconds: the time between both readings.
  init(_ number: Int, from before: SystemReading, to now: SystemReading, seconds: Double) {
    self.number = number
    let (busy, idle) = (Self.rise(before.busy, now.busy), Self.rise(before.idle, now.idle))
    processor = busy + idle > 0 ? 100 * busy / (busy + idle) : 0
    memory = now.memory > 0 ? 100 * (1 - Double(min(now.availableMemory, now.memory)) / Double(now.memory)) : 0
    func rate(_ counter: KeyPath<SystemReading, UInt64>) -> Double {
      seconds > 0 ? Self.rise(before[keyPath: counter], now[keyPath: counter]) / seconds : 0
    }
    (received, sent) = (rate(\.received), rate(\.sent))
    (read, written) = (rate(\.read), rate(\.written))
  }

  /// Returns the rise of a counter. If a device goes away, the counter falls and begins again.
  static func rise(_ before: UInt64, _ now: UInt64) -> Double { now >= before ? Double(now - before) : 0 }
}

/// A file system with its free space.
struct Volume: Sendable, Equatable, Identifiable {
  let id: String
  let size: UInt64
  let free: UInt64
  var used: Double { size > 0 ? 1 - Double(min(free, size)) / Double(size) : 0 }

  /// Returns the file systems on devices, each once, and the root.
  static func all(_ proc: ProcFolder) -> [Volume] {
    var devices: Set<Substring> = []
    var volumes: [Volume] = []
    for line in (proc.text("mounts") ?? "").split(separator: "\n") {
      let columns = line.columns
      guard columns.count >= 2, columns[0].hasPrefix("/dev/") || columns[1] == "/", devices.insert(columns[0]).inserted
      else { continue }
      // Spaces and tabs are written as octal numbers in this file.
      let path = String(columns[1]).replacing("\\040", with: " ").replacing("\\011", with: "\t")
      var status = statvfs()
      guard statvfs(path, &status) == 0, status.f_blocks > 0 else { continue }
      let block = UInt64(status.f_frsize)
      volumes.append(
        Volume(id: path, size: UInt64(status.f_blocks) * block, free: UInt64(status.f_bavail) * block))
      if volumes.count == 8 { break }
    }
    return volumes
  }
}
