import Gangway

struct GuestsScreen: Screen {
  let book: GuestBook, router: Router<GuestsCoordinator>
  var body: some Content {
    Loading("Loading the guests", book.guests) { guests in
      List(guests) { guest in
        Row(guest.name, to: .guest(guest.id), in: router).badge(guest.isComing ? "✓" : nil)
      }
      if guests.isEmpty { Empty("Nobody is invited yet", symbol: "☺") }
      Button("Invite") { try await router.show(.edit(Guest())) }.keyboardShortcut("n")
    }
  }
}

struct GuestScreen: Screen {
  let id: Guest.ID, book: GuestBook, router: Router<GuestsCoordinator>
  var title: String? { book.guests.value?.first { $0.id == id }?.name }
  var body: some Content {
    Loading("Loading the guest", book.guests) { guests in
      if let guest = guests.first(where: { $0.id == id }) {
        LabeledContent("Mail", value: guest.mail)
        LabeledContent("Answer", value: guest.isComing ? "comes" : "none yet")
        Menu("Guest") {
          Button("Edit") { try await router.show(.edit(guest)) }
          Button("Remove", role: .destructive) {
            try await book.replace(id, with: nil)
            router.tell("\(guest.name) was removed.") { [book] in try await book.replace(guest.id, with: guest) }
            try await router.pop()
          }
        }
      }
    }
  }
}

struct EditScreen: Screen {
  @Bindable var draft: Draft
  let book: GuestBook, router: Router<GuestsCoordinator>
  var body: some Content {
    Form(submit: "Save") {
      TextField("Name", text: $draft.guest.name).required()
      TextField("Mail", text: $draft.guest.mail, style: .email)
        .rule(draft.guest.mail.contains("@") ? nil : "An address has an @, as in ada@example.org.")
      Toggle("Is coming", isOn: $draft.guest.isComing)
    } onSubmit: {
      try await book.replace(draft.guest.id, with: draft.guest)
      try await router.dismiss()
    }
  }
}
