import Subprocess

/// The Swift compiler in `PATH`.
enum Toolchain {
  /// Returns the compiler's version, such as 6.3.1; nil if there is no compiler.
  static func version() async -> String? {
    guard let line = await firstLine(of: .name("swift")) else { return nil }
    return line.split(separator: " ").first { $0.first?.isNumber == true && $0.contains(".") }.map(String.init) ?? "?"
  }

  /// Returns the first line that a program prints for `--version`; nil if it is missing or does not end within 20 s.
  static func firstLine(of executable: Executable) async -> String? {
    let process = Task {
      try await Subprocess.run(
        executable, arguments: ["--version"], output: .string(limit: 1 << 16), error: .discarded)
    }
    let clock = Task {
      try await Task.sleep(for: .seconds(20))
      process.cancel()
    }
    defer { clock.cancel() }
    return (try? await process.value)?.standardOutput.split(separator: "\n").first.map(String.init)
  }
}
