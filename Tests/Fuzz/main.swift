// Runs the reader of library headers on files with changed bytes, under the address sanitizer: script/check-fuzz.
//   fuzz LIBRARY COUNT SEED
import Glibc

setvbuf(stdout, nil, _IONBF, 0)
let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]), let seed = UInt64(arguments[3]) else {
  print("Usage: fuzz LIBRARY COUNT SEED")
  exit(64)
}
let path = arguments[1]
let descriptor = open(path, O_RDWR)
guard descriptor >= 0 else {
  print("'\(path)' could not be opened: \(String(cString: strerror(errno)))")
  exit(1)
}
let size = Int(lseek(descriptor, 0, SEEK_END))
var original = [UInt8](repeating: 0, count: size)
guard pread(descriptor, &original, size, 0) == size else { exit(1) }

/// The ranges of bytes that the reader reads: the headers, and the parts that they point to.
var hot: [Range<Int>] = [0..<min(1024, size)]
func number(_ offset: Int) -> Int {
  original.withUnsafeBytes { Int(truncatingIfNeeded: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
}
for index in 0..<Int(original[56]) {
  let entry = number(32) + index * 56
  let (offset, length) = (number(entry + 8), number(entry + 32))
  // The dynamic section, and the first segment, which has hashes, symbols and strings.
  if length > 0, offset < size, original[entry] == 2 || offset == 0 {
    hot.append(max(0, offset)..<min(size, offset + min(length, 1 << 16)))
  }
}

var random = Generator(state: seed)
var refused: [String: Int] = [:]
var accepted = 0
for _ in 0..<count {
  var changes: [(Int, UInt8)] = []
  var length = size
  for _ in 0..<Int.random(in: 1...4, using: &random) {
    let range = hot.randomElement(using: &random) ?? 0..<size
    let extremes: [UInt8] = [0, 1, 0x7f, 0x80, 0xff]
    let byte =
      Bool.random(using: &random)
      ? extremes.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
    changes.append((Int.random(in: range, using: &random), byte))
  }
  if Int.random(in: 0..<16, using: &random) == 0 { length = Int.random(in: 0..<size, using: &random) }
  for (offset, byte) in changes {
    _ = withUnsafeBytes(of: byte) { pwrite(descriptor, $0.baseAddress, 1, off_t(offset)) }
  }
  if length < size { ftruncate(descriptor, off_t(length)) }
  do throws(Refusal) {
    let image = try ELFFile(TrustedFile(path))
    // Read the symbols that the contract checks.
    for index in 0..<image.symbols.count {
      if let symbol = image.symbols[index], let name = image.symbols.name(of: symbol) {
        _ = index % 64 == 0 && image.symbols.definesStrongly(name)
      }
    }
    accepted += 1
  } catch {
    refused[error.code.rawValue, default: 0] += 1
  }
  if length < size {
    _ = original.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, size, 0) }
  } else {
    for (offset, _) in changes {
      _ = withUnsafeBytes(of: original[offset]) { pwrite(descriptor, $0.baseAddress, 1, off_t(offset)) }
    }
  }
}
let reasons = refused.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
print("\(count) inputs, seed \(seed): \(accepted) read, refused \(reasons)")
