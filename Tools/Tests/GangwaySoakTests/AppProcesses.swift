import Foundation
@_spi(FrontEnd) import TestSupport

/// The processes of one run of an app: all processes with a certain environment variable.
struct AppProcesses {
  /// The end of the path of a host's executable.
  private static let hostName = "/gangway-host"

  /// The variable, as `NAME=VALUE`.
  let mark: String

  /// The running processes. A zombie has no environment, so it is not included.
  var all: [Int32] {
    let wanted = Array(mark.utf8)
    return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(Int32.init).filter {
      guard let data = FileManager.default.contents(atPath: "/proc/\($0)/environ") else { return false }
      return data.split(separator: 0).contains { $0.elementsEqual(wanted) }
    }.sorted()
  }

  /// The hosts, without the process that watches for the app's end.
  var hosts: [Int32] {
    all.filter {
      let words = (FileManager.default.contents(atPath: "/proc/\($0)/cmdline") ?? Data()).split(separator: 0)
        .map { String(decoding: $0, as: UTF8.self) }
      return words.first?.hasSuffix(Self.hostName) == true && words.contains("--serve")
    }
  }

  /// Returns the hosts that have a file of a folder open: those with sessions, not the spare ones.
  func hosts(with folder: String) -> [Int32] {
    hosts.filter { host in Self.descriptors(of: host).values.contains { $0.hasPrefix(folder + "/") } }
  }

  /// The process of the command itself.
  var command: Int32? {
    all.first {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/exe"))?.contains(#/\/gangway(-serve)?$/#)
        == true
    }
  }

  /// Returns the targets of the open descriptors of a process or of one of its threads.
  static func descriptors(of process: Int32, thread: String? = nil) -> [String: String] {
    let folder = "/proc/\(process)/" + (thread.map { "task/\($0)/" } ?? "") + "fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(into: [:]) { links, name in
      links[name] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
    }
  }

  /// Returns the distinct descriptor tables of a process's threads, and the number of threads.
  static func tables(of process: Int32) -> (tables: Set<[String: String]>, threads: Int) {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return (Set(threads.map { descriptors(of: process, thread: $0) }), threads.count)
  }

  /// Returns the resident memory of a process in kilobytes; 0 if there is no such process.
  static func memory(of process: Int32) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
