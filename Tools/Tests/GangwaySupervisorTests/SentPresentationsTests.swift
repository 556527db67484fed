@_spi(FrontEnd) import GangwayProtocol
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Patches from a host: they are applied, or requested as a whole if they do not fit.
@Suite struct SentPresentationsTests {
  private func presentation(_ revision: Revision, _ text: String) -> Presentation {
    Presentation(
      revision: revision, tabBars: [], path: [], canGoBack: false,
      layers: [.init(node: 2, style: .base, title: "A", elements: [Element(id: "a", kind: .text, label: text)])])
  }

  private func update(_ presentation: Presentation?, _ patch: Presentation.Patch? = nil) -> Update {
    Update(event: nil, revision: 1, presentation: presentation, patch: patch, checkpoint: nil)
  }

  @Test func eachPatchIsMadeWholeFromTheOneBefore() throws {
    let screens = (1...4).map { presentation(Revision(rawValue: $0), "\($0)") }
    var sent = SentPresentations()
    var first = update(screens[0])
    #expect(!sent.complete(&first, of: "s") && first.presentation == screens[0])
    for (old, new) in zip(screens, screens.dropFirst()) {
      var next = update(nil, new.patch(from: old))
      #expect(!sent.complete(&next, of: "s"))
      #expect(next.presentation == new && next.patch == nil)
    }
    var nothing = update(nil)
    #expect(!sent.complete(&nothing, of: "s") && nothing.presentation == nil)
  }

  @Test func aPatchOnAnotherScreenIsAskedForOnceAndTheWholeHelps() throws {
    let screens = (1...4).map { presentation(Revision(rawValue: $0), "\($0)") }
    var sent = SentPresentations()
    var first = update(screens[0])
    _ = sent.complete(&first, of: "s")
    var wrong = update(nil, screens[2].patch(from: screens[1]))
    #expect(sent.complete(&wrong, of: "s"), "it is asked for")
    #expect(wrong.presentation == nil && wrong.patch == nil)
    wrong = update(nil, screens[3].patch(from: screens[2]))
    #expect(!sent.complete(&wrong, of: "s"), "and no second time before the answer")
    var whole = update(screens[3])
    #expect(!sent.complete(&whole, of: "s") && whole.presentation == screens[3])
    var next = update(nil, screens[0].patch(from: screens[3]))
    #expect(!sent.complete(&next, of: "s") && next.presentation == screens[0])
    var other = update(nil, screens[1].patch(from: screens[0]))
    #expect(sent.complete(&other, of: "t"), "another session has no screen yet")
  }

  @Test func aSessionThatIsOpenedAgainBeginsAnew() {
    var sent = SentPresentations()
    var first = update(presentation(1, "a"))
    _ = sent.complete(&first, of: "s")
    sent.forget("s")
    var next = update(nil, presentation(2, "b").patch(from: presentation(1, "a")))
    #expect(sent.complete(&next, of: "s"))
  }
}
