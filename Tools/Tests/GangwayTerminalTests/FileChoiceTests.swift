import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// The choice of a file in the terminal, and files that features offer.
@MainActor @Suite struct FileChoiceTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)")
  private let picker: Element

  init() throws {
    setlocale(LC_ALL, "C.UTF-8")
    try FileManager.default.createDirectory(at: folder.appending(path: "Old"), withIntermediateDirectories: true)
    for name in ["b.txt", "A.TXT", "c.png", ".hidden.txt"] {
      try Data(name.utf8).write(to: folder.appending(path: name))
    }
    var picker = Element(id: "p", kind: .file, label: "Import")
    (picker.accepts, picker.maximumBytes) = ([".txt"], 100)
    self.picker = picker
  }

  private func view(_ controller: Controller) -> TerminalView {
    TerminalView(TerminalViewTests.presentation([picker]), controller.state, columns: 60, rows: 20)
  }

  private func press(_ keys: [Key], _ controller: inout Controller) -> Controller.Outcome {
    var outcome = Controller.Outcome.nothing
    for key in keys { outcome = controller.handle(key, view(controller)) }
    return outcome
  }

  private func typed(_ text: String) -> [Key] { text.map { .character($0) } }

  @Test func theUserChoosesAFileFromTheFolders() {
    var controller = Controller(isStored: true)
    controller.fileFolder = folder.path
    #expect(press([.tab, .enter], &controller) == .redraw)
    // Folders come first, and only files of the accepted types are listed.
    #expect(view(controller).listed.map(\.title) == ["../", "Old/", "A.TXT", "b.txt"])
    #expect(view(controller).listed.map(\.detail) == ["", "", "5 bytes", "5 bytes"])
    #expect(press([.down, .enter], &controller) == .redraw)
    #expect(view(controller).listed.map(\.title) == ["../", "The folder is empty."])
    #expect(press([.enter], &controller) == .redraw)
    let path = folder.appending(path: "b.txt").path
    #expect(
      press(typed("b") + [.enter], &controller) == .sendFile(.init(node: 4, element: "p"), path: path, limit: 100))
    #expect(controller.state.overlay == nil && controller.fileFolder == folder.path)
  }

  @Test func aTypedPathAndHiddenNamesAreFound() {
    var controller = Controller(isStored: true)
    controller.fileFolder = folder.path
    _ = press([.tab, .enter] + typed(".hid"), &controller)
    #expect(view(controller).listed.map(\.title) == [".hidden.txt"])
    _ = press([.control("u")] + typed("~/list.txt"), &controller)
    let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
    #expect(
      press([.enter], &controller) == .sendFile(.init(node: 4, element: "p"), path: home + "/list.txt", limit: 100))
    _ = press([.enter, .control("u")] + typed("nothing like it"), &controller)
    #expect(press([.enter], &controller) == .redraw)
    #expect(press([.escape], &controller) == .redraw)
    #expect(controller.state.overlay == nil)
  }

  @Test func aFolderThatCannotBeReadSaysSo() {
    var controller = Controller(isStored: true)
    controller.fileFolder = folder.path + "/none"
    _ = press([.tab, .enter], &controller)
    #expect(view(controller).canvas.text.contains("Import: \(FileChoice.shortened(folder.path))".prefix(20)))
    #expect(view(controller).listed.map(\.title) == ["../", "This folder cannot be read."])
    #expect(view(controller).canvas.text.contains("This folder cannot be read."))
  }

  @Test func aUserSendsAndSavesFiles() async throws {
    let workshop = try Workshop()
    let (saved, own) = (folder.path + "/Old", folder.path + "/b.txt")
    try Data("one\ntwo".utf8).write(to: URL(filePath: own))
    let command = "XDG_DOWNLOAD_DIR=\(saved) \(workshop.command("--plugin gallery --open gangway://gallery/files"))"
    try await RealTerminal.running(command) { terminal in
      try await terminal.await("Lines: 1")
      try await terminal.run(script: "file Import = \(own)\nexpect Lines: 2\nfile Import = \(folder.path)/c.png")
      try await terminal.await("'c.png' was not accepted.")
      try await terminal.run(
        script: "tap Export\nexpect Saved 'lines.txt' in \ntap Export\nexpect Saved 'lines (2).txt'")
    }
    for name in ["lines.txt", "lines (2).txt"] {
      #expect(try String(contentsOfFile: "\(saved)/\(name)", encoding: .utf8) == "one\ntwo")
    }
    // The user's own file is as it was.
    #expect(try String(contentsOfFile: own, encoding: .utf8) == "one\ntwo")
  }
}
