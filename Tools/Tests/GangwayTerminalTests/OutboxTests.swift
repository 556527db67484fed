@_spi(FrontEnd) import GangwayProtocol
import Testing

@testable import GangwayTerminal

/// The actions that wait to be sent.
@Suite struct OutboxTests {
  private let name = Event.ElementReference(node: 1, element: "name")
  private let note = Event.ElementReference(node: 1, element: "note")
  private var save: Event.Action { .tap(.init(node: 1, element: "save")) }

  @Test func actionsAreSentOneAtATimeInTheirOrder() {
    var outbox = Outbox()
    #expect(outbox.isEmpty)
    #expect(outbox.next() == nil)
    for action in [.edit(name, text: "a"), save, .edit(name, text: "ab")] {
      #expect(outbox.add(action) == false, "only edits without another action between them are merged")
    }
    #expect(outbox.next() == .edit(name, text: "a"))
    #expect(outbox.next() == nil, "one is in flight")
    #expect(outbox.answered(isLost: false) == .done)
    #expect(outbox.next() == save)
    #expect(outbox.answered(isLost: true) == .done, "a press is never sent twice")
    #expect(outbox.next() == .edit(name, text: "ab"))
    #expect(!outbox.isEmpty)
    #expect(outbox.answered(isLost: false) == .done)
    #expect(outbox.isEmpty)
  }

  @Test func anEditReplacesTheEditOfTheSameFieldThatWaits() {
    var outbox = Outbox()
    #expect(outbox.add(.edit(name, text: "a")) == false)
    #expect(outbox.next() == .edit(name, text: "a"))
    #expect(outbox.add(.edit(name, text: "ab")) == false, "what is in flight is not replaced")
    #expect(outbox.add(.edit(name, text: "abc")) == true)
    #expect(outbox.add(.edit(note, text: "x")) == false)
    #expect(outbox.answered(isLost: false) == .done)
    #expect(outbox.next() == .edit(name, text: "abc"))
    #expect(outbox.answered(isLost: false) == .done)
    #expect(outbox.next() == .edit(note, text: "x"))
  }

  @Test func aLostEditIsSentAgainOnceBeforeTheOthers() {
    var outbox = Outbox()
    _ = outbox.add(.edit(name, text: "a"))
    _ = outbox.next()
    _ = outbox.add(save)
    _ = outbox.add(.back)
    _ = outbox.add(.edit(note, text: "x"))
    #expect(outbox.answered(isLost: true) == .again)
    #expect(outbox.next() == .edit(name, text: "a"))
    #expect(outbox.answered(isLost: true) == .givenUp(name))
    #expect(outbox.next() == .back, "the user can always leave")
    #expect(outbox.answered(isLost: false) == .done)
    #expect(outbox.next() == .edit(note, text: "x"), "the press would act on the older text")
    #expect(outbox.answered(isLost: false) == .done)
    #expect(outbox.isEmpty)
  }

  @Test func rowsOfAListAreAwaitedUntilTheAnswer() {
    let list = Event.ElementReference(node: 1, element: "list")
    var outbox = Outbox()
    #expect(!outbox.asksForRows(of: list))
    _ = outbox.add(save)
    _ = outbox.add(.window(list, first: 0, count: 60))
    #expect(outbox.asksForRows(of: list), "the request waits")
    #expect(!outbox.asksForRows(of: name))
    _ = outbox.next()
    _ = outbox.answered(isLost: false)
    _ = outbox.next()
    #expect(outbox.asksForRows(of: list), "the request is in flight")
    _ = outbox.answered(isLost: true)
    #expect(!outbox.asksForRows(of: list))
  }

  @Test func theNewestTextIsSentInsteadOfALostOne() {
    var outbox = Outbox()
    _ = outbox.add(.edit(name, text: "a"))
    _ = outbox.next()
    _ = outbox.add(.edit(name, text: "ab"))
    #expect(outbox.answered(isLost: true) == .done)
    #expect(outbox.next() == .edit(name, text: "ab"))
    #expect(outbox.answered(isLost: true) == .again, "this text was lost once")
    #expect(outbox.next() == .edit(name, text: "ab"))
    #expect(outbox.answered(isLost: true) == .givenUp(name))
  }

  @Test func aNewerTextFollowsATextThatWasLostTwice() {
    var outbox = Outbox()
    _ = outbox.add(.edit(name, text: "a"))
    _ = outbox.next()
    _ = outbox.add(save)
    _ = outbox.add(.edit(name, text: "ab"))
    #expect(outbox.answered(isLost: true) == .again)
    #expect(outbox.next() == .edit(name, text: "a"))
    #expect(outbox.answered(isLost: true) == .done, "a newer text follows")
    #expect(outbox.next() == .edit(name, text: "ab"), "the press before it would act on the older text")
    #expect(outbox.answered(isLost: true) == .givenUp(name))
  }

  @Test func nothingIsRepeatedWhileTheAppAsksAQuestion() {
    var outbox = Outbox()
    _ = outbox.add(.edit(name, text: "a"))
    _ = outbox.next()
    #expect(outbox.answered(isLost: true, mayRepeat: false) == .givenUp(name))
    #expect(outbox.isEmpty)
  }
}
