import Foundation
import Gangway
import Observation

/// A file, as last read.
@MainActor @Observable final class ShownFile {
  let path: EscapedPath
  private(set) var facts: FileFacts?
  private(set) var target: String?
  private(set) var preview: FilePreview?
  private(set) var problem: FileError?

  private let root: EscapedPath

  init(_ path: EscapedPath, within root: EscapedPath = .root) { (self.path, self.root) = (path, root) }

  /// Reads the file, and again after each change of the file or the files beside it.
  func follow() async {
    // Watch first, so that a change during the read causes another read.
    let changes = FileWatch.changes(in: path.parent)
    await read()
    for await _ in changes {
      await read()
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  func read() async {
    do {
      try path.check(within: root)
      let facts = try FileFacts(path)
      // Only a file beside it changed.
      if facts == self.facts, preview != nil, facts.kind != .link { return }
      self.facts = facts
      target = facts.kind == .link ? Self.target(of: path) : nil
      preview = try await FilePreview.read(path)
      problem = nil
    } catch let error as FileError {
      (problem, preview) = (error, nil)
      if error.isGone, target == nil { facts = nil }
    } catch {}
  }

  private static func target(of path: EscapedPath) -> String? {
    let bytes = path.withPointer { pointer in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer -> [UInt8]? in
        let count = buffer.baseAddress.map { readlink(pointer, $0, buffer.count) } ?? -1
        return count < 0 ? nil : buffer.prefix(count).map { UInt8(bitPattern: $0) }
      }
    }
    return bytes.map(EscapedPath.escape)
  }
}

struct FileScreen: Screen {
  let file: ShownFile
  let router: Router<FilesCoordinator>

  var title: String? { file.path.name }

  var body: some Content { content.task { await file.follow() } }

  @ContentBuilder private var content: ContentGroup {
    if let facts = file.facts {
      LabeledContent("Kind", value: facts.kind.word)
      if let target = file.target { LabeledContent("Target", value: target) }
      LabeledContent("Size", value: FileFacts.bytes(facts.size))
      LabeledContent("Changed", value: Self.day(facts.changed))
      LabeledContent("Rights", value: "\(facts.rights) \(facts.ownerName)")
      if facts.kind == .file, let path = String(validating: file.path.bytes, as: UTF8.self) {
        Download("Download", file: path, name: file.path.name)
      }
    }
    if let problem = file.problem {
      if problem.isGone, file.target == nil {
        Empty("This file is gone", symbol: "·", text: problem.description)
      } else {
        Banner(.warning, problem.description)
      }
    }
    switch file.preview {
    case .text(let text, let rest):
      Divider()
      lines(text).id("text")
      if rest > 0 { Text("\(FileFacts.bytes(rest)) more are not shown.").id("rest") }
    case .picture(let bytes): Image(bytes, label: "The picture \(file.path.name)")
    case .bytes(let text):
      Divider()
      lines(text).id("bytes")
    case .empty: Empty("This file is empty", symbol: "·")
    case .nothing(let why): Text(why).id("why")
    case nil: if file.problem == nil { Progress("Reading") }
    }
  }

  /// Returns the lines of a text. Even of a long text, only lines near the visible ones are made.
  private func lines(_ text: String) -> some Content {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return List(lines.indices, id: \.self) { Row(Self.visible(lines[$0])) }
  }

  /// Returns a line without characters that move the cursor or are commands of a terminal.
  private static func visible(_ line: Substring) -> String {
    String(line.prefix(2_000)).replacing("\t", with: "    ").filter { !$0.isNewline && ($0.asciiValue ?? 32) >= 32 }
  }

  private static func day(_ date: Date) -> String {
    let parts = Calendar.current.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
    return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) \(two(parts.hour)):\(two(parts.minute))"
  }
}
