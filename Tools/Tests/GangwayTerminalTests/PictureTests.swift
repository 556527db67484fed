import Foundation
@_spi(FrontEnd) import GangwayProtocol
import Glibc
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Pictures in a terminal that draws them, and their descriptions in other terminals.
@MainActor @Suite struct PictureTests {
  init() { setlocale(LC_ALL, "C.UTF-8") }

  private func image(_ width: Int, _ height: Int, _ base64: String = "QUJD", type: String = "image/png") -> Element {
    var element = Element(id: "i\(width)x\(height)", kind: .image, label: "A house")
    element.image = .init(type: type, width: width, height: height, base64: base64)
    return element
  }

  private func view(_ elements: [Element], hasPictures: Bool = true, _ state: ViewState = ViewState()) -> TerminalView {
    var glyphs = Glyphs()
    glyphs.hasPictures = hasPictures
    return TerminalView(TerminalViewTests.presentation(elements), state, columns: 60, rows: 30, glyphs: glyphs)
  }

  private func picture(_ element: Element, room: Int) throws -> Picture {
    let data = try #require(element.image)
    return try #require(Picture(data, room: room))
  }

  @Test(arguments: [
    (100, 100, 10, 5), (1_000, 1_000, 40, 20), (4_000, 100, 48, 1), (10, 4_000, 1, 20), (1, 1, 1, 1),
    (8_192, 8_192, 40, 20),
  ]) func itHasTheShapeOfItsPixelsAndFits(_ width: Int, _ height: Int, _ columns: Int, _ rows: Int) throws {
    let picture = try picture(image(width, height), room: 56)
    #expect(picture.columns == columns && picture.rows == rows)
  }

  @Test func cellsNameTheirPlaceInThePicture() {
    let canvas = view([image(30, 40), Element(id: "t", kind: .text, label: "Below")]).canvas
    #expect(canvas[3, 1].text == "\u{10EEEE}\u{305}\u{305}" && canvas[3, 3].text == "\u{10EEEE}\u{305}\u{30E}")
    #expect(canvas[4, 2].text == "\u{10EEEE}\u{30D}\u{30D}" && canvas[4, 4].text == " ")
    #expect(canvas[3, 1].style.picture == 16 && canvas[6, 1].text == "B")
    #expect(canvas.pictures.keys.sorted() == [16])
  }

  @Test func eachPictureHasItsOwnNumber() {
    let canvas = view([image(10, 20), image(20, 20), image(30, 20)]).canvas
    #expect(canvas.pictures.keys.sorted() == [16, 17, 18] && canvas.pictures[18]?.columns == 3)
  }

  @Test func elsewhereItIsWhatIsToBeSeen() {
    #expect(view([image(30, 40)], hasPictures: false).canvas.text.contains("[ A house  30 × 40 ]"))
    // Terminals accept only PNG.
    let jpeg = view([image(30, 40, type: "image/jpeg")]).canvas
    #expect(jpeg.text.contains("[ A house  30 × 40 ]") && jpeg.pictures.isEmpty)
    // A host can send any size.
    for size in [(0, 0), (-1, 5), (5, 0)] {
      #expect(view([image(size.0, size.1)]).canvas.text.contains("A house"))
    }
  }

  @Test func underADialogThereIsNoPicture() {
    let alert = Element(
      id: "a", kind: .alert, label: "Really?", children: [Element(id: "a.0", kind: .button, label: "Yes")])
    let canvas = view([image(300, 400), alert]).canvas
    #expect(!canvas.text.contains("\u{10EEEE}") && canvas.text.contains("Really?"))
    var state = ViewState()
    state.overlay = .list(.init(kind: .help))
    #expect(!view([image(300, 400)], state).canvas.text.contains("\u{10EEEE}"))
  }

  @Test func itIsSentInPieces() throws {
    let base64 = String(repeating: "QUJD", count: 3_000)
    let picture = try picture(image(100, 100, base64), room: 50)
    let bytes = try #require(picture.transmission(as: 17))
    let text = String(decoding: bytes, as: UTF8.self)
    let pieces = text.components(separatedBy: "\u{1b}\\").dropLast()
    #expect(pieces.count == 3 && pieces.allSatisfy { $0.hasPrefix("\u{1b}_G") })
    #expect(pieces.first?.hasPrefix("\u{1b}_Ga=T,U=1,f=100,q=2,i=17,c=10,r=5,m=1;") == true)
    #expect(pieces.last?.hasPrefix("\u{1b}_Gq=2,m=0;") == true)
    #expect(pieces.compactMap { $0.split(separator: ";").last.map(String.init) }.joined() == base64)
  }

  @Test(arguments: ["", "QUJD\u{1b}\\\u{1b}]0;x\u{7}", "QU JD", "QU\nJD", "é"])
  func whatIsNoBase64IsNotSent(_ base64: String) throws {
    let picture = try picture(image(100, 100, base64), room: 50)
    #expect(picture.transmission(as: 17) == nil)
  }

  @Test(arguments: [
    (["TERM": "xterm-kitty"], true), (["TERM": "xterm-ghostty"], true), (["TERM": "xterm-256color"], false),
    (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], true), (["TERM": "xterm-kitty", "TMUX": "x"], false),
    (["TERM": "screen", "GANGWAY_IMAGES": "kitty", "TMUX": "x"], true),
    (["TERM": "xterm-kitty", "GANGWAY_IMAGES": "none"], false), ([:], false),
  ]) func theEnvironmentSaysWhetherThereAreAny(_ environment: [String: String], _ isThere: Bool) {
    #expect(PictureSupport.isThere { environment[$0] } == isThere)
  }

  /// The bytes that a terminal with picture support would receive.
  @Test func theGallerysPictureIsSentOnce() async throws {
    let log = FileManager.default.temporaryDirectory.path + "/gangway-pictures-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: log) }
    let workshop = try Workshop()
    let command =
      "env -u NO_COLOR -u TMUX XDG_STATE_HOME=\(workshop.path("state")) XDG_DATA_HOME=\(workshop.path("data")) "
      + "LANG=C.UTF-8 TERM=xterm-256color GANGWAY_IMAGES=kitty "
      + "\(Workshop.built)/gangway run --plugin gallery --open gangway://gallery/image"
    try await RealTerminal.running("read _; " + command) { terminal in
      try await terminal.record(to: log)
      try await terminal.press("Enter")
      try await terminal.await("Code")
      try await terminal.press("Down", "Up", "?", "?")
      try await terminal.press("q")
      try await terminal.await("ENDED")
    }
    let sent = String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
    #expect(sent.components(separatedBy: "\u{1b}_Ga=T,U=1,f=100,q=2,i=16,").count == 2)
    #expect(sent.contains("\u{1b}[38;5;16m") && sent.contains("\u{10EEEE}\u{305}\u{305}"))
    #expect(sent.contains("\u{1b}_Ga=d,d=I,q=2,i=16\u{1b}\\"))
  }
}
