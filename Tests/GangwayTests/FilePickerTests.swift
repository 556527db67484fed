import Foundation
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// Files that the user gives to a feature, and files that a feature gives to the user.
@MainActor @Suite struct FilePickerTests {
  /// The files that arrived in the picker.
  @Observable final class Tray {
    var taken: [ChosenFile] = []
    var content: [UInt8] = []
    var moves = ""
  }

  struct Refused: Error, CustomStringConvertible { let description = "The list is full." }

  struct Desk: Screen {
    let tray: Tray
    var accepts: [String] = []
    var maximumBytes = 100
    var body: some Content {
      FilePicker("Import", accepts: accepts, maximumBytes: maximumBytes) { file in
        tray.content = try await file.bytes()
        tray.taken.append(file)
        if file.name.hasPrefix("full") { throw Refused() }
        if !tray.moves.isEmpty { try await file.move(to: tray.moves) }
      }
      Text("\(tray.taken.count) files")
    }
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]

  @Test func theFeatureReadsAFileAndItIsRemovedAfterTheAction() async throws {
    let tray = Tray()
    let flow = try await FlowTester(ShownScreen { Desk(tray: tray) })
    try await flow.choose(file: "../../etc/list.csv", Array("a,b".utf8), in: "Import")
    let file = try #require(tray.taken.first)
    #expect((file.name, file.type, file.byteCount) == ("list.csv", "text/csv", 3))
    #expect(tray.content == Array("a,b".utf8))
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(flow.lines == ["Import", "1 files"])
  }

  @Test func aFileThatWasMovedStays() async throws {
    let tray = Tray()
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    tray.moves = folder.appending(path: "kept").path
    let flow = try await FlowTester(ShownScreen { Desk(tray: tray) })
    try await flow.choose(file: "a", Array("first".utf8), in: "Import")
    // An existing file is never replaced.
    let failure = await #expect(throws: FlowFailure.self) {
      try await flow.choose(file: "b", Array("second".utf8), in: "Import")
    }
    // The user reads the name of the file, and no path of the feature.
    let message = try #require(failure?.message)
    #expect(message.contains("'b' could not be stored: there is a file with this name already."), "\(message)")
    #expect(!message.contains(folder.path), "\(message)")
    #expect(try String(contentsOfFile: tray.moves, encoding: .utf8) == "first")
    for file in tray.taken { #expect(!FileManager.default.fileExists(atPath: file.path)) }
  }

  @Test func theActionsErrorIsShownAndTheFileIsRemoved() async throws {
    let tray = Tray()
    let flow = try await FlowTester(ShownScreen { Desk(tray: tray) })
    let failure = await #expect(throws: FlowFailure.self) {
      try await flow.choose(file: "full.txt", [1], in: "Import")
    }
    #expect(failure?.message.contains("The list is full.") == true)
    #expect(!FileManager.default.fileExists(atPath: try #require(tray.taken.first).path))
  }

  @Test(
    arguments: [
      ("big.csv", [UInt8](repeating: 7, count: 101), nil, "The file has 101 bytes. The limit is 100 bytes."),
      ("list.doc", [1], nil, "Choose a file of one of these types: .csv, image/*."),
      ("list.csv.exe", [1], nil, "Choose a file of one of these types: .csv, image/*."),
      ("cat.png", Array("no picture".utf8), nil, "Its name says image/png, but its content is something else."),
      ("cat.png", Array("no picture".utf8), "image/png; charset=x", "Its name says image/png"),
    ] as [(String, [UInt8], String?, String)])
  func aFileThatDoesNotFitIsRefused(_ name: String, _ bytes: [UInt8], _ type: String?, _ reason: String) async throws {
    let tray = Tray()
    let flow = try await FlowTester(ShownScreen { Desk(tray: tray, accepts: [".CSV", "image/*"]) })
    let failure = await #expect(throws: FlowFailure.self) {
      try await flow.choose(file: name, bytes, type: type, in: "Import")
    }
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("'\(name)' was not accepted.") == true)
    #expect(tray.taken.isEmpty)
  }

  @Test func filesThatFitAreTaken() async throws {
    let tray = Tray()
    let flow = try await FlowTester(ShownScreen { Desk(tray: tray, accepts: [".csv", "image/*"]) })
    try await flow.choose(file: "A.CSV", [], in: "Import")
    try await flow.choose(file: "photo", Self.png, type: "image/png", in: "Import")
    try await flow.choose(file: "cat.PNG", Self.png, in: "Import")
    #expect(tray.taken.map(\.type) == ["text/csv", "image/png", "image/png"])
  }

  /// A front end must not make a feature read or remove any file of this machine.
  @Test func aPathOutsideTheHandoverFolderIsRefusedAndStays() async throws {
    let tray = Tray()
    let flow = try await FlowTester(ShownScreen { Desk(tray: tray) })
    let own = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("mine".utf8).write(to: own)
    defer { try? FileManager.default.removeItem(at: own) }
    let picker = try #require(flow.presentation.top?.elements.first)
    let target = Event.ElementReference(node: try #require(flow.presentation.top).node, element: picker.id)
    let folder = try HandoverFolder()
    for path in [own.path, "\(folder.path)/../\(own.lastPathComponent)", "\(folder.path)/none", folder.path, ""] {
      await #expect(throws: FlowFailure.self, "\(path)") {
        try await flow.send(.file(target, HandedFile(name: "a", type: nil, path: path)))
      }
    }
    #expect(FileManager.default.fileExists(atPath: own.path) && tray.taken.isEmpty)
  }

  struct Printer: Screen {
    let folder: String
    let router: Router<Office>
    var body: some Content {
      Download("Export", name: "todos.csv", type: "text/csv") { Array("id,title\n".utf8) }
      Download("Manual", file: "\(folder)/manual.pdf")
      Button("Report") { try router.offerFile(name: "a/b/report.txt", bytes: [65]) }
    }
  }

  final class Office: StackCoordinator {
    enum Route: NavigationRoute { case printer }
    let start = Route.printer
    let folder: String
    init(_ folder: String) { self.folder = folder }
    func destination(for route: Route) -> Destination { .screen { Printer(folder: self.folder, router: $0) } }
  }

  @Test func aFeatureOffersFiles() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let flow = try await FlowTester(Office(folder.path))
    #expect(throws: FlowFailure.self) { try flow.offeredFile("todos.csv") }
    try await flow.tap("Export")
    #expect(flow.notices.map(\.text) == ["'todos.csv' is ready."])
    #expect(try flow.offeredFile("todos.csv") == Array("id,title\n".utf8))
    try await flow.tap("Report")
    #expect(try flow.offeredFile("report.txt") == [65])
    let missing = await #expect(throws: FlowFailure.self) { try await flow.tap("Manual") }
    #expect(missing?.message.contains("'manual.pdf' is no longer there.") == true)
    try Data("%PDF-".utf8).write(to: folder.appending(path: "manual.pdf"))
    try await flow.tap("Manual")
    #expect(try flow.offeredFile("manual.pdf") == Array("%PDF-".utf8))
  }

  @Test func onlyTheLastCopiesOfOfferedFilesStay() async throws {
    let flow = try await FlowTester(Office("/nowhere"))
    var paths: [String] = []
    for _ in 0..<53 {
      try await flow.tap("Export")
      paths += flow.notices.compactMap(\.file?.path)
    }
    #expect(paths.map { FileManager.default.fileExists(atPath: $0) } == (0..<53).map { $0 >= 3 })
  }

  @Observable final class Asked { var isAsked = true }

  struct Receipt: Screen {
    @Bindable var model: Asked
    var body: some Content {
      Text("Paid")
      Alert("Keep the receipt?", message: "", isPresented: $model.isAsked) {
        Download("Receipt", name: "receipt.txt") { [1] }
      }
    }
  }

  /// Every button of an alert closes it, and there is a way out.
  @Test func aDownloadClosesItsAlert() async throws {
    let model = Asked()
    let flow = try await FlowTester(ShownScreen { Receipt(model: model) })
    #expect(flow.screen.contains("Receipt"))
    try await flow.tap("Receipt")
    #expect(try flow.offeredFile("receipt.txt") == [1])
    #expect(!model.isAsked && flow.lines == ["Paid"])
  }

  @Test func aScriptChoosesAndSavesFiles() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let own = folder.appending(path: "list.csv").path
    try Data("a,b".utf8).write(to: URL(filePath: own))
    let tray = Tray()
    let desk = try await FlowTester(ShownScreen { Desk(tray: tray) })
    try await desk.run(script: "file Import = \(own)\nexpect 1 files")
    #expect(tray.content == Array("a,b".utf8) && FileManager.default.fileExists(atPath: own))
    await #expect(throws: FlowFailure.self) { try await desk.run(script: "file Import = \(folder.path)") }
    await #expect(throws: FlowFailure.self) { try await desk.run(script: "file Import = \(folder.path)/none") }
    let office = try await FlowTester(Office(folder.path))
    try await office.run(script: "tap Export\nsave todos.csv = \(folder.path)\nsave todos.csv = \(folder.path)")
    for name in ["todos.csv", "todos (2).csv"] {
      #expect(try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8) == "id,title\n")
    }
    let failure = await #expect(throws: FlowFailure.self) { try await office.run(script: "tap Export\nsave other.csv") }
    #expect(failure?.message.contains("No file 'other.csv' was offered. Offered files: 'todos.csv'.") == true)
  }
}
