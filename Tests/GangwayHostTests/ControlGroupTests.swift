import Foundation
import Testing

@_spi(FrontEnd) @testable import GangwayClient

/// The place of a process's control group, and the cases without one.
@Suite struct ControlGroupTests {
  private nonisolated static let version2 = "29 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
  private nonisolated static let hybrid = """
    40 31 0:37 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
    41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw

    """
  private nonisolated static let part = "29 22 0:26 /docker/1 /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n"

  /// `FileManager` returns only the first page of such a file.
  @Test func aLongFileOfTheSystemIsReadWhole() throws {
    let maps = try #require(ProcessIO.contents(of: "/proc/self/maps"))
    #expect(maps.count > 4_096 && maps.last == UInt8(ascii: "\n"))
    #expect(String(decoding: maps, as: UTF8.self).contains("[stack]"))
    #expect(ProcessIO.contents(of: "/proc/self/nothing") == nil)
  }

  @Test(arguments: [
    ("0::/user.slice/app.scope\n", version2, "/sys/fs/cgroup/user.slice/app.scope"),
    ("0::/\n", version2, "/sys/fs/cgroup"),
    ("8:pids:/a\n0::/b\n", hybrid, "/sys/fs/cgroup/unified/b"),
    ("0::/docker/1\n", part, "/sys/fs/cgroup"), ("0::/docker/1/a\n", part, "/sys/fs/cgroup/a"),
    ("0::/docker/12\n", part, nil), ("0::/../a\n", version2, nil),
    ("8:pids:/a\n", hybrid, nil), ("0::/a\n", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n", nil), ("", "", nil),
  ])
  func aGroupIsFoundWhereItIsMounted(_ groups: String, _ mounts: String, _ folder: String?) {
    #expect(ControlGroup.folder(groups: groups, mounts: mounts) == folder)
  }

  @Test func aFolderThatIsNoGroupGetsNothing() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gangway-\(UUID().uuidString)").path
    #expect(ControlGroup.make(in: folder) == nil)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(ControlGroup.make(in: folder) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func aGroupThatIsGoneIsSaidSo() {
    let group = ControlGroup(folder: "/nonexistent/group")
    #expect(group.join() == "No such file or directory")
    #expect(!group.isPopulated)
    #expect(group.end())
  }
}
