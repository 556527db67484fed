import Foundation
@_spi(FrontEnd) import GangwayHost

extension Animal {
  /// Paths without a library that this machine can load.
  static let files: [Animal] =
    [
      written("empty", .notELF, "it is empty") { _ in Data() },
      written("text", .notELF, "it does not begin with 7f 45 4c 46") { _ in Data("not a library\n".utf8) },
      written("63 bytes", .truncated, "the end of its header is beyond the end") { $0.prefix(63) },
      written("64 bytes", .truncated, "which has 64 bytes") { $0.prefix(64) },
      written("200 bytes", .truncated, "which has 200 bytes") { $0.prefix(200) },
      written("half", .truncated, "is beyond the end of the file") { $0.prefix($0.count / 2) },
      written("all but the last byte", .truncated, "the end of its section headers is beyond") { $0.dropLast() },
      changed("ELF32", 4, 1, .otherArchitecture, "it is a 32-bit file, but this host is a 64-bit program"),
      changed("big-endian", 5, 2, .otherArchitecture, "it is big-endian, but this machine is little-endian"),
      changed("another machine's", 18, 243, .otherArchitecture, "it is built for risc-v, but this host runs on"),
      changed("executable", 16, 2, .notSharedObject, "it is an executable, not a shared object"),
      changed("relocatable", 16, 1, .notSharedObject, "it is a relocatable object, not a shared object"),
      changed("core", 16, 4, .notSharedObject, "it is a core dump, not a shared object"),
      changed("no program headers", 56, 0, .malformed, "it has no program headers"),
      changed("headers outside", 39, 0x7f, .truncated, "the end of its program headers is beyond the end"),
      Animal("20 GB sparse", .file, .notELF, "it does not begin with 7f 45 4c 46") { scratch in
        let file = try scratch.file("libBad.so")
        truncate(file.path, 20 << 30)
        return [file.path]
      },
    ] + places

  /// Paths without a file that the host may examine.
  private static let places: [Animal] = [
    Animal("gone", .find, .missing, "there is no file '/nowhere/libBad.so'") { _ in ["/nowhere/libBad.so"] },
    Animal("directory", .trust, .notRegularFile, "is a folder, not a regular file") { scratch in
      try FileManager.default.createDirectory(atPath: scratch.path("libBad.so"), withIntermediateDirectories: true)
      return [scratch.path("libBad.so")]
    },
    Animal("FIFO", .trust, .notRegularFile, "is a FIFO, not a regular file") { scratch in
      mkfifo(scratch.path("libBad.so"), 0o600)
      return [scratch.path("libBad.so")]
    },
    Animal("socket", .trust, .notRegularFile, "is not a regular file (No such device or address)") { scratch in
      try bindSocket(scratch.path("s"))
      return [scratch.path("s")]
    },
    Animal("/dev/zero", .trust, .notRegularFile, "is a device, not a regular file") { _ in ["/dev/zero"] },
    link("dangling link", .find, .missing, "(No such file or directory)") { _ in "/nowhere" },
    link("looping link", .trust, .unreadable, "Too many levels of symbolic links") { $0 },
    Animal("world-writable file", .trust, .writableByOthers, "is writable by other users (mode 666)") { scratch in
      [try scratch.file("libBad.so", Zoo.good, mode: 0o666).path]
    },
    Animal("world-writable folder", .trust, .writableByOthers, "its folder", "(mode 777)") { scratch in
      let folder = scratch.path("open")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      chmod(folder, 0o777)
      return [try scratch.file("open/libBad.so", Zoo.good).path]
    },
    Animal("sticky world-writable file", .trust, .writableByOthers, "is writable by other users (mode 1666)") {
      scratch in
      [try scratch.file("libBad.so", Zoo.good, mode: 0o1666).path]
    },
    Animal(
      "open folder above", .trust, .writableByOthers, "the folder", "above it is writable by other users (mode 777)"
    ) {
      scratch in
      try FileManager.default.createDirectory(
        atPath: scratch.path("open/own"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      chmod(scratch.path("open"), 0o777)
      return [try scratch.file("open/own/libBad.so", Zoo.good).path]
    },
    Animal("hard link", .plan, .duplicateID, "it is the same file as", "libOne.so") { scratch in
      let first = try scratch.file("libOne.so", Zoo.good).path
      Foundation.link(first, scratch.path("libTwo.so"))
      return [first, scratch.path("libTwo.so")]
    },
    Animal("symbolic link to one beside it", .plan, .duplicateID, "it is the same file as") { scratch in
      let first = try scratch.file("libOne.so", Zoo.good).path
      symlink(first, scratch.path("libTwo.so"))
      return [first, scratch.path("libTwo.so")]
    },
    Animal("name with a newline", .file, .notELF, "it is empty") { scratch in
      [try scratch.file("libBad\nName.so").path]
    },
  ]

  private static func written(
    _ name: String, _ code: Refusal.Code, _ reason: String, _ change: @escaping @Sendable (Data) -> Data
  ) -> Animal {
    Animal(name, .file, code, reason) { [try $0.file("libBad.so", change(Zoo.good)).path] }
  }

  private static func changed(
    _ name: String, _ offset: Int, _ byte: UInt8, _ code: Refusal.Code, _ reason: String
  ) -> Animal {
    written(name, code, reason) { data in
      var data = data
      data[offset] = byte
      return data
    }
  }

  private static func link(
    _ name: String, _ step: Refusal.Step, _ code: Refusal.Code, _ reason: String,
    to target: @escaping @Sendable (String) -> String
  ) -> Animal {
    Animal(name, step, code, reason) { scratch in
      let path = scratch.path("libBad.so")
      symlink(target(path), path)
      return [path]
    }
  }

  private static func bindSocket(_ path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(descriptor)
    guard result == 0 else { throw Zoo.BuildFailed(description: "no socket at \(path)") }
  }
}
